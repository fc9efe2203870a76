// Requests to the API. An error is an Error with the sentence that the server has answered.

class ApiError extends Error {
  constructor(status, message) {
    super(asSentence(message));
    this.status = status;
  }
}

// The server's sentences may go on after others. Addresses and names stay as they are.
const asSentence = (text) => (/^[a-z]+[ ,;]/.test(text) ? text[0].toUpperCase() + text.slice(1) : text);

const csrf = () => document.querySelector('meta[name="csrf"]').content;

// The response of a request that went well.
async function request(path, options = {}) {
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new ApiError(0, "the server does not answer: is sundog serve still running?");
  }
  if (response.status === 401 && location.pathname !== "/login") location.assign("/login");
  if (!response.ok) throw new ApiError(response.status, (isJson(response) && (await response.json()).error) || `the server answered with ${response.status}`);
  return response;
}

const isJson = (response) => (response.headers.get("content-type") ?? "").includes("json");

async function ask(method, path, body) {
  const headers = method === "GET" ? {} : { "X-CSRF-Token": csrf() };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const response = await request(path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
  if (response.status === 204) return null;
  return isJson(response) ? response.json() : response.text();
}

// A file, with the name that the server gives it.
export async function getFile(path) {
  const response = await request(path);
  const name = /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "")?.[1] ?? "download";
  return { blob: await response.blob(), name };
}

// The text that answers a text, and its headers.
export async function postText(path, body, headers) {
  const response = await request(path, { method: "POST", headers: { "X-CSRF-Token": csrf(), ...headers }, body });
  return { text: await response.text(), headers: response.headers };
}

export const get = (path, parameters) => ask("GET", parameters ? `${path}?${query(parameters)}` : path);
export const post = (path, body) => ask("POST", path, body);
export const remove = (path) => ask("DELETE", path);

// `parameters` are an object, or pairs, where a name may come several times.
function query(parameters) {
  const given = (Array.isArray(parameters) ? parameters : Object.entries(parameters)).filter(([, value]) => value !== null && value !== undefined && value !== "");
  return new URLSearchParams(given).toString();
}

export const crawlPath = (id) => `/api/crawls/${encodeURIComponent(id)}`;
export const pageOf = (id, rest = "") => `/crawls/${encodeURIComponent(id)}${rest}`;

// Calls again and again while the page is visible; a call that fails is tried again later.
export function repeat(seconds, act) {
  let timer = 0;
  const turn = async () => {
    clearTimeout(timer);
    if (!document.hidden) await act();
    timer = setTimeout(turn, seconds * 1000);
  };
  document.addEventListener("visibilitychange", () => document.hidden || turn());
  return turn();
}
