// What the development control API works on: the parts of a service, as ports.

import type { Store, Transaction } from "../../store/store.ts";
import type { MovableClock } from "../movable-clock.ts";
import type { PlannedFaults } from "../planned-faults.ts";

/** The tenant that a development server is for. */
export interface DevelopmentTenant {
  readonly tenantId: number;
  /** A key of the whole tenant, and the merchant that its data is about. */
  readonly credential: { readonly apiKey: string; readonly apiSecret: string; readonly merchantId: string };
  /** Makes it again in a database that was emptied, under the same id and credential, with what it had first. */
  recreate(tx: Transaction, now: number): Promise<void>;
  /** Gives it once more what it had first. */
  seed(tx: Transaction, now: number): Promise<void>;
}

export interface Control {
  readonly store: Store;
  readonly clock: MovableClock;
  readonly faults: PlannedFaults;
  /** Known once the service has started. */
  readonly tenant: () => DevelopmentTenant;
  /** How often the provider's own ledger says that it sent the message. */
  readonly countSends: (messageId: string) => number;
  /** Has every part forget what it keeps outside of the database, and begin as at the start of one that is new. */
  readonly beginAnew: () => Promise<void>;
}
