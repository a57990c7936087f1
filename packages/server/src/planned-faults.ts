// Failures that somebody asked for, to see what comes of them: of operations, and of the simulated provider.

import type { OperationId, ProblemCode } from "@msgctl/contract";

/** An operation's next calls answer late, or with a problem in place of doing anything, or both. */
export interface OperationFault {
  readonly operation: OperationId;
  readonly code: ProblemCode | null;
  /** Real time, whatever the server's clock reads. */
  readonly latencyMs: number;
}

/**
 * What the provider does with its next submissions. `timeout`: neither takes nor answers. `lost_answer`: takes, and
 * does not answer. `server_error`: a 5xx. `rate_limit`: a 429. The last three take: `lost_receipts` tells nothing
 * afterwards, `late_receipts` a minute later, `duplicate_receipts` everything twice.
 */
export type ProviderFaultKind =
  | "timeout"
  | "lost_answer"
  | "server_error"
  | "rate_limit"
  | "lost_receipts"
  | "late_receipts"
  | "duplicate_receipts";

export interface ProviderFault {
  readonly provider: ProviderFaultKind;
}

export type PlannedFault = OperationFault | ProviderFault;

/** Keeps the faults that are still to come, in the order in which they were planned. */
export class PlannedFaults {
  #planned: { readonly fault: PlannedFault; left: number }[] = [];

  add(fault: PlannedFault, times: number): void {
    this.#planned.push({ fault, left: times });
  }

  /** Each with how many calls it still has to hit. */
  list(): (PlannedFault & { readonly left: number })[] {
    return this.#planned.map(({ fault, left }) => ({ ...fault, left }));
  }

  clear(): void {
    this.#planned = [];
  }

  /** The fault of this call of the operation, if it has one. */
  takeForOperation(operationId: OperationId): OperationFault | undefined {
    return this.#take((fault): fault is OperationFault => "operation" in fault && fault.operation === operationId);
  }

  /** The fault of this submission, if it has one. */
  takeForProvider(): ProviderFaultKind | undefined {
    return this.#take((fault): fault is ProviderFault => "provider" in fault)?.provider;
  }

  #take<Fault extends PlannedFault>(isMeant: (fault: PlannedFault) => fault is Fault): Fault | undefined {
    for (const planned of this.#planned) {
      if (!isMeant(planned.fault)) continue;
      planned.left -= 1;
      if (planned.left === 0) this.#planned = this.#planned.filter((other) => other !== planned);
      return planned.fault;
    }
    return undefined;
  }
}
