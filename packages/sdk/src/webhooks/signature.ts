/** Signatures by Standard Webhooks: HMAC-SHA256 of the id, the time and the body, joined by dots. */
import { UsageError } from "../errors.ts";

/** One secret or several: `whsec_` and base64; the prefix may be omitted. */
export type WebhookSecrets = string | readonly string[];

const PREFIX = "whsec_";
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
/** Minimum length in Standard Webhooks. A shorter secret can be guessed, and a truncated one looks complete. */
const FEWEST_BYTES = 24;
const HMAC = { name: "HMAC", hash: "SHA-256" };

/**
 * The signature of each secret, `v1,…`.
 *
 * @throws {UsageError} When there is no secret, or one that is not base64 or too short. Its message contains no secret.
 */
export function signaturesOf(
  { id, timestamp, body }: { id: string; timestamp: string; body: Uint8Array },
  secrets: WebhookSecrets,
): Promise<string[]> {
  const keys = [secrets].flat().map(keyOf);
  if (keys.length === 0) throw new UsageError("No webhook secret was given: pass the tenant's, whsec_….");
  const start = new TextEncoder().encode(`${id}.${timestamp}.`);
  const content = new Uint8Array(start.length + body.length);
  content.set(start);
  content.set(body, start.length);
  return Promise.all(keys.map((key) => sign(content, key)));
}

async function sign(content: BufferSource, key: BufferSource): Promise<string> {
  const { subtle } = globalThis.crypto;
  const imported = await subtle.importKey("raw", key, HMAC, false, ["sign"]);
  const mac = new Uint8Array(await subtle.sign(HMAC, imported, content));
  return `v1,${btoa(String.fromCharCode(...mac))}`;
}

function keyOf(secret: string | undefined, index: number): Uint8Array<ArrayBuffer> {
  const given = typeof secret === "string" ? secret.trim() : "";
  const encoded = given.startsWith(PREFIX) ? given.slice(PREFIX.length) : given;
  let fault = encoded === "" ? "is empty" : "is not base64";
  try {
    if (BASE64.test(encoded)) {
      const key = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
      if (key.length >= FEWEST_BYTES) return key;
      fault = `has ${key.length} bytes, and needs at least ${FEWEST_BYTES}`;
    }
  } catch {
    // a length that no base64 has
  }
  throw new UsageError(
    `Webhook secret ${index + 1} ${fault}: pass what \`msgd callbacks secret\` printed, whsec_… and all.`,
  );
}

/** Compares two texts in constant time. */
export function isEqual(given: string, expected: string): boolean {
  let difference = given.length ^ expected.length;
  for (let at = 0; at < expected.length; at += 1) difference |= given.charCodeAt(at) ^ expected.charCodeAt(at);
  return difference === 0;
}
