// Checks a server from outside: provokes every status and code that the contract documents for an operation, if possible,
// checks every reply that it gets against the contract, and tests promises that span several requests.

import { type OperationId, operations, type ProblemCode } from "@msgctl/contract";
import { promises } from "./promises/index.ts";
import { BrokenPromise, type OperationPromise, type PromiseKind } from "./promises/promise.ts";
import { bySetting, insideOnly, scenarios } from "./scenarios/scenarios.ts";
import { createTarget } from "./target/create-target.ts";
import { fieldsOf, wordsOf } from "./target/reply.ts";
import { NotReachable, RunEnded, type Send } from "./target/send.ts";
import type { Surroundings, Target } from "./target/target.ts";
import { type Violation, Watch } from "./target/watch.ts";

/** The result for one documented reply. */
export interface Outcome {
  readonly operationId: OperationId;
  readonly status: number;
  /** Null for the success reply. */
  readonly code: ProblemCode | null;
  readonly result: "reached" | "not reachable" | "not asked" | "violation";
  /** Why it was not reached; null if it was. */
  readonly reason: string | null;
}

/** The result for one promise. */
export interface PromiseOutcome {
  readonly operationId: OperationId;
  readonly kind: PromiseKind;
  readonly words: string;
  readonly result: "kept" | "not reachable" | "not asked" | "violation";
  /** Why it is unknown whether the promise is kept; null if it is known. */
  readonly reason: string | null;
}

export interface Conformance {
  readonly outcomes: readonly Outcome[];
  readonly promises: readonly PromiseOutcome[];
  readonly violations: readonly Violation[];
  readonly requests: number;
  /** Why the run ended early; null if it was complete. */
  readonly ended: string | null;
}

const LEFT_CONTRACT = "a reply violated the contract, see below";
const ENDED = "the run ended first";

/**
 * Runs the checks of the operations. If `send` throws a `RunEnded`, the run ends with the findings so far. A `NoReply` counts
 * as a violation, like a wrong reply.
 */
export async function checkConformance(
  send: Send,
  surroundings: Surroundings,
  operationIds: readonly OperationId[],
): Promise<Conformance> {
  const watch = new Watch(send, operationIds[0] ?? "listMerchants");
  const documented = operationIds.flatMap(repliesOf);
  const promised = operationIds.flatMap((operationId) => promises.filter((each) => each.operationId === operationId));
  const outcomes: Outcome[] = [];
  const kept: PromiseOutcome[] = [];
  let ended: string | null = null;
  try {
    const target = await createTarget(watch.send, surroundings);
    for (const reply of documented) outcomes.push(await checkReply(watch, target, reply));
    for (const promise of promised) kept.push(await checkPromise(watch, target, promise));
  } catch (error) {
    if (!(error instanceof RunEnded)) throw error;
    ended = error.message;
    for (const reply of documented.slice(outcomes.length)) {
      outcomes.push({ ...reply, result: "not asked", reason: ENDED });
    }
    for (const { kind, operationId, words } of promised.slice(kept.length)) {
      kept.push({ kind, operationId, words, result: "not asked", reason: ENDED });
    }
  }
  return { outcomes, promises: kept, violations: watch.violations, requests: watch.requests, ended };
}

type DocumentedReply = Pick<Outcome, "operationId" | "status" | "code">;

function repliesOf(operationId: OperationId): DocumentedReply[] {
  const { successStatus, errors } = operations[operationId];
  return [
    { operationId, status: successStatus, code: null },
    ...Object.entries(errors).flatMap(([status, codes]) =>
      (codes as readonly ProblemCode[]).map((code) => ({ operationId, status: Number(status), code })),
    ),
  ];
}

async function checkReply(watch: Watch, target: Target, documented: DocumentedReply): Promise<Outcome> {
  const { operationId, status, code } = documented;
  const outcome = (result: Outcome["result"], reason: string | null = null): Outcome => {
    return { ...documented, result, reason };
  };
  const scenario = code === null ? undefined : scenarios[code];
  if (code !== null && scenario === undefined) {
    if (watch.hasSeen(operationId, status, code)) return outcome("reached");
    return outcome("not reachable", insideOnly[code] ?? "no check provokes it");
  }
  watch.begin(operationId);
  try {
    const reply = await (scenario?.(target, operationId) ?? target.send(target.request(operationId)));
    const received = reply.statusCode < 300 ? null : String(fieldsOf(reply).code);
    if (watch.hasFault) return outcome("violation", LEFT_CONTRACT);
    if (reply.statusCode === status && received === code) return outcome("reached");
    const words = wordsOf(reply);
    const reason = reasonToDiffer(target, operationId, code, received);
    if (reason !== undefined) return outcome("not reachable", `${reason} (answered ${words})`);
    const expected = code === null ? `${status}` : `${status} ${code}`;
    watch.noteWrong(reply, `expected ${expected}, answered ${words}`, `${expected} for this request`);
    return outcome("violation", `answered ${words}`);
  } catch (error) {
    return outcome(...explainFailure(watch, error));
  }
}

async function checkPromise(watch: Watch, target: Target, promise: OperationPromise): Promise<PromiseOutcome> {
  const { kind, operationId, words } = promise;
  const outcome = (result: PromiseOutcome["result"], reason: string | null = null): PromiseOutcome => {
    return { kind, operationId, words, result, reason };
  };
  watch.begin(operationId);
  try {
    await promise.check(target);
    return watch.hasFault ? outcome("violation", LEFT_CONTRACT) : outcome("kept");
  } catch (error) {
    if (!(error instanceof BrokenPromise)) return outcome(...explainFailure(watch, error));
    if (watch.hasFault) return outcome("violation", LEFT_CONTRACT);
    const reason = reasonToDiffer(target, operationId, null, String(fieldsOf(error.reply).code));
    if (reason !== undefined) return outcome("not reachable", reason);
    watch.noteWrong(error.reply, `${words}: ${error.message}`, error.allowed);
    return outcome("violation", error.message);
  }
}

/** The result of a check that did not finish. @throws Any error but `NotReachable`. */
function explainFailure(watch: Watch, error: unknown): ["violation" | "not asked" | "not reachable", string] {
  if (!(error instanceof NotReachable)) throw error;
  if (watch.hasFault) return ["violation", LEFT_CONTRACT];
  return [watch.isSilent ? "not asked" : "not reachable", error.message];
}

/** Why a conforming server may give another answer; undefined if it may not. */
function reasonToDiffer(
  { hasSipUser }: Target,
  operationId: OperationId,
  code: ProblemCode | null,
  received: string | null,
): string | undefined {
  if (received === "rate_limited") return "the server's rate limit came first";
  if (operationId.startsWith("sendDirect") && received === "quota_exceeded") {
    return "the merchant `default` has used up its limits, which a check must not change";
  }
  if (received === "sip_user_not_found" && !hasSipUser) return "the tenant has no SIP user";
  return code !== null && received === null ? bySetting[code] : undefined;
}
