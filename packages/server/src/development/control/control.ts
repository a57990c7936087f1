// What the development control API works on: the parts of a service, as ports.

import type { Store, Transaction } from "../../store/store.ts";
import type { MovableClock } from "../movable-clock.ts";
import type { PlannedFaults } from "../planned-faults.ts";

/** The tenant that a development server is for. */
export interface DevelopmentTenant {
  readonly tenantId: number;
  /** A key of the whole tenant, and the merchant that its data is about. */
  readonly credential: { readonly apiKey: string; readonly apiSecret: string; readonly merchantId: string };
  /** Recreates the tenant in an emptied database, with the same id, credential and initial data. */
  recreate(tx: Transaction, now: number): Promise<void>;
  /** Adds the tenant's initial data again. */
  seed(tx: Transaction, now: number): Promise<void>;
}

export interface Control {
  readonly store: Store;
  readonly clock: MovableClock;
  readonly faults: PlannedFaults;
  /** Known once the service has started. */
  readonly tenant: () => DevelopmentTenant;
  /** Returns how often the provider sent the message, by its own ledger. */
  readonly countSends: (messageId: string) => Promise<number>;
  /** Makes every part drop the state it keeps outside the database, and begin as with a new one. */
  readonly beginAnew: () => Promise<void>;
}
