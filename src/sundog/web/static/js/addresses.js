// Addresses as people type them.

// What people leave out is added; what is a word rather than an address is not taken for one.
export function withScheme(address) {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(address)) return address;
  if (/^([^/?#]+\.[^/?#.]+|localhost)(:\d+)?([/?#]|$)/i.test(address)) return `https://${address}`;
  throw new Error(`“${address}” is no address: give it whole, such as https://www.example.org/.`);
}
