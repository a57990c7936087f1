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
//
// A response that comes too late for its part ends the doubt where no other part is open: that to the last part if it is
// ESME_ROK, that to the first if it is an error.

import type { PDU } from "smpp";
import type { Clock } from "../../../platform/clock.ts";
import type { SubmitOutcome } from "../provider.ts";
import type { Session } from "./session.ts";
import { judgeStatus, nameStatus, type Verdict } from "./statuses.ts";

/** The ids are as the carrier wrote them. */
export type PartsOutcome =
  | { readonly outcome: "taken"; readonly ids: readonly string[] }
  | Exclude<SubmitOutcome, { outcome: "taken" }>;

export interface SubmitPartsOptions {
  readonly clock: Clock;
  readonly answerTimeoutMs: number;
  /** Takes what became of the message where that is known only after the rejection. */
  readonly takeLate: (outcome: PartsOutcome) => void;
}

/**
 * Sends the parts of one message; the first is written before it returns. Rejects where nobody knows what became of the
 * message.
 */
export async function submitParts(
  session: Session,
  parts: readonly object[],
  { clock, answerTimeoutMs, takeLate }: SubmitPartsOptions,
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

  function settleLate({ command_status, message_id = "" }: PDU): void {
    const verdict = judgeStatus(command_status);
    if (verdict.kind !== "taken") {
      if (ids.length === 0) takeLate(toOutcome(verdict, nameStatus(command_status)));
    } else if (ids.length + 1 === parts.length) {
      takeLate({ outcome: "taken", ids: [...ids, message_id] });
    }
  }

  for (let part = parts[0]; part !== undefined; part = parts[ids.length]) {
    const sentAt = clock.now();
    const response = await session.request("submit_sm", part, answerBy - sentAt, settleLate);
    const { command_status, message_id = "" } = response;
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
