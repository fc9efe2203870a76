// The way out, on every page of one who was let in.

import { post } from "./api.js";
import { tried } from "./dialogs.js";
import { byId } from "./dom.js";

byId("log-out")?.addEventListener("click", () => tried(async () => (await post("/api/logout"), location.assign("/login"))));
