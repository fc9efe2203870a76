// The result document of a crawl with patterns.

export async function findResult() {
  return false;
}
