/** Prints messages for people, other than the events, on standard error. */
import { isLoopback } from "../../flags/base-url.ts";
import { printable } from "../../output/printable.ts";
import type { Style } from "../../output/text/style.ts";
import { truncate } from "../../output/text/width.ts";
import type { ListenFlags } from "./listen-flags.ts";
import type { SessionListener } from "./session.ts";
import type { FoundSecrets } from "./webhook-secrets.ts";

/** Returns the lines to print before the first event. */
export function greeting(
  { host, forward }: ListenFlags,
  found: FoundSecrets | undefined,
  { url, hasMessageEvents }: { url: string; hasMessageEvents: boolean },
): string[] {
  const isLocal = isLoopback(`http://${host.includes(":") ? `[${host}]` : host}`);
  return [
    `Listening on ${url} until Ctrl-C.`,
    "Give this address as callbackUrl. msgd must be allowed to post here: `npm start` and `msgd serve --dev` may post to their own " +
      "machine; `msgd serve --allow-private-callbacks` (MSGD_ALLOW_PRIVATE_CALLBACKS=true) may also post to its network.",
    hasMessageEvents
      ? "The demo server posts the events of its messages here, too, until this command ends."
      : `For events of messages: msgd callbacks set --tenant <id> --url ${url} --allow-private-callbacks`,
    found === undefined
      ? "Warning: callbacks are not verified. Anyone who can reach this address can send false events."
      : `Verifying with ${found.secrets.length === 1 ? "the secret" : `${found.secrets.length} secrets`} of ${found.origin}.`,
    ...(isLocal ? [] : [`Warning: other machines can reach ${printable(host)}.`]),
    ...(forward === undefined ? [] : [`Forwarding to ${forward.href}`]),
  ];
}

/** Maximum number of skipped types to report, each once. Without a report, a typo in --events would go unnoticed. */
const MOST_SKIPPED_TYPES = 20;

/** Returns a listener that reports refused callbacks, and types that are not among --events. */
export function createSessionPrinter(say: (text: string) => void, style: Style, quiet: boolean): SessionListener {
  const advised = new Set<string>();
  const skipped = new Set<string>();
  return {
    refused({ reason, message, advice }) {
      say(`${style.red("refused:")} a callback (answered 400): ${message} (${reason})`);
      if (advised.has(reason)) return;
      advised.add(reason);
      say(`${style.bold("hint:")} ${advice}`);
    },
    unwanted({ type }) {
      if (quiet || skipped.has(type) || skipped.size === MOST_SKIPPED_TYPES) return;
      skipped.add(type);
      say(`${printable(truncate(type, 100))} is not among --events: answered 200 and not shown.`);
    },
  };
}
