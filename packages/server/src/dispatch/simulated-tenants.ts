// Whose sends, payments, reviews and speech are simulated: those of test tenants, and of all where the server is for
// development. Nothing of a live tenant is simulated by accident.

import type { Transaction } from "../store/store.ts";
import { findTenant } from "../store/tenants.ts";

export class SimulatedTenants {
  readonly #includesLive: boolean;
  /** A tenant's mode never changes. */
  readonly #areTests = new Map<number, boolean>();

  constructor({ includesLive }: { includesLive: boolean }) {
    this.#includesLive = includesLive;
  }

  includes(tx: Transaction, tenantId: number): boolean | Promise<boolean> {
    return this.#includesLive || this.isTest(tx, tenantId);
  }

  isTest(tx: Transaction, tenantId: number): boolean | Promise<boolean> {
    return this.#areTests.get(tenantId) ?? this.#findOut(tx, tenantId);
  }

  async #findOut(tx: Transaction, tenantId: number): Promise<boolean> {
    const isTest = (await findTenant(tx, tenantId))?.mode === "test";
    this.#areTests.set(tenantId, isTest);
    return isTest;
  }
}

export const everyTenant = new SimulatedTenants({ includesLive: true });
