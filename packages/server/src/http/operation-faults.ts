import type { OperationId, ProblemCode } from "@msgctl/contract";
import type { FastifyReply, preHandlerAsyncHookHandler } from "fastify";
import { type ProblemExtras, Refusal } from "../domain/refusal.ts";
import { sleep } from "../platform/timers.ts";
import { clientGone } from "./replies/replies.ts";

/** A fault of an operation's next calls: they reply late, or with a problem and do nothing, or both. */
export interface OperationFault {
  readonly operation: OperationId;
  readonly code: ProblemCode | null;
  /** Real time, whatever the server's clock reads. */
  readonly latencyMs: number;
}

/** The port to the planned faults. */
export interface OperationFaults {
  /** Returns the fault of this call of the operation, if any. */
  takeForOperation(operationId: string): OperationFault | undefined;
}

/** The members that the contract adds to a code's problem. */
const extrasOf: Partial<Record<ProblemCode, ProblemExtras>> = {
  quota_exceeded: { channel: "SMS", available: 0, required: 1, suggestedLimit: 100 },
  validation_error: { errors: [] },
};

/** The detail of a planned problem. */
export const plannedFailureDetail = "This failure was asked for through /control/faults. Nothing was changed.";

/** A planned refusal, which is not a fault of the server. */
export class PlannedFailure extends Refusal {}

/** Creates a hook that applies the fault planned for a call before anything else is done with the request. */
export function createFaultHook(operationId: string, faults: OperationFaults): preHandlerAsyncHookHandler {
  return async (_request, reply) => {
    const fault = faults.takeForOperation(operationId);
    if (fault === undefined) return;
    if (fault.latencyMs > 0) await waitFor(fault.latencyMs, reply);
    if (fault.code === null) return;
    if (fault.code === "rate_limited" && !reply.hasHeader("RateLimit")) {
      reply.header("RateLimit-Policy", '"default";q=1;w=1').header("RateLimit", '"default";r=0;t=1');
    }
    throw new PlannedFailure(fault.code, plannedFailureDetail, extrasOf[fault.code]);
  };
}

/** Waits. Throws if the client disconnects, which ends the request. */
async function waitFor(latencyMs: number, { raw }: FastifyReply): Promise<void> {
  const gone = new AbortController();
  const leave = () => gone.abort();
  raw.once("close", leave);
  try {
    await sleep(latencyMs, undefined, { signal: gone.signal });
  } catch {
    throw clientGone();
  } finally {
    raw.off("close", leave);
  }
}
