// Whose sends, payments, reviews and speech are simulated: those of test tenants, and of all where the server is for
// development. Nothing of a live tenant is simulated by accident.

import type { Transaction } from "../store/store.ts";
import { findTenant } from "../store/tenants.ts";

export interface SimulatedTenants {
  includes(tx: Transaction, tenantId: number): boolean | Promise<boolean>;
}

export const everyTenant: SimulatedTenants = { includes: () => true };

export function onlyTestTenants(): SimulatedTenants {
  /** A tenant's mode never changes. */
  const known = new Map<number, boolean>();
  return {
    includes(tx, tenantId) {
      return known.get(tenantId) ?? find(tx, tenantId);
    },
  };

  async function find(tx: Transaction, tenantId: number): Promise<boolean> {
    const isTest = (await findTenant(tx, tenantId))?.mode === "test";
    known.set(tenantId, isTest);
    return isTest;
  }
}
