/** The path that people unsubscribe at, before a message's token. */
export const UNSUBSCRIBE_PATH = "/unsubscribe/";

/** `https://msg.acme.example/` → `https://msg.acme.example/unsubscribe/01jd…`. */
export function toUnsubscribeUrl(publicUrl: string, token: string): string {
  return `${publicUrl.replace(/\/+$/, "")}${UNSUBSCRIBE_PATH}${token}`;
}
