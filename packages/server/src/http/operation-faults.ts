import type { OperationId, ProblemCode } from "@msgctl/contract";
import type { FastifyReply, preHandlerAsyncHookHandler } from "fastify";
import { type ProblemExtras, Refusal } from "../domain/refusal.ts";
import { sleep } from "../platform/timers.ts";
import { clientGone } from "./replies/replies.ts";

/** A planned fault of an operation's next calls: a delay, a problem reply that changes nothing, or both. */
export interface OperationFault {
  readonly operation: OperationId;
  readonly code: ProblemCode | null;
  /** The delay in real milliseconds, independent of the server's clock. */
  readonly latencyMs: number;
}

/** The port through which routes ask for planned faults. */
export interface OperationFaults {
  /** Returns the planned fault for this call of the operation, if there is one. */
  takeForOperation(operationId: string): OperationFault | undefined;
}

/** The additional members of a code's problem, as the contract requires them. */
const extrasOf: Partial<Record<ProblemCode, ProblemExtras>> = {
  quota_exceeded: { channel: "SMS", available: 0, required: 1, suggestedLimit: 100 },
  validation_error: { errors: [] },
};

/** The detail of a planned problem. */
export const plannedFailureDetail = "This failure was requested through /control/faults. Nothing was changed.";

/** A planned refusal. It is not logged as an error of the server. */
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

/** Waits. If the client disconnects, throws, which ends the request. */
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
