/** Expected form of an address, for messages. A refused address itself is not repeated: it may contain a password. */
export const BASE_URL_EXPECTED =
  "an http or https URL without credentials, query or fragment, such as https://api.example.com";

/** Slashes and `/api/v1` at the end: the paths of the contract begin with it. */
const END = /(?:\/(?:api\/v1)?)+$/;

/** The address of the service that a text names, without `/api/v1`; undefined when it names none. */
export function toBaseUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, username, password, search, hash } = new URL(text);
  const isUsable = /^https?:$/.test(protocol) && username + password + search + hash === "";
  return isUsable ? text.trim().replace(END, "") : undefined;
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
