// What becomes of a message that is sent in parts. One at a time, in order, each once the one before it was taken; a response
// with an error proves that its part was not.
//
// | before it   | its response          | the message                                                        |
// |-------------|-----------------------|--------------------------------------------------------------------|
// | any         | ESME_ROK              | goes on, and is taken with its last part                           |
// | none taken  | any error             | is deferred, refused or failed, as the status says: nothing left   |
// | some taken  | not now               | waits, and sends that part again, as long as the answer may take   |
// | some taken  | any other error       | is in doubt: nobody can take back what left, nor call it all taken |
// | any         | none, or no session   | is in doubt                                                        |

import type { Clock } from "../../../platform/clock.ts";
import type { SubmitOutcome } from "../provider.ts";
import type { Session } from "./session.ts";
import { judgeStatus, nameStatus, type Verdict } from "./statuses.ts";

/** The ids are as the carrier wrote them. */
export type PartsOutcome =
  | { readonly outcome: "taken"; readonly ids: readonly string[] }
  | Exclude<SubmitOutcome, { outcome: "taken" }>;

/**
 * Sends the parts of one message; the first is written before it returns. Rejects where nobody knows what became of the
 * message.
 */
export async function submitParts(
  session: Session,
  parts: readonly object[],
  { clock, answerTimeoutMs }: { clock: Clock; answerTimeoutMs: number },
): Promise<PartsOutcome> {
  const answerBy = clock.now() + answerTimeoutMs;
  const ids: string[] = [];
  const toDoubt = (why: string) =>
    new Error(`part ${ids.length + 1} of ${parts.length}, after others were taken: ${why}`);

  /** Waits for at least `pauseMs`, and until the session's rate lets another go. */
  async function waitForTurn(pauseMs: number): Promise<void> {
    let waitMs = Math.max(pauseMs, session.rate.waitMs(clock.now()));
    for (; waitMs > 0; waitMs = session.rate.waitMs(clock.now())) {
      const dueAt = clock.now() + waitMs;
      if (dueAt >= answerBy) throw toDoubt("no time is left");
      await new Promise<void>((resume) => clock.at(dueAt, resume));
    }
    if (!session.isReady) throw toDoubt("the session ended");
    session.rate.noteSent(clock.now());
  }

  for (let part = parts[0]; part !== undefined; part = parts[ids.length]) {
    const sentAt = clock.now();
    const { command_status, message_id = "" } = await session.request("submit_sm", part, answerBy - sentAt);
    const verdict = judgeStatus(command_status);
    if (verdict.kind === "taken") {
      session.rate.noteTaken();
      ids.push(message_id);
      if (ids.length < parts.length) await waitForTurn(0);
      continue;
    }
    if (verdict.kind === "later" && verdict.isTooFast) session.rate.noteThrottled({ sentAt, now: clock.now() });
    const detail = nameStatus(command_status);
    if (ids.length === 0) return toOutcome(verdict, detail);
    if (verdict.kind !== "later") throw toDoubt(detail);
    await waitForTurn(verdict.retryAfterMs);
  }
  return { outcome: "taken", ids };
}

function toOutcome(verdict: Exclude<Verdict, { kind: "taken" }>, detail: string): PartsOutcome {
  switch (verdict.kind) {
    case "later":
      return { outcome: "deferred", retryAfterMs: verdict.retryAfterMs, detail };
    case "refused":
      return { outcome: "refused", reason: verdict.reason, isOptOut: false, detail };
    case "failed":
      return { outcome: "failed", detail };
  }
}
