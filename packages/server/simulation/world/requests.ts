// Converts acts to requests with the contract's bodies.

import type { Act } from "../plan/plan.ts";
import type { Request } from "./instance.ts";
import { addresses, merchants, phones } from "./population.ts";

const GSM_SEGMENT = 153;

/** A request whose Idempotency-Key is yet to be chosen. */
export type Wanted = Omit<Request, "idempotencyKey">;

/** The request of an act; undefined for an act without one. */
export function toRequest(act: Act, key: string, receivers: readonly string[]): Wanted | undefined {
  if (!("merchant" in act)) return undefined;
  const { tenant, headers, merchantId } = merchantOf(act.merchant);
  const post = (operationId: Request["operationId"], body: object) => ({
    operationId,
    tenant,
    merchantId,
    headers,
    key,
    path: {},
    body: { merchantId, ...body },
  });
  switch (act.kind) {
    case "send": {
      const { channel, to, type, segments } = act;
      // a unique text identifies each request
      const text = key.padEnd(segments === 1 ? 20 : segments * GSM_SEGMENT, "a");
      return channel === "SMS"
        ? post("sendSms", { to: phones[to], message: text, type })
        : post("sendEmail", { to: addresses[to], subject: "Hello", body: text, type });
    }
    case "calls": {
      const { to, useCase, text, receiver } = act;
      const callbackUrl = receiver === undefined ? undefined : receivers[receiver];
      return post("createTtsCalls", {
        toNumbers: to.map((index) => phones[index]),
        messageText: `Text ${text}. ${"Spoken. ".repeat(40 * text)}`,
        useCase,
        ...(callbackUrl === undefined ? {} : { callbackUrl }),
      });
    }
    case "consent": {
      const { channel, to, status } = act;
      return post("recordConsent", {
        channel,
        contact: (channel === "EMAIL" ? addresses : phones)[to],
        status,
        source: "caller",
      });
    }
    case "upgrade":
      return post("requestUpgrade", { channel: act.channel, units: act.units, paymentMethodId: act.method });
    case "limits": {
      const { limit, active } = act;
      const limits = { smsLimit: limit, emailLimit: limit, voiceMinutesLimit: limit };
      return post("upsertMerchant", { displayName: merchantId, active, ...limits });
    }
    default:
      return undefined;
  }
}

export function merchantOf(index: number): (typeof merchants)[number] {
  const merchant = merchants[index];
  if (merchant === undefined) throw new Error(`there is no merchant ${index}: the population has ${merchants.length}`);
  return merchant;
}
