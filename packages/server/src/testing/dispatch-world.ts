// For tests of dispatch: one tenant and merchant in a real store, a provider, and a virtual clock. Like the code under
// test it depends only on ports, so each test chooses its engine and provider.

import { carryForAll } from "../carriers/carriers.ts";
import type { Provider } from "../carriers/provider.ts";
import { createVirtualClock, type VirtualClock } from "../development/clocks.ts";
import { createDispatcher, type Dispatcher, type DispatcherOptions } from "../dispatch/messages/dispatcher.ts";
import { reserveUsage } from "../domain/billing/rows.ts";
import { recordConsent } from "../domain/consent/rows.ts";
import type { ConsentStatus, MessageType } from "../domain/consent/rules.ts";
import { type Channel, createRecipientDigest } from "../domain/contacts.ts";
import { upsertMerchant, upsertQuota } from "../domain/merchants/rows.ts";
import { insertTenant } from "../domain/tenancy/rows.ts";
import { createIds } from "../platform/ids.ts";
import { toQueueText } from "../store/queue/queue.ts";
import type { Store } from "../store/store.ts";
import { addMessage } from "./messages.ts";

export const startMs = Date.parse("2025-06-02T12:00:00Z");
export const hourMs = 3_600_000;
const period = "2025-06-01";

export interface MessageRow {
  status: string;
  deliveryReason: string | null;
  charge: string;
  costMicros: number | null;
  markupMicros: number | null;
  attempts: number;
  providerMessageId: string | null;
}

/** The parts from which a world is built. */
export interface Ground<P extends Provider> {
  openStore(clock: VirtualClock): Promise<Store>;
  openProvider(clock: VirtualClock): P | Promise<P>;
  readonly limit?: number;
  readonly credits?: number;
}

export interface AcceptedMessage {
  readonly type?: MessageType;
  readonly units?: number;
  readonly creditUnits?: number;
  readonly queueOrder?: number;
  readonly content?: string;
}

export interface World<P extends Provider> {
  readonly store: Store;
  readonly clock: VirtualClock;
  readonly provider: P;
  readonly logged: string[];
  readonly tenantId: number;
  /** Creates a dispatcher on this world's store, but does not start it. */
  dispatcher(options?: Partial<DispatcherOptions>): Dispatcher;
  /** Accepts a message as a send does, and returns its id. The caller notifies the dispatcher. */
  accept(to: string, message?: AcceptedMessage): Promise<string>;
  message(messageId: string): Promise<MessageRow>;
  /** Returns the status of every message by its id, including confirmations of replies. */
  statuses(): Promise<Record<string, string>>;
  usage(channel?: Channel): Promise<{ used: number; reserved: number; credits: number }>;
  consent(to: string): Promise<{ status: string; source: string | null; changes: number } | undefined>;
  setConsent(to: string, status: ConsentStatus): Promise<void>;
  /** Lists the messages in the outbox. */
  outbox(): Promise<{ messageId: string; state: string }[]>;
  close(): Promise<void>;
}

const messageStatement = toQueueText(
  ({ status, openAttempt, join }) => `
  SELECT ${status} AS status, m.delivery_reason AS "deliveryReason", m.charge, m.provider_cost_micros AS "costMicros",
         m.markup_micros AS "markupMicros", m.attempts + CASE WHEN ${openAttempt} IS NULL THEN 0 ELSE 1 END AS attempts,
         m.provider_message_id AS "providerMessageId"
    FROM messages m ${join} WHERE m.message_id = $1`,
);

export async function createWorld<P extends Provider>(ground: Ground<P>): Promise<World<P>> {
  const { limit = 100, credits = 10 } = ground;
  const clock = createVirtualClock(startMs);
  const store = await ground.openStore(clock);
  const provider = await ground.openProvider(clock);
  const newId = createIds();
  const logged: string[] = [];
  const log = (_details: object, text: string) => logged.push(text);
  const opened: Dispatcher[] = [];

  const tenantId = await store.write(async (tx) => {
    const tenant = await insertTenant(tx, { name: "Test", timezone: "UTC", now: startMs });
    const key = { tenantId: tenant.tenantId, merchantId: "shop" };
    await upsertMerchant(tx, { ...key, displayName: "Shop", active: true, now: startMs });
    for (const channel of ["SMS", "EMAIL"] as const) await upsertQuota(tx, { ...key, channel, limit, credits });
    return tenant.tenantId;
  });
  const merchant = { tenantId, merchantId: "shop" };

  return {
    store,
    clock,
    provider,
    logged,
    tenantId,
    dispatcher(options) {
      const dispatcher = createDispatcher({
        store,
        clock,
        carriers: carryForAll({ SMS: provider, EMAIL: provider }),
        consentPolicy: "strict",
        // most tests need messages that do not expire soon
        otpValidityMs: 72 * hourMs,
        digestRecipient: createRecipientDigest("pepper"),
        logger: { warn: log, error: log },
        ...options,
      });
      clock.watch(() => dispatcher.isBusy());
      opened.push(dispatcher);
      return dispatcher;
    },
    accept: (to, { type = "OTP", units = 1, creditUnits = 0, queueOrder, content = "Hello" } = {}) =>
      store.write(async (tx) => {
        const now = clock.now();
        const messageId = newId("msg", now);
        const key = { ...merchant, channel: channelOf(to), period };
        await reserveUsage(tx, key, { units, creditUnits });
        const text = { recipient: to, subject: null, content, purpose: "SEND" } as const;
        const order = queueOrder === undefined ? {} : { queueOrder };
        await addMessage(tx, { ...key, ...text, ...order, messageId, type, units, creditUnits, now });
        return messageId;
      }),
    async message(messageId) {
      const row = await store.read((tx) => tx.get<MessageRow>(messageStatement, messageId));
      if (row === undefined) throw new Error(`there is no message ${messageId}`);
      return row;
    },
    async statuses() {
      const rows = await store.read((tx) =>
        tx.all<{ id: string; status: string }>("SELECT message_id AS id, status FROM messages ORDER BY message_id"),
      );
      return Object.fromEntries(rows.map(({ id, status }) => [id, status]));
    },
    async usage(channel = "SMS") {
      const row = await store.read((tx) =>
        tx.get<{ used: number; reserved: number; credits: number }>(
          `SELECT COALESCE(u.used, 0) AS used, COALESCE(u.reserved, 0) AS reserved, q.credits
             FROM quotas q LEFT JOIN usage u ON u.tenant_id = q.tenant_id AND u.merchant_id = q.merchant_id
              AND u.channel = q.channel WHERE q.tenant_id = $1 AND q.channel = $2`,
          tenantId,
          channel,
        ),
      );
      if (row === undefined) throw new Error(`there is no quota of ${channel}`);
      return row;
    },
    consent: (to) =>
      store.read((tx) =>
        tx.get<{ status: string; source: string | null; changes: number }>(
          `SELECT status, source, (SELECT COUNT(*) FROM consent_history h WHERE h.contact = c.contact) AS changes
             FROM consents c WHERE contact = $1`,
          to,
        ),
      ),
    setConsent: (to, status) =>
      store.write((tx) =>
        recordConsent(
          tx,
          { ...merchant, channel: channelOf(to), contact: to },
          { status, source: "test", changedBy: "test", now: clock.now() },
        ),
      ),
    outbox: () =>
      store.read((tx) =>
        tx.all(
          tx.dialect.engine === "postgres"
            ? `SELECT message_id AS "messageId", CASE WHEN lease_token IS NULL THEN 'ready' ELSE 'submitting' END AS state
                 FROM outbox UNION ALL SELECT message_id, state FROM dispatches ORDER BY 1`
            : `SELECT message_id AS "messageId", 'ready' AS state FROM messages WHERE status = 'QUEUED' AND queue_order IS NOT NULL
               UNION ALL SELECT message_id, state FROM dispatches ORDER BY 1`,
        ),
      ),
    async close() {
      const stopped = Promise.all(opened.map((dispatcher) => dispatcher.stop()));
      // longer than a stop waits for calls that never end
      await clock.advanceBy(hourMs);
      await stopped;
      await store.close();
    },
  };
}

function channelOf(to: string): "SMS" | "EMAIL" {
  return to.includes("@") ? "EMAIL" : "SMS";
}
