/** Has the demo server post the events of its messages to the listener while it listens. */

import type { Send } from "../../call/node-transport.ts";

const TIMEOUT_MS = 2_000;
const MOST_BYTES = 64 * 1024;

/** The URL to which the demo server posted events before, or null. */
interface Subscription {
  url: string | null;
}

export interface DirectedEvents {
  /** Sets the URL of before again. Never rejects: the server may have ended. */
  putBack(): Promise<void>;
}

/**
 * Sets the demo tenant's URL for events of messages to `url`. Returns undefined if the server does not run, or is older than
 * these events.
 */
export async function directEvents(
  { baseUrl, url }: { baseUrl: string; url: string },
  send: Send,
): Promise<DirectedEvents | undefined> {
  const ask = (method: "PUT" | "DELETE", body?: Subscription) => request(baseUrl, { method, body }, send);
  try {
    const before = (await ask("PUT", { url })) as Subscription | undefined;
    if (before === undefined) return undefined;
    return {
      async putBack() {
        await (before.url === null || before.url === url ? ask("DELETE") : ask("PUT", before)).catch(() => {});
      },
    };
  } catch {
    return undefined;
  }
}

/** Returns the parsed reply; undefined if the request was refused. */
async function request(
  baseUrl: string,
  { method, body }: { method: "PUT" | "DELETE"; body: Subscription | undefined },
  send: Send,
): Promise<unknown> {
  const content = Buffer.from(body === undefined ? "" : JSON.stringify(body));
  const headers = body === undefined ? {} : { "content-type": "application/json", "content-length": content.length };
  const options = { method, headers, agent: false, signal: AbortSignal.timeout(TIMEOUT_MS) } as const;
  const answer = await send(new URL("/control/event-subscription", baseUrl), options, content);
  let text = "";
  for await (const chunk of answer) {
    text += chunk;
    if (text.length > MOST_BYTES) throw new Error("the reply is too long");
  }
  return answer.statusCode === 200 ? JSON.parse(text) : undefined;
}
