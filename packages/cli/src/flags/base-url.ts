/** What a message says about a refused address. The address itself is not repeated: it may hold a password. */
export const BASE_URL_EXPECTED =
  "an http or https URL without credentials, query or fragment, such as https://api.example.com";

/** Whether the text is a usable address of the service. */
export function isBaseUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && username + password + search + hash === "";
}

/** One form for all spellings of an address: scheme and host in lower case, no default port, no trailing slash. */
export function canonicalBaseUrl(baseUrl: string): string {
  return new URL(baseUrl).href.replace(/\/+$/, "");
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Whether an address leads to this machine only. */
export function isLoopback(baseUrl: string): boolean {
  return URL.canParse(baseUrl) && LOOPBACK.test(new URL(baseUrl).hostname);
}
