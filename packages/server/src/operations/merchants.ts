import { periodStart } from "../rules/calendar.ts";
import {
  type Channel,
  findMerchant,
  listMerchants,
  listQuotas,
  listTenantQuotas,
  lockMerchant,
  type MerchantRow,
  type QuotaRow,
  upsertMerchant,
  upsertQuota,
} from "../store/merchants.ts";
import { requireMerchant, tenantOnly } from "./access.ts";
import type { Handlers, OperationContext, OperationResult } from "./operation.ts";
import { Refusal } from "./refusal.ts";
import { raiseUsageAlerts } from "./usage-alerts.ts";

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
    async read(context) {
      const { tx, caller } = context;
      if (caller.merchantId !== null) return [await readMerchant(context, caller.merchantId)];
      const period = currentPeriod(context);
      const merchants = await listMerchants(tx, caller.tenantId);
      const quotas = groupByMerchant(await listTenantQuotas(tx, caller.tenantId, period));
      return merchants.map((merchant) => viewMerchant(merchant, quotas.get(merchant.merchantId) ?? [], period));
    },
  },

  getMerchant: {
    authorize: (caller, { path }) => requireMerchant(caller, path.merchantId),
    read: (context, { path }) => readMerchant(context, path.merchantId),
  },
};

/** A lowered limit reaches its thresholds without another send. */
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

/** The month that the tenant is in. */
export function currentPeriod({ caller, now }: OperationContext): string {
  return periodStart(now, caller.timezone);
}

/** The refusal for a merchant that the tenant does not have; another tenant's looks the same. */
export function merchantNotFound(merchantId: string): Refusal {
  return new Refusal("merchant_not_found", `There is no merchant ${merchantId}. Create it first, or list yours.`);
}

/** Holds the tenant's merchant until the transaction ends, so that what belongs to it changes one request at a time. */
export async function holdMerchant({ tx, caller }: OperationContext, merchantId: string): Promise<string> {
  if ((await lockMerchant(tx, caller.tenantId, merchantId)) === undefined) throw merchantNotFound(merchantId);
  return merchantId;
}

/** The merchant that a list is limited to: the one asked for, else the credential's own, else none. */
export async function findListedMerchant(
  { tx, caller }: OperationContext,
  asked: string | undefined,
): Promise<string | undefined> {
  const merchantId = asked ?? caller.merchantId ?? undefined;
  if (merchantId !== undefined && (await findMerchant(tx, caller.tenantId, merchantId)) === undefined) {
    throw merchantNotFound(merchantId);
  }
  return merchantId;
}

async function readMerchant(context: OperationContext, merchantId: string): Promise<MerchantView> {
  const { tx, caller } = context;
  const merchant = await findMerchant(tx, caller.tenantId, merchantId);
  if (merchant === undefined) throw merchantNotFound(merchantId);
  const period = currentPeriod(context);
  return viewMerchant(merchant, await listQuotas(tx, caller.tenantId, merchantId, period), period);
}

function groupByMerchant<Row extends { merchantId: string }>(rows: readonly Row[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.merchantId);
    if (group === undefined) groups.set(row.merchantId, [row]);
    else group.push(row);
  }
  return groups;
}

function viewMerchant(merchant: MerchantRow, quotas: readonly QuotaRow[], periodStart: string): MerchantView {
  const quota = (channel: Channel) => quotas.find((row) => row.channel === channel);
  const [sms, voice, email] = [quota("SMS"), quota("VOICE"), quota("EMAIL")];
  return {
    merchantId: merchant.merchantId,
    displayName: merchant.displayName,
    active: merchant.active === 1,
    limits: { smsLimit: sms?.limit ?? 0, voiceMinutesLimit: voice?.limit ?? 0, emailLimit: email?.limit ?? 0 },
    credits: {
      smsCredits: sms?.credits ?? 0,
      voiceMinutesCredits: voice?.credits ?? 0,
      emailCredits: email?.credits ?? 0,
    },
    usage: { smsUsed: sms?.used ?? 0, voiceUsed: voice?.used ?? 0, emailUsed: email?.used ?? 0, periodStart },
  };
}
