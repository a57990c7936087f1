/** Expected form of an address, for messages. Messages do not repeat a refused address, which may contain a password. */
export const BASE_URL_EXPECTED =
  "an http or https URL without credentials, query or fragment, such as https://api.example.com";

/** Whether the address is one that `--base-url` accepts. */
export function isBaseUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && username + password + search + hash === "";
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Whether an address leads to this machine only. */
export function isLoopback(baseUrl: string): boolean {
  return URL.canParse(baseUrl) && LOOPBACK.test(new URL(baseUrl).hostname);
}
