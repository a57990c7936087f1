// Which engine speaks in the calls of a tenant: the one whose speech its carrier can play.

import type { Transaction } from "../../store/store.ts";
import type { Carriers } from "../carriers/carriers.ts";
import type { SpeechEngine } from "./engine.ts";

export interface SpeechEngines {
  /** Whose speech the tenant's calls are to play now. */
  of(tx: Transaction, tenantId: number): Promise<SpeechEngine>;
  /** The one that a speech was requested of; undefined if it is there no more. */
  named(name: string): SpeechEngine | undefined;
}

/** The engines of carriers; `simulated` speaks where a carrier has none. */
export function enginesOf(
  carriers: Pick<Carriers, "of">,
  simulated: SpeechEngine,
  others: readonly SpeechEngine[] = [],
): SpeechEngines {
  return {
    of: async (tx, tenantId) => (await carriers.of(tx, tenantId, "VOICE"))?.speech ?? simulated,
    named: (name) => [simulated, ...others].find((engine) => engine.name === name),
  };
}
