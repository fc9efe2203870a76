// The way in, when there is a token.

import { post } from "./api.js";
import { byId, fill, h } from "./dom.js";

byId("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  fill(byId("trouble"));
  try {
    await post("/api/login", { token: byId("token").value });
    location.assign("/");
  } catch (error) {
    fill(byId("trouble"), h("p", { class: "note bad" }, error.message));
    byId("token").select();
  }
});

// Whoever has followed a link from another site may be logged in: a strict cookie does not come along from there.
fetch("/login", { redirect: "manual" })
  .then((answer) => answer.type === "opaqueredirect" && location.replace("/"))
  .catch(() => {}); // then it is the button that fails, and says so
