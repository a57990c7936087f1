// The checks as one run from outside: every status and code that the contract documents for an operation is brought
// about where it can be, and every reply on the way is held against the contract.

import { setTimeout as sleep } from "node:timers/promises";
import { type OperationId, operations, type ProblemCode } from "@msgctl/contract";
import { createReplyCheck } from "../../packages/server/src/contract-check.ts";
import { bySetting, insideOnly, scenarios } from "./scenarios.ts";
import {
  createTarget,
  fieldsOf,
  NoReply,
  NotReachable,
  type Request,
  RunEnded,
  type Send,
  type Surroundings,
  type Target,
  wordsOf,
} from "./target.ts";

/** What became of one documented reply. */
export interface Outcome {
  readonly operationId: OperationId;
  readonly status: number;
  /** Null for the success. */
  readonly code: ProblemCode | null;
  readonly result: "reached" | "not reachable" | "not asked" | "violation";
  /** Why it was not reached; null where it was. */
  readonly reason: string | null;
}

/** A reply that the contract does not have, however often it came. */
export interface Violation {
  readonly operationId: OperationId;
  /** Method and path with query, as it came first. */
  readonly request: string;
  /** The fault in words. */
  readonly fault: string;
  /** Status and start of the body, as it came first, or why nothing came. */
  readonly received: string;
  readonly allowed: string;
  readonly times: number;
}

export interface Conformance {
  readonly outcomes: readonly Outcome[];
  readonly violations: readonly Violation[];
  readonly requests: number;
  /** Why the run ended before its time; null when all was asked. */
  readonly ended: string | null;
}

const RECEIVED_CHARACTERS = 300;
/** An operation that stays silent this often is asked no more: each time may take as long as a request may. */
const MOST_SILENCES = 2;
const RATE_LIMIT_TRIES = 5;
const LONGEST_WAIT_MS = 5_000;
const SHORT_WAIT_MS = 1_000;

/**
 * Runs the checks of the operations. A `RunEnded` of `send` ends the run with what was found until then; a `NoReply` is a
 * violation like a wrong reply.
 */
export async function checkConformance(
  send: Send,
  surroundings: Surroundings,
  operationIds: readonly OperationId[],
): Promise<Conformance> {
  const judge = createReplyCheck();
  const violations = new Map<string, Violation>();
  /** Replies of any operation that came by, as `sendSms 429 rate_limited`. */
  const seen = new Set<string>();
  let requests = 0;

  function note(operationId: OperationId, request: Request, reply: Received, fault: string, allowed: string): void {
    const key = `${operationId} ${fault}`;
    const known = violations.get(key);
    const received = `${reply.statusCode || ""} ${reply.body.slice(0, RECEIVED_CHARACTERS)}`.trim();
    const first = { operationId, request: `${request.method} ${request.url}`, fault, received, allowed, times: 0 };
    violations.set(key, { ...(known ?? first), times: (known?.times ?? 0) + 1 });
  }

  /** The operation that is being checked, to which a reply on no operation's path is put down. */
  let current: OperationId = operationIds[0] ?? "listMerchants";
  const last: { request?: Request } = {};
  /** How many replies of this scenario had a fault. */
  let faultyReplies = 0;
  /** How many requests of this operation, or of the preparation, got no reply. */
  let silences = 0;

  const checked: Send = async (request, options) => {
    for (let tries = 1; ; tries += 1) {
      const reply = await sendOnce(request, options);
      if (reply.statusCode !== 429 || tries === RATE_LIMIT_TRIES) return reply;
      const seconds = Number(reply.headers["retry-after"]);
      await sleep(Number.isFinite(seconds) ? Math.min(seconds * 1_000, LONGEST_WAIT_MS) : SHORT_WAIT_MS);
    }
  };

  const sendOnce: Send = async (request, options) => {
    if (silences >= MOST_SILENCES) throw new NotReachable("not asked: requests before it got no reply");
    requests += 1;
    last.request = request;
    const reply = await send(request, options).catch((error: unknown) => {
      if (!(error instanceof NoReply)) throw error;
      silences += 1;
      faultyReplies += 1;
      const nothing = { statusCode: 0, headers: {}, body: error.message };
      const { operationId = current } = judge(request, nothing);
      note(operationId, request, nothing, "no reply", allowedOf(operationId));
      throw new NotReachable(error.message);
    });
    const { operationId = current, status, code, faults } = judge(request, reply);
    for (const fault of faults) note(operationId, request, reply, fault, allowedOf(operationId));
    if (faults.length > 0) faultyReplies += 1;
    else seen.add(`${operationId} ${status} ${code}`);
    return reply;
  };

  async function check(
    target: Target,
    { operationId, status, code }: Pick<Outcome, "operationId" | "status" | "code">,
  ): Promise<Outcome> {
    const outcome = (result: Outcome["result"], reason: string | null = null): Outcome => {
      return { operationId, status, code, result, reason };
    };
    const scenario = code === null ? undefined : scenarios[code];
    if (code !== null && scenario === undefined) {
      if (seen.has(`${operationId} ${status} ${code}`)) return outcome("reached");
      return outcome("not reachable", insideOnly[code] ?? "nothing here brings it about");
    }
    if (current !== operationId) silences = 0;
    current = operationId;
    faultyReplies = 0;
    delete last.request;
    try {
      const reply = await (scenario?.(target, operationId) ?? target.send(target.request(operationId)));
      const received = reply.statusCode < 300 ? null : String(fieldsOf(reply).code);
      if (faultyReplies > 0) return outcome("violation", "a reply left the contract, see below");
      if (reply.statusCode === status && received === code) return outcome("reached");
      const words = wordsOf(reply);
      const reason = reasonToDiffer(target, operationId, code, received);
      if (reason !== undefined) return outcome("not reachable", `${reason} (answered ${words})`);
      const expected = code === null ? `${status}` : `${status} ${code}`;
      const request = last.request ?? target.request(operationId);
      note(operationId, request, reply, `expected ${expected}, answered ${words}`, `${expected} for this request`);
      return outcome("violation", `answered ${words}`);
    } catch (error) {
      if (!(error instanceof NotReachable)) throw error;
      return faultyReplies > 0
        ? outcome("violation", "a reply left the contract, see below")
        : outcome(silences >= MOST_SILENCES ? "not asked" : "not reachable", error.message);
    }
  }

  const documented = operationIds.flatMap((operationId) => [
    { operationId, status: operations[operationId].successStatus as number, code: null },
    ...Object.entries(operations[operationId].errors).flatMap(([status, codes]) =>
      (codes as readonly ProblemCode[]).map((code) => ({ operationId, status: Number(status), code })),
    ),
  ]);
  const outcomes: Outcome[] = [];
  let ended: string | null = null;
  try {
    const target = await createTarget(checked, surroundings);
    silences = 0;
    for (const reply of documented) outcomes.push(await check(target, reply));
  } catch (error) {
    if (!(error instanceof RunEnded)) throw error;
    ended = error.message;
    const reason = "the run ended before";
    for (const reply of documented.slice(outcomes.length)) outcomes.push({ ...reply, result: "not asked", reason });
  }
  return { outcomes, violations: [...violations.values()], requests, ended };
}

interface Received {
  readonly statusCode: number;
  readonly body: string;
}

/** Why a conforming server may answer otherwise; undefined when it may not. */
function reasonToDiffer(
  { hasSipUser }: Target,
  operationId: OperationId,
  code: ProblemCode | null,
  received: string | null,
): string | undefined {
  if (received === "rate_limited") return "the server's rate limit came first";
  if (operationId.startsWith("sendDirect") && received === "quota_exceeded") {
    return "the merchant `default` has nothing left to send, and its limits are not for a check to change";
  }
  if (received === "sip_user_not_found" && !hasSipUser) return "the tenant has no SIP user";
  return code !== null && received === null ? bySetting[code] : undefined;
}

function allowedOf(operationId: OperationId): string {
  const { successStatus, responseSchema, responseIsArray, responseMediaType, errors } = operations[operationId];
  const view = responseSchema === null ? "" : ` ${responseSchema}${responseIsArray ? "[]" : ""}`;
  const media = responseMediaType === null ? " without content" : ` as ${responseMediaType}`;
  const problems = Object.entries(errors).map(([status, codes]) => `${status} ${codes.join("|")}`);
  return [`${successStatus}${view}${media}`, ...problems].join(", ");
}
