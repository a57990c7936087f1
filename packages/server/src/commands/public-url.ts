// Asks whether the URL of unsubscribe links, the server's or a mail carrier's own, leads to this installation.

import { createMessageTokens } from "../rules/message-tokens.ts";
import { UNSUBSCRIBE_PATH } from "../rules/public-paths.ts";
import { PROBE_MESSAGE_ID, PROBE_WORDS, toUnsubscribeUrl } from "../rules/unsubscribe-urls.ts";

const ANSWER_MS = 5_000;
/** As mail programs post (RFC 8058), and as people open the link. */
const requests = [
  { method: "POST", body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }) },
  { method: "GET" },
] as const;

export interface AskedUrl {
  readonly publicUrl: string;
  /** The installation's, by which its servers know the probe. */
  readonly pepper: string;
  readonly fetch: typeof fetch;
}

/** Returns a warning for the operator, or undefined if this installation answers there. */
export async function findPublicUrlFault({ publicUrl, pepper, fetch }: AskedUrl): Promise<string | undefined> {
  const url = toUnsubscribeUrl(publicUrl, createMessageTokens(pepper, "unsubscribe").make(PROBE_MESSAGE_ID));
  const shown = toUnsubscribeUrl(publicUrl, "");
  for (const request of requests) {
    const answer = await ask(url, request, fetch);
    if (answer === undefined) continue;
    return `Warning: recipients of MARKETING mails cannot unsubscribe. ${request.method} ${shown}… ${answer}. Have the proxy at ${new URL(publicUrl).host} pass ${UNSUBSCRIBE_PATH} to msgd serve on this database, and try again: msgd carriers test.`;
  }
  return undefined;
}

/** Returns in a few words what came instead of the answer to the probe; undefined for that. */
async function ask(url: string, request: (typeof requests)[number], send: typeof fetch): Promise<string | undefined> {
  try {
    // a program that unsubscribes follows no redirect
    const reply = await send(url, { ...request, redirect: "manual", signal: AbortSignal.timeout(ANSWER_MS) });
    if (reply.status !== 200) {
      await reply.body?.cancel();
      return `was answered with ${reply.status}`;
    }
    return (await reply.text()).includes(PROBE_WORDS) ? undefined : "was answered by somebody else";
  } catch (error) {
    return `was not answered (${nameCause(error)})`;
  }
}

function nameCause(error: unknown): string {
  const { cause, message, name } = error as Error & { cause?: NodeJS.ErrnoException };
  if (name === "TimeoutError") return `not within ${ANSWER_MS / 1_000} s`;
  return cause?.code ?? cause?.message ?? message;
}
