import { UNSUBSCRIBE_PATH } from "./public-paths.ts";

/** `https://msg.acme.example/` → `https://msg.acme.example/unsubscribe/01jd…`. */
export function toUnsubscribeUrl(publicUrl: string, token: string): string {
  return `${publicUrl.replace(/\/+$/, "")}${UNSUBSCRIBE_PATH}${token}`;
}

/** Stands for no message. With its token `msgd carriers` asks whether a public URL leads to a server of this installation. */
export const PROBE_MESSAGE_ID = `msg_${"0".repeat(26)}`;

/** The answer to the token of the probe. */
export const PROBE_WORDS = "Links to unsubscribe lead here.";
