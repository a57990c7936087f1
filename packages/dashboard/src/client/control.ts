// Client of a development server's control API, which moves the clock, plans failures and resets the tables.

import type { OperationId, ProblemCode } from "@msgctl/contract";
import { renewMerchants } from "./merchants.ts";
import { Problem } from "./problem.ts";

export interface ClockView {
  /** ISO 8601. */
  readonly now: string;
  /** How far the server's clock is ahead of the machine's. */
  readonly offsetMs: number;
}

export interface OperationFault {
  readonly operation: OperationId;
  readonly code: ProblemCode | null;
  readonly latencyMs: number;
}

export type PlannedFault = (OperationFault | { readonly provider: string }) & {
  /** Number of further calls that the fault applies to. */
  readonly left: number;
};

/** Rejects with a `Problem` if the server refuses the request. */
async function control<View>(method: "GET" | "POST" | "DELETE", path: string, body?: object): Promise<View> {
  const reply = await fetch(`/control/${path}`, {
    method,
    ...(body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
  });
  if (!reply.ok) throw new Problem(reply.status, await reply.json().catch(() => undefined));
  return (reply.status === 204 ? undefined : await reply.json()) as View;
}

export const readClock = () => control<ClockView>("GET", "clock");
/** Advances the clock by a duration such as `1h30m`. Resolves when everything due by then has been done. */
export const advanceClock = (advance: string) => control<ClockView>("POST", "clock", { advance });
export const listFaults = () => control<readonly PlannedFault[]>("GET", "faults");
export const planFault = (fault: object) => control<readonly PlannedFault[]>("POST", "faults", fault);
export const callOffFaults = () => control<void>("DELETE", "faults");
/** Gives the demo tenant its initial merchants and consents. */
export const seed = () => control<void>("POST", "seed").then(renewMerchants);
/** Empties all tables and creates the demo tenant again. */
export const reset = () => control<void>("POST", "reset").then(renewMerchants);
