// Operations on merchants, their quotas and usage alerts.

import { readRows } from "../../store/store.ts";
import { raiseUsageAlerts } from "../billing/settlement.ts";
import type { Channel } from "../contacts.ts";
import type { OperationContext } from "../context.ts";
import { type Handlers, type OperationResult, toListing } from "../handler.ts";
import {
  currentPeriod,
  findListedMerchant,
  merchantNotFound,
  requireListedMerchant,
  requireMerchant,
  tenantOnly,
} from "../tenancy/access.ts";
import { type AlertRow, alertsQuery } from "./alert-rows.ts";
import { listQuotas, type MerchantWithQuotasRow, merchantsQuery, upsertMerchant, upsertQuota } from "./rows.ts";

type MerchantView = OperationResult<"getMerchant">;

export const merchantHandlers: Handlers<"upsertMerchant" | "listMerchants" | "getMerchant"> = {
  upsertMerchant: {
    authorize: tenantOnly,
    async write(context, { body }) {
      const { tx, now } = context;
      const { tenantId } = context.caller;
      const { merchantId, displayName } = body;
      await upsertMerchant(tx, { tenantId, merchantId, displayName, active: body.active, now });
      const quotas: [Channel, number | undefined, number | undefined][] = [
        ["SMS", body.smsLimit, body.smsCredits],
        ["VOICE", body.voiceMinutesLimit, body.voiceMinutesCredits],
        ["EMAIL", body.emailLimit, body.emailCredits],
      ];
      for (const [channel, limit, credits] of quotas) {
        await upsertQuota(tx, { tenantId, merchantId, channel, limit, credits });
      }
      await raiseAlertsOfLimits(context, merchantId);
      return { result: await readMerchant(context, merchantId), reference: { merchantId } };
    },
    replay: (context, reference) => readMerchant(context, String(reference.merchantId)),
  },

  listMerchants: {
    authorize: () => {},
    async list(context) {
      const { tenantId, merchantId } = context.caller;
      const period = currentPeriod(context);
      return toListing(merchantsQuery(tenantId, period, merchantId ?? undefined), (row) => viewMerchant(row, period));
    },
  },

  getMerchant: {
    authorize: (caller, { path }) => requireMerchant(caller, path.merchantId),
    read: (context, { path }) => readMerchant(context, path.merchantId),
  },
};

/** Raises usage alerts after a change of limits: lowering a limit can cross its thresholds without a send. */
async function raiseAlertsOfLimits(context: OperationContext, merchantId: string): Promise<void> {
  const { tx, caller, now } = context;
  const { tenantId } = caller;
  const period = currentPeriod(context);
  for (const { channel, limit, used } of await listQuotas(tx, tenantId, merchantId, period)) {
    await raiseUsageAlerts(
      tx,
      { tenantId, merchantId, channel, period },
      { limit, usedBefore: 0, usedAfter: used, now },
    );
  }
}

async function readMerchant(context: OperationContext, merchantId: string): Promise<MerchantView> {
  const period = currentPeriod(context);
  const [merchant] = await readRows(context.tx, merchantsQuery(context.caller.tenantId, period, merchantId), 1);
  if (merchant === undefined) throw merchantNotFound(merchantId);
  return viewMerchant(merchant, period);
}

function viewMerchant(row: MerchantWithQuotasRow, periodStart: string): MerchantView {
  return {
    merchantId: row.merchantId,
    displayName: row.displayName,
    active: row.active === 1,
    limits: { smsLimit: row.smsLimit, voiceMinutesLimit: row.voiceLimit, emailLimit: row.emailLimit },
    credits: {
      smsCredits: row.smsCredits,
      voiceMinutesCredits: row.voiceCredits,
      emailCredits: row.emailCredits,
    },
    usage: { smsUsed: row.smsUsed, voiceUsed: row.voiceUsed, emailUsed: row.emailUsed, periodStart },
  };
}

export const alertHandlers: Handlers<"listAlerts"> = {
  listAlerts: {
    authorize: (caller, { query }) => requireListedMerchant(caller, query.merchantId),
    async list(context, { query }) {
      const merchantId = await findListedMerchant(context, query.merchantId);
      return toListing(alertsQuery(context.caller.tenantId, merchantId), viewAlert);
    },
  },
};

function viewAlert(alert: AlertRow): OperationResult<"listAlerts">[number] {
  return { ...alert, createdAt: new Date(alert.createdAt).toISOString() };
}
