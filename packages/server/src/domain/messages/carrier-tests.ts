// Queues messages that test a carrier, for the command `msgd carriers test` and for the dashboard.

import type { Transaction } from "../../store/store.ts";
import { periodStart } from "../calendar.ts";
import { type CarrierRow, noteTest } from "../carriers/rows.ts";
import { SIMULATED } from "../carriers/rules.ts";
import { defaultMerchantId } from "../merchants/rows.ts";
import { Refusal } from "../refusal.ts";
import { listDisabled, type TenantRow } from "../tenancy/rows.ts";
import { enterQueue } from "./carrier-queue-rows.ts";
import { insertMessage } from "./rows.ts";
import { messageClasses, PATIENCE_MS } from "./rules.ts";

const contents = {
  EMAIL: {
    type: "TRANSACTIONAL",
    subject: "A test of msgd",
    content: "This mail was sent to test a carrier. You need not answer.",
  },
  SMS: { type: "TRANSACTIONAL", subject: null, content: "This text was sent to test a carrier. You need not answer." },
  // a one-time password needs no recorded consent
  VOICE: { type: "OTP", subject: null, content: "This call was made to test a carrier. Goodbye." },
} as const;

export interface CarrierTest {
  readonly messageId: string;
  /** Number or address in its normal form. */
  readonly recipient: string;
  readonly now: number;
}

/**
 * Queues a message for a carrier of the tenant, without quota or charge. Throws `illegal_transition` if the tenant or the
 * carrier sends nothing.
 */
export async function queueCarrierTest(
  tx: Transaction,
  { tenantId, timezone, mode }: TenantRow,
  { name, channel, kind, isSecond }: CarrierRow,
  { messageId, recipient, now }: CarrierTest,
): Promise<void> {
  if (mode !== "live") throw sendsNothing(`Tenant ${tenantId} is a test tenant, whose messages are simulated.`);
  if ((await listDisabled(tx)).includes(tenantId)) {
    throw sendsNothing(`Tenant ${tenantId} is disabled: its messages wait until the operator enables it.`);
  }
  if (kind === SIMULATED) throw sendsNothing(`${name} is simulated: it sends nothing, so it cannot be tested.`);
  await insertMessage(
    tx,
    { merchantId: defaultMerchantId, channel, recipient, ...contents[channel], units: 0 },
    { messageId, tenantId, purpose: "SEND", creditUnits: 0, period: periodStart(now, timezone), now },
  );
  if (isSecond === 1) {
    // queue it for the second carrier directly: as long as the first can be reached, a claim would choose the first
    const row = { messageId, tenantId, createdAt: now, asks: 0, isQueued: 1, giveUpAt: null } as const;
    await enterQueue(tx, row, { carrier: name, messageClass: messageClasses.OTP, expiresAt: now + PATIENCE_MS });
  }
  await noteTest(tx, name, now);
}

function sendsNothing(detail: string): Refusal {
  return new Refusal("illegal_transition", detail);
}
