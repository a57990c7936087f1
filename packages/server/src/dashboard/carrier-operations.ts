// Shows a tenant's carriers and payment processor, and tests carriers.

import type { Views } from "@msgctl/dashboard/api";
import type { CarrierRates } from "../carriers/kind.ts";
import { traitsOf } from "../carriers/kinds.ts";
import { viewTime } from "../domain/calendar.ts";
import { type Allowance, type CarrierRow, findAllowances, useAllowances } from "../domain/carriers/rows.ts";
import type { Channel } from "../domain/contacts.ts";
import { queueCarrierTest } from "../domain/messages/carrier-tests.ts";
import { findRecipient } from "../domain/recipients/recipients.ts";
import { Refusal, refuseFaults } from "../domain/refusal.ts";
import { MOST_COUNTED } from "../domain/reports/backlog-rows.ts";
import {
  type CarrierWithBacklog,
  listCarriersOf,
  listCarriersWithBacklogs,
} from "../domain/reports/tenant-carriers.ts";
import { bindCarrier } from "../domain/tenancy/credentials.ts";
import { EVERY_TENANT, findTenant } from "../domain/tenancy/rows.ts";
import type { RouteServices } from "../http/routes.ts";
import { listUncarried, toCount } from "./backlog-views.ts";
import type { DashboardCaller, DashboardHandlers } from "./dashboard-api.ts";
import { readPaymentHandling } from "./payment-operations.ts";

/** A tenant may test its carriers once in ten seconds. */
const TESTS_PER_SECOND = 0.1;

interface CarrierServices extends Pick<RouteServices<string>, "store" | "clock" | "settings" | "notifyDispatcher"> {
  readonly isDevelopment: boolean;
}

export function carrierHandlers({
  store,
  clock,
  settings: { openSecret, newId },
  notifyDispatcher,
  isDevelopment,
}: CarrierServices): DashboardHandlers<"listCarriers" | "testCarrier"> {
  /** Finds the rates of a carrier. It has none if its settings cannot be opened: it is then down, and says why. */
  function findRates(carrier: CarrierRow): CarrierRates {
    try {
      return JSON.parse(openSecret(carrier.sealedSettings, bindCarrier(carrier)));
    } catch {
      return {};
    }
  }

  function viewCarrier({ carrier, backlog }: CarrierWithBacklog): Views["CarrierView"] {
    const { name, channel, kind, tenantId, isSecond, downSince, downWords } = carrier;
    const { perSecond = null, perSecondOfTenant = null } = findRates(carrier);
    return {
      ...{ name, channel, kind, isSecond: isSecond === 1, isCommon: tenantId === EVERY_TENANT },
      ...{ downSince: viewTime(downSince), downWords, perSecond, perSecondOfTenant },
      tellsOnlyFailures: traitsOf(carrier)?.tellsOnlyFailures ?? false,
      waiting: toCount(backlog.waiting),
      waitingSince: viewTime(backlog.since),
    };
  }

  return {
    listCarriers: {
      async read({ tx, caller }) {
        const tenantId = requireWholeTenant(caller);
        const carriers = await listCarriersWithBacklogs(tx, tenantId, MOST_COUNTED);
        const payments = await readPaymentHandling(tx, { tenantId, isDevelopment });
        return { carriers: carriers.map(viewCarrier), uncarried: await listUncarried(tx, tenantId), payments };
      },
    },
    testCarrier: {
      async answer(caller, { body: { carrier: name, to } }) {
        const tenantId = requireWholeTenant(caller);
        const now = clock.now();
        const messageId = newId("msg", now);
        await store.write(async (tx) => {
          const tenant = await findTenant(tx, tenantId);
          const carrier = (await listCarriersOf(tx, tenantId)).find((other) => other.name === name);
          if (tenant === undefined || carrier === undefined) {
            const detail = `The tenant has no carrier ${name}: it may have been replaced. A test tenant has none.`;
            throw new Refusal("route_not_found", detail);
          }
          const recipient = readTestRecipient(to, { channel: carrier.channel, timezone: tenant.timezone });
          const rate = { subject: `tests of ${tenantId}`, perSecond: TESTS_PER_SECOND };
          requireAllowance(await findAllowances(tx, [rate], now), now);
          await queueCarrierTest(tx, tenant, carrier, { messageId, recipient, now });
          await useAllowances(tx, [{ rate, count: 1 }], now);
        });
        notifyDispatcher();
        return { messageId };
      },
    },
  };
}

/** Returns the tenant. Throws `merchant_scope_denied` for a user of one merchant: carriers belong to the whole tenant. */
function requireWholeTenant({ tenantId, merchantId }: DashboardCaller): number {
  if (merchantId === null) return tenantId;
  throw new Refusal("merchant_scope_denied", "Carriers belong to the whole tenant, but you see only one merchant.");
}

/** Throws `rate_limited` if the tenant has tested a carrier within the last ten seconds, on whatever instance. */
function requireAllowance([allowance]: readonly Allowance[], now: number): void {
  if (allowance === undefined || allowance.count > 0) return;
  const waitSeconds = Math.ceil((allowance.nextAt - now) / 1_000);
  const detail = `You can test a carrier once in ${1 / TESTS_PER_SECOND} seconds. Wait ${waitSeconds} s.`;
  throw new Refusal("rate_limited", detail);
}

function readTestRecipient(to: string, { channel, timezone }: { channel: Channel; timezone: string }): string {
  const recipient = findRecipient(to, timezone);
  const isMail = channel === "EMAIL";
  if (recipient !== undefined && recipient.includes("@") === isMail) return recipient;
  const expected = isMail ? "an email address" : "a phone number such as +12025550100";
  const code = isMail ? "invalid_email" : "invalid_phone_number";
  throw refuseFaults([{ pointer: "/to", code, detail: `Expected ${expected}, received "${to}".` }]);
}
