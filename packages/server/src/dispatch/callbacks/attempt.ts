// One attempt at one callback, and the record of what came of it.

import type { Clock } from "../../clock.ts";
import { type CallbackDecision, decideCallback } from "../../rules/callback-retries.ts";
import { signWebhook } from "../../rules/webhook-signature.ts";
import { type CallbackOutcome, giveUpUrl, recordCallbackAttempt, refreshHost } from "../../store/callbacks.ts";
import type { Transaction } from "../../store/store.ts";
import type { CallbackTask } from "./claim.ts";
import type { Poster, PostResult } from "./post.ts";

/** Posts the callback, signed as of now with each of `secrets`. Never rejects. */
export function postCallback(
  poster: Poster,
  { callback }: CallbackTask,
  { secrets, clock }: { secrets: readonly string[]; clock: Clock },
): Promise<PostResult> {
  const { webhookId, url, body } = callback;
  const headers = {
    "content-type": "application/json",
    "user-agent": "msgd",
    ...signWebhook({ webhookId, body, now: clock.now() }, secrets),
  };
  return poster.post({ url, headers, body });
}

/** Records the attempt, and when the next one is due. Nothing changes when another has taken the callback over. */
export async function recordCallback(
  tx: Transaction,
  { callback, attempt, token }: CallbackTask,
  result: PostResult,
  { now, random }: { now: number; random: () => number },
): Promise<void> {
  const { callbackId, tenantId, url, host } = callback;
  const decision = decide(result, attempt, { now, random });
  const outcome = { ...outcomes(decision, now), lastOutcome: result.outcome };
  const isRecorded = await recordCallbackAttempt(tx, { callbackId, token, now, ...outcome });
  if (isRecorded && decision.kind === "gone") {
    await giveUpUrl(tx, { tenantId, url, host, lastOutcome: result.outcome, now });
  }
  await refreshHost(tx, host);
}

function decide(result: PostResult, attempt: number, context: { now: number; random: () => number }): CallbackDecision {
  // this server ended the attempt: whoever serves next makes another
  if (result.outcome === "interrupted") return { kind: "retry", waitMs: 0 };
  return decideCallback(result, attempt, context);
}

function outcomes(decision: CallbackDecision, now: number): Omit<CallbackOutcome, "lastOutcome"> {
  switch (decision.kind) {
    case "delivered":
      return { status: "DELIVERED", nextAttemptAt: null };
    case "retry":
      return { status: "PENDING", nextAttemptAt: now + decision.waitMs };
    case "gone":
    case "failed":
      return { status: "FAILED", nextAttemptAt: null };
  }
}
