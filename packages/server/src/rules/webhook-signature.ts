// Signatures of what is posted to callback URLs, as Standard Webhooks has them: a receiver checks them with any library
// of that standard. https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md

import { createHmac } from "node:crypto";

const SECRET_PREFIX = "whsec_";
/** The standard asks for 24 to 64. */
export const SIGNING_SECRET_BYTES = 32;

/** Writes a key as `whsec_…`: what the receiver is given. */
export function toSigningSecret(key: Buffer): string {
  return SECRET_PREFIX + key.toString("base64");
}

/**
 * The three headers of an attempt. There is a signature for each of `secrets` (`whsec_…`), so that a receiver may
 * change over between two; `now` is in epoch milliseconds.
 */
export function signWebhook(
  { webhookId, body, now }: { webhookId: string; body: string; now: number },
  secrets: readonly string[],
): Record<"webhook-id" | "webhook-timestamp" | "webhook-signature", string> {
  const timestamp = String(Math.floor(now / 1_000));
  const signed = `${webhookId}.${timestamp}.${body}`;
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(SECRET_PREFIX.length), "base64");
    return `v1,${createHmac("sha256", key).update(signed).digest("base64")}`;
  });
  return { "webhook-id": webhookId, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") };
}
