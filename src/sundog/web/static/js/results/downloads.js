// Downloads: what cannot be made says why, instead of giving a file with an error in it.

import { ApiError } from "../api.js";
import { say } from "../dialogs.js";
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
  try {
    const answer = await fetch(address);
    if (!answer.ok) throw new ApiError(answer.status, (await answer.json()).error);
    const name = /filename="([^"]+)"/.exec(answer.headers.get("content-disposition") ?? "")?.[1] ?? "download";
    save(await answer.blob(), name);
  } catch (error) {
    say(error instanceof TypeError ? "The server does not answer: is sundog serve still running?" : error.message, "bad");
  }
}

export function save(blob, name) {
  const address = URL.createObjectURL(blob);
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 30_000);
}
