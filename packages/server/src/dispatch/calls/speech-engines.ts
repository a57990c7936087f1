// Which engine speaks in the calls of a tenant: the one whose speech its carrier can play. Without one its calls wait.

import type { Transaction } from "../../store/store.ts";
import type { Carriers } from "../carriers/carriers.ts";
import type { SpeechEngine } from "./engine.ts";

export interface SpeechEngines {
  /** Returns the engine whose speech the tenant's calls are to play now; undefined if nobody carries them, or their carrier plays none. */
  of(tx: Transaction, tenantId: number): Promise<SpeechEngine | undefined>;
  /** The one that a speech was requested of; undefined if it is there no more. */
  named(name: string): SpeechEngine | undefined;
}

/** The engines of carriers. */
export function enginesOf(carriers: Pick<Carriers, "of">, engines: readonly SpeechEngine[]): SpeechEngines {
  return {
    of: async (tx, tenantId) => (await carriers.of(tx, tenantId, "VOICE"))?.speech,
    named: (name) => engines.find((engine) => engine.name === name),
  };
}
