// Telnyx's signature of its requests:
// https://developers.telnyx.com/docs/messaging/messages/receiving-webhooks

import { createPublicKey, type KeyObject, verify } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

/** Longest time between the signature of a request and its arrival, in milliseconds. */
const TOLERANCE_MS = 5 * 60_000;
const KEY_BYTES = 32;
/** Bytes before those of an Ed25519 key in its DER form (RFC 8410). */
const DER_PREFIX = Buffer.from("302a300506032b6570032100", "hex");

/** Reads a public key as the portal of Telnyx shows it; undefined if it is none. */
export function readPublicKey(text: string): KeyObject | undefined {
  const bytes = Buffer.from(text, "base64");
  if (bytes.length !== KEY_BYTES || bytes.toString("base64") !== text) return undefined;
  return createPublicKey({ key: Buffer.concat([DER_PREFIX, bytes]), format: "der", type: "spki" });
}

/** Finds why a request cannot be believed; undefined if its signature is valid and recent. */
export function findSignatureFault(
  { headers, body, now }: { headers: IncomingHttpHeaders; body: Buffer; now: number },
  key: KeyObject,
): string | undefined {
  const timestamp = String(headers["telnyx-timestamp"] ?? "");
  if (!/^\d{1,12}$/.test(timestamp)) return "expected a telnyx-timestamp in seconds since 1970";
  if (Math.abs(Number(timestamp) * 1_000 - now) > TOLERANCE_MS) {
    return "the telnyx-timestamp is more than five minutes away";
  }
  const signature = Buffer.from(String(headers["telnyx-signature-ed25519"] ?? ""), "base64");
  const signed = Buffer.concat([Buffer.from(`${timestamp}|`), body]);
  return verify(null, signed, key, signature) ? undefined : "the signature is not Telnyx's";
}
