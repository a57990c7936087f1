// Compares the acknowledged actions with the records of the server and the provider.

import { type Acknowledgement, type ActionKind, actionKinds, merchantId, quota, upgradeUnits } from "./actions.ts";
import type { Data, Query } from "./data.ts";

export interface Comparison {
  readonly acknowledged: Readonly<Partial<Record<ActionKind, number>>>;
  /** Acknowledged resources that do not exist. */
  readonly lost: string[];
  /** Resources that no acknowledged action requested, or that exist more often than requested. */
  readonly surplus: string[];
  /** Keys whose replies named different resources, and resources that two keys share. */
  readonly confused: string[];
  /** Messages that the provider sent more than once. */
  readonly doubled: string[];
  /** Messages whose final state contradicts the provider's ledger. */
  readonly misreported: string[];
  /** Messages that are not in a final state. */
  readonly stuck: string[];
  /** Quotas that differ from the sum of their messages. */
  readonly drift: string[];
  /** Batches that are unfinished, or whose totals differ from the sum of their calls. */
  readonly unbalanced: string[];
}

/** Returns the kinds of fault that a comparison found, with their findings. */
export function findFaults(comparison: Comparison): Record<string, readonly string[]> {
  const { lost, surplus, confused, doubled, misreported, stuck, drift, unbalanced } = comparison;
  const lists = { lost, surplus, confused, doubled, misreported, stuck, drift, unbalanced };
  return Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0));
}

/** How often a message may have been sent, by its final state. */
export type Ends = Readonly<Record<string, readonly number[]>>;

/** Final states of messages whose carrier answered and reported normally. */
const usualEnds: Ends = { DELIVERED: [1], UNDELIVERED: [1], FAILED: [0] };

/**
 * Compares data in which everything has settled. `otherEnds` are further final states that the disturbance explains.
 */
export async function compare(
  data: Data,
  acknowledgements: readonly Acknowledgement[],
  otherEnds: Ends = {},
): Promise<Comparison> {
  const byKey = groupBy(acknowledgements, ({ key }) => key);
  const firsts = [...byKey.values()].flatMap((group) => group[0] ?? []);
  const sends = await compareSends(data, { ...usualEnds, ...otherEnds });
  const presence = await Promise.all(
    actionKinds.map(async (kind) => {
      const acknowledged = firsts.filter((first) => first.kind === kind).map(({ id }) => id);
      return comparePresence(kind, acknowledged, await readPresent(data, kind));
    }),
  );
  return {
    acknowledged: countKinds(firsts),
    lost: presence.flatMap(({ lost }) => lost),
    surplus: presence.flatMap(({ surplus }) => surplus),
    confused: findConfused(byKey, firsts),
    ...sends,
    stuck: [...sends.stuck, ...(await findPending(data))],
    drift: await findDrift(data, firsts.filter(({ kind }) => kind === "upgrade").length),
    unbalanced: await findUnbalanced(data),
  };
}

const presentQueries: Record<ActionKind, string> = {
  sms: "SELECT message_id AS id FROM messages WHERE channel = 'SMS'",
  email: "SELECT message_id AS id FROM messages WHERE channel = 'EMAIL'",
  // if one action recorded a consent twice, the history has two rows
  consent: "SELECT contact AS id FROM consent_history",
  merchant: "SELECT merchant_id AS id FROM merchants WHERE merchant_id LIKE 'w%'",
  batch: "SELECT batch_id AS id FROM tts_batches",
  upgrade: "SELECT payment_id AS id FROM payments",
};

async function readPresent({ own }: Data, kind: ActionKind): Promise<string[]> {
  return (await own<{ id: string | number }>(presentQueries[kind])).map(({ id }) => String(id));
}

function comparePresence(kind: ActionKind, acknowledged: readonly string[], present: readonly string[]) {
  const isPresent = new Set(present);
  const isAcknowledged = new Set(acknowledged);
  const seen = new Set<string>();
  const repeated = present.filter((id) => seen.size === seen.add(id).size);
  return {
    lost: acknowledged.filter((id) => !isPresent.has(id)).map((id) => `${kind} ${id}`),
    surplus: [...present.filter((id) => !isAcknowledged.has(id)), ...repeated].map((id) => `${kind} ${id}`),
  };
}

function findConfused(byKey: ReadonlyMap<string, Acknowledgement[]>, firsts: readonly Acknowledgement[]): string[] {
  const changed = [...byKey].filter(([, group]) => new Set(group.map(({ id }) => id)).size > 1).map(([key]) => key);
  // the replies to two parallel calls may arrive in either order
  const later = [...byKey]
    .filter(([, group]) => group.filter(({ isReplay }) => !isReplay).length > 1)
    .map(([key]) => key);
  const shared = [...groupBy(firsts, ({ kind, id }) => `${kind} ${id}`)].filter(([, group]) => group.length > 1);
  return [...changed, ...later, ...shared.map(([name]) => name)];
}

async function compareSends(data: Data, ends: Ends): Promise<Pick<Comparison, "doubled" | "misreported" | "stuck">> {
  const ledger = await data.ledger<{ reference: string; sends: number }>("SELECT reference, sends FROM submissions");
  const sends = new Map(ledger.map(({ reference, sends }) => [reference, sends]));
  const messages = await data.own<{ id: string; status: string }>("SELECT message_id AS id, status FROM messages");
  return {
    doubled: ledger.filter((entry) => entry.sends > 1).map(({ reference }) => reference),
    misreported: messages
      .filter(({ id, status }) => ends[status]?.includes(sends.get(id) ?? 0) === false)
      .map(({ id, status }) => `${id} ${status}, sent ${sends.get(id) ?? 0} times`),
    stuck: messages.filter(({ status }) => ends[status] === undefined).map(({ id, status }) => `${id} ${status}`),
  };
}

/** Finds payments whose outcome is not known yet. */
async function findPending({ own }: Data): Promise<string[]> {
  const query = "SELECT payment_id AS id FROM payments WHERE status = 'PENDING'";
  return (await own<{ id: string }>(query)).map(({ id }) => `${id} PENDING`);
}

async function findUnbalanced({ own }: Data): Promise<string[]> {
  const count = (condition: string) => `SUM(CASE WHEN ${condition} THEN 1 ELSE 0 END)`;
  const rows = await own<{ id: number }>(
    `SELECT b.batch_id AS id FROM tts_batches b
       LEFT JOIN (SELECT batch_id, COUNT(*) AS calls, ${count("final_status = 'SUCCESS'")} AS success,
                         ${count("final_status = 'PARTIAL'")} AS partial, ${count("final_status = 'FAILED'")} AS failed,
                         ${count("billing_state = 'FINALIZED'")} AS finalized,
                         SUM(COALESCE(speech_base_micros, 0) + COALESCE(speech_markup_micros, 0)) AS speech,
                         SUM(COALESCE(call_base_micros, 0) + COALESCE(call_markup_micros, 0)) AS dialled
                    FROM tts_calls GROUP BY batch_id) c ON c.batch_id = b.batch_id
      WHERE c.calls IS NULL OR b.total_calls <> c.calls OR b.success <> c.success OR b.partial <> c.partial
         OR b.failed <> c.failed OR b.pending <> 0 OR b.scheduled <> 0 OR b.finalized <> c.finalized
         OR b.finalized <> b.total_calls OR b.speech_micros <> c.speech OR b.call_micros <> c.dialled
         OR b.finalized_micros <> b.speech_micros + b.call_micros`,
  );
  return rows.map(({ id }) => `batch ${id}`);
}

/** Finds usage and credits of the merchant that differ from the sum of its messages and payments. */
async function findDrift({ own }: Data, upgrades: number): Promise<string[]> {
  const charged = await sumCharges(own);
  const counted = await own<Charged>(
    `SELECT channel, period, used, reserved FROM usage WHERE merchant_id = '${merchantId}'`,
  );
  const credits = await own<{ channel: string; credits: number }>(
    `SELECT channel, credits FROM quotas WHERE merchant_id = '${merchantId}'`,
  );

  const drift: string[] = [];
  for (const { channel, period, used, reserved } of charged) {
    const usage = counted.find((row) => row.channel === channel && row.period === period);
    if (usage?.used !== used || usage.reserved !== reserved) {
      drift.push(`${channel} of ${period}: ${JSON.stringify(usage)} and not ${used} used, ${reserved} reserved`);
    }
  }
  for (const { channel, limit, first } of [
    { channel: "SMS", limit: quota.smsLimit, first: quota.smsCredits + upgrades * upgradeUnits },
    { channel: "VOICE", limit: quota.voiceMinutesLimit, first: quota.voiceMinutesCredits },
  ]) {
    const overdrawn = charged
      .filter((row) => row.channel === channel)
      .reduce((sum, { used, reserved }) => sum + Math.max(0, used + reserved - limit), 0);
    const left = credits.find((row) => row.channel === channel)?.credits;
    if (left !== first - overdrawn) drift.push(`${channel} credits: ${left} and not ${first - overdrawn}`);
  }
  return drift;
}

interface Charged {
  readonly channel: string;
  readonly period: string;
  readonly used: number;
  readonly reserved: number;
}

/** Sums the units of messages and calls, by channel and period. */
async function sumCharges(own: Query): Promise<Charged[]> {
  const messages = await own<Charged>(
    `SELECT channel, period, SUM(CASE charge WHEN 'SETTLED' THEN units ELSE 0 END) AS used,
            SUM(CASE charge WHEN 'RESERVED' THEN units ELSE 0 END) AS reserved
       FROM messages WHERE merchant_id = '${merchantId}' AND channel IN ('SMS', 'EMAIL') GROUP BY channel, period`,
  );
  // a call counts its minutes, once they are known
  const calls = await own<Charged>(
    `SELECT 'VOICE' AS channel, period, SUM(COALESCE(call_minutes, 0)) AS used, SUM(reserved_units) AS reserved
       FROM tts_calls GROUP BY period`,
  );
  return [...messages, ...calls];
}

function countKinds(firsts: readonly Acknowledgement[]): Comparison["acknowledged"] {
  return Object.fromEntries([...groupBy(firsts, ({ kind }) => kind)].map(([kind, group]) => [kind, group.length]));
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}
