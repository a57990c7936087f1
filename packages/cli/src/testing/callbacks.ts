/** Signed and unsigned callbacks for tests. */
import { signWebhook } from "@msgctl/sdk/webhooks";
import type { Delivery } from "../commands/listen/delivery.ts";

export const WEBHOOK_SECRET = `whsec_${Buffer.alloc(24, 1).toString("base64")}`;
/** The time at which the callbacks are signed. */
export const SIGNED_AT = Date.parse("2026-03-02T15:04:05.000Z");

/** Creates a callback about a call, as the service would post it. */
export async function signedDelivery(
  type: string,
  data: unknown = { requestId: "7", status: "DIALING" },
  id = "evt_1",
): Promise<Delivery> {
  const { body, headers } = await signWebhook({ type, data }, WEBHOOK_SECRET, { id, now: SIGNED_AT });
  return { body: Buffer.from(body), headers };
}

/** Creates a callback that is unsigned unless `headers` has a signature. */
export function unsignedDelivery(text: string, headers: Delivery["headers"] = {}): Delivery {
  return { body: Buffer.from(text), headers };
}
