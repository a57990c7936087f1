/** Callbacks for tests: signed ones, and unsigned ones that anyone may post. */
import { signWebhook } from "@msgctl/sdk/webhooks";
import type { Delivery } from "../commands/listen/delivery.ts";

export const WEBHOOK_SECRET = `whsec_${Buffer.alloc(24, 1).toString("base64")}`;
/** The time at which they are signed. */
export const SIGNED_AT = Date.parse("2026-03-02T15:04:05.000Z");

/** A call's event, as the service would post it. */
export async function signedDelivery(
  type: string,
  data: unknown = { requestId: "7", status: "DIALING" },
  id = "evt_1",
): Promise<Delivery> {
  const { body, headers } = await signWebhook({ type, data }, WEBHOOK_SECRET, { id, now: SIGNED_AT });
  return { body: Buffer.from(body), headers };
}

/** A delivery without a signature, unless `headers` has one. */
export function unsignedDelivery(text: string, headers: Delivery["headers"] = {}): Delivery {
  return { body: Buffer.from(text), headers };
}
