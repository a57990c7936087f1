import { expect, it } from "vitest";
import { insertPayment } from "../domain/billing/rows.ts";
import { insertBrand } from "../domain/registration/rows.ts";
import { createTenant } from "../domain/tenancy/tenants.ts";
import { openDashboardService } from "../testing/dashboard-service.ts";
import { newBrand } from "../testing/registration.ts";

const none = { count: 0, isMore: false };
const one = { count: 1, isMore: false };

it.each([
  ["live", { payments: one, registrations: one, paymentsSince: "2026-01-15T12:00:00.000Z" }],
  ["test", { payments: none, registrations: none, paymentsSince: null, registrationsSince: null }],
] as const)(
  "the health page of a %s tenant shows only its own payments and registrations that wait for the operator",
  async (mode, waiting) => {
    const dashboard = await openDashboardService();
    const { store, clock } = dashboard.service;
    const now = clock.now();
    const [tenantId] = await store.write(async (tx) => {
      const tenants: number[] = [];
      for (const name of ["Mine", "Other"]) {
        const tenant = await createTenant(tx, { name, timezone: "UTC", mode: name === "Mine" ? mode : "live", now });
        const owner = { tenantId: tenant.tenantId, merchantId: "default" };
        const price = { channel: "SMS", units: 1, amountCents: 1, currency: "USD", paymentMethod: null } as const;
        await insertPayment(tx, { ...owner, ...price, note: null, referenceId: null, paymentId: `pay_${name}`, now });
        await insertBrand(tx, newBrand({ ...owner, now }), now);
        tenants.push(tenant.tenantId);
      }
      return tenants;
    });
    const as = await dashboard.signIn("ann@example.com", { tenantId: Number(tenantId) });
    const { body } = await dashboard.ask("GET", "/health", { as });
    expect(body).toMatchObject(waiting);
    await dashboard.close();
  },
);
