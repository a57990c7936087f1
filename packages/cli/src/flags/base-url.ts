/** Expected form of an address, for messages. Messages never quote a refused address, which may contain a password. */
export const BASE_URL_EXPECTED =
  "an http or https URL without credentials, query or fragment, such as https://api.example.com";

/** Matches slashes and `/api/v1` at the end. The contract's paths already begin with /api/v1. */
const END = /(?:\/(?:api\/v1)?)+$/;

/** Parses the address of a service, and drops `/api/v1`; undefined if the text is not such an address. */
export function toBaseUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, username, password, search, hash } = new URL(text);
  const isUsable = /^https?:$/.test(protocol) && username + password + search + hash === "";
  return isUsable ? text.trim().replace(END, "") : undefined;
}

/** Normalizes an address: scheme and host in lower case, no default port, no trailing slash. */
export function canonicalBaseUrl(baseUrl: string): string {
  return new URL(baseUrl).href.replace(/\/+$/, "");
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Whether an address is on the loopback interface of this machine. */
export function isLoopback(baseUrl: string): boolean {
  return URL.canParse(baseUrl) && LOOPBACK.test(new URL(baseUrl).hostname);
}
