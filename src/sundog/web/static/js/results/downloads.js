// Downloads: what cannot be made says why, instead of giving a file with an error in it.

import { getFile } from "../api.js";
import { tried } from "../dialogs.js";
import { byId, h } from "../dom.js";

export function followDownloads() {
  byId("downloads").addEventListener("click", async (event) => {
    const link = event.target.closest("a[data-format]");
    if (!link) return;
    event.preventDefault();
    if (link.getAttribute("aria-busy")) return;
    link.setAttribute("aria-busy", "true");
    await download(link.href);
    link.removeAttribute("aria-busy");
  });
}

export async function download(address) {
  const file = await tried(() => getFile(address));
  if (file) save(file.blob, file.name);
}

export function save(blob, name) {
  const address = URL.createObjectURL(blob);
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 30_000);
}
