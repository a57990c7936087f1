// Failures planned by a test: of operations, and of the simulated provider.

import type { OperationId } from "@msgctl/contract";
import type { ProviderFaultKind } from "../carriers/simulated/behaviours.ts";
import type { OperationFault, OperationFaults } from "../http/operation-faults.ts";

type ProviderFault = { readonly provider: ProviderFaultKind };

export type PlannedFault = OperationFault | ProviderFault;

/** Holds the faults that have not occurred yet, in the order in which they were planned. */
export class PlannedFaults implements OperationFaults {
  #planned: { readonly fault: PlannedFault; left: number }[] = [];

  add(fault: PlannedFault, times: number): void {
    this.#planned.push({ fault, left: times });
  }

  /** Returns each fault with the number of calls that it will still affect. */
  list(): (PlannedFault & { readonly left: number })[] {
    return this.#planned.map(({ fault, left }) => ({ ...fault, left }));
  }

  clear(): void {
    this.#planned = [];
  }

  takeForOperation(operationId: OperationId): OperationFault | undefined {
    return this.#take((fault): fault is OperationFault => "operation" in fault && fault.operation === operationId);
  }

  /** Returns the fault for the next submission, if any. */
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
