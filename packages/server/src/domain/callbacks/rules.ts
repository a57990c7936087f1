// Rules of callbacks: when they are retried, how long an unresponsive receiver is left alone, how callbacks are signed, and
// which URLs are allowed.

import { createHmac, timingSafeEqual } from "node:crypto";
import { BlockList, isIP } from "node:net";
import { isPublicAddress } from "../network-addresses.ts";
import type { CallbackReach } from "../policies.ts";
import type { FieldFault } from "../refusal.ts";

/** The events of messages of which a tenant can be told. */
export const messageEventTypes = ["message.updated", "message.received"] as const;
export type MessageEventType = (typeof messageEventTypes)[number];

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Delay before each attempt, counted from the previous one, as Standard Webhooks proposes. */
const waitsMs = [
  0,
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];
/** Random jitter adds up to this share to a delay, so that callbacks that failed together are not retried together. */
const JITTER = 0.1;
/** Longest Retry-After that is honoured. */
const LONGEST_ASKED_MS = 24 * HOUR_MS;
/** Largest number of attempts. */
export const MOST_ATTEMPTS = waitsMs.length;
/**
 * Longest time for which a callback is retried: a little more than the sum of all delays with jitter. While its receiver is
 * left alone (`restMs`), the callback is not attempted, so it gets fewer attempts.
 */
export const PATIENCE_MS = 84 * HOUR_MS;

/** A receiver's answer. `status` is undefined if the receiver did not answer. */
export interface ReceiverAnswer {
  readonly status: number | undefined;
  readonly retryAfter?: string | undefined;
}

/** The attempts of a callback so far. */
export interface Tried {
  /** Number of the attempt that was answered, from 1. */
  readonly attempt: number;
  /** Time of the first attempt plus the receiver's Retry-After delays, in epoch milliseconds. */
  readonly patienceFrom: number;
}

export type CallbackDecision =
  | { readonly kind: "delivered" }
  /** The receiver answered 410: it wants no more callbacks at this URL. */
  | { readonly kind: "gone" }
  | { readonly kind: "retry"; readonly nextAttemptAt: number; readonly patienceFrom: number }
  | { readonly kind: "failed" };

/**
 * Decides the state after an attempt. A Retry-After header (seconds or a date) may delay the next attempt and the
 * deadline, but never brings them forward. `random` returns 0 to 1; `now` is in epoch milliseconds.
 */
export function decideCallback(
  { status, retryAfter }: ReceiverAnswer,
  { attempt, patienceFrom }: Tried,
  { now, random }: { now: number; random: () => number },
): CallbackDecision {
  if (isTaken({ status })) return { kind: "delivered" };
  if (status === 410) return { kind: "gone" };
  const waitMs = waitsMs[attempt];
  if (waitMs === undefined) return { kind: "failed" };
  const scheduledMs = Math.round(waitMs * (1 + JITTER * random()));
  const putOffMs = Math.max(0, Math.min(readRetryAfter(retryAfter, now), LONGEST_ASKED_MS) - scheduledMs);
  const nextAttemptAt = now + scheduledMs + putOffMs;
  if (isPatienceOver(patienceFrom + putOffMs, nextAttemptAt)) return { kind: "failed" };
  return { kind: "retry", nextAttemptAt, patienceFrom: patienceFrom + putOffMs };
}

/** Returns whether the receiver accepted the callback: only a 2xx status says so. */
export function isTaken({ status }: Pick<ReceiverAnswer, "status">): boolean {
  return status !== undefined && status >= 200 && status <= 299;
}

/** Returns whether a callback that has been tried since `patienceFrom` must be given up at `time`. */
export function isPatienceOver(patienceFrom: number, time: number): boolean {
  return time >= patienceFrom + PATIENCE_MS;
}

/** Parses Retry-After (RFC 9110, 10.2.3) to milliseconds from `now`; 0 if it is absent, past or invalid. */
function readRetryAfter(header: string | undefined, now: number): number {
  if (header === undefined) return 0;
  if (/^\d+$/.test(header)) return Number(header) * SECOND_MS;
  // `Date.parse` also accepts texts that are no HTTP date, such as a bare number
  const date = /^[A-Za-z]{3,9}, .+ GMT$/.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? 0 : Math.max(0, date - now);
}

const FIRST_REST_MS = 5 * SECOND_MS;
const LONGEST_REST_MS = 5 * MINUTE_MS;

/**
 * Milliseconds for which a receiver that did not answer is left alone. `rest` counts these pauses since its last answer,
 * from 1. After a pause, one callback is tried; the receiver's other callbacks use up no attempt. `random` returns 0 to 1.
 */
export function restMs(rest: number, random: () => number): number {
  return Math.round(Math.min(FIRST_REST_MS * 2 ** (rest - 1), LONGEST_REST_MS) * (1 + JITTER * random()));
}

const SECRET_PREFIX = "whsec_";
/** Standard Webhooks requires 24 to 64 bytes. */
export const SIGNING_SECRET_BYTES = 32;

/** Formats a key as receivers get it: `whsec_…`. */
export function toSigningSecret(key: Buffer): string {
  return SECRET_PREFIX + key.toString("base64");
}

/**
 * The headers that sign an attempt as Standard Webhooks specifies. Each of `secrets` (`whsec_…`) adds a signature, so that
 * a receiver can switch from the old secret to the new one. `now` is in epoch milliseconds.
 *
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function signWebhook(
  { webhookId, body, now }: { webhookId: string; body: string; now: number },
  secrets: readonly string[],
): Record<"webhook-id" | "webhook-timestamp" | "webhook-signature", string> {
  const timestamp = String(Math.floor(now / 1_000));
  const signatures = secrets.map((secret) => signatureOf(secret, { webhookId, timestamp, body }));
  return { "webhook-id": webhookId, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") };
}

function signatureOf(
  secret: string,
  { webhookId, timestamp, body }: { webhookId: string; timestamp: string; body: string | Buffer },
): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), "base64");
  return `v1,${createHmac("sha256", key).update(`${webhookId}.${timestamp}.`).update(body).digest("base64")}`;
}

/** Returns whether the text is a secret: `whsec_` and 24 to 64 bytes in base64. */
export function isSigningSecret(text: string): boolean {
  const [, encoded] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? [];
  if (encoded === undefined || encoded.length % 4 !== 0) return false;
  const { length } = Buffer.from(encoded, "base64");
  return length >= 24 && length <= 64;
}

/** Largest difference between the time of a signature and the clock: replayed requests are older. */
const TOLERANCE_MS = 5 * MINUTE_MS;
const WEBHOOK_ID = /^[!-~]{1,200}$/;

/**
 * Verifies the signature of a request, as Standard Webhooks specifies, in constant time. Returns the `webhook-id`, or why
 * the request is refused.
 */
export function verifyWebhook(
  { headers, body, now }: { headers: Readonly<Record<string, unknown>>; body: string | Buffer; now: number },
  secret: string,
): { readonly webhookId: string } | { readonly fault: string } {
  const [webhookId, timestamp, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => {
    return String(headers[name] ?? "");
  }) as [string, string, string];
  if (!WEBHOOK_ID.test(webhookId)) return { fault: "expected a webhook-id of 1 to 200 printable characters" };
  if (!/^\d{1,12}$/.test(timestamp)) return { fault: "expected a webhook-timestamp in seconds since 1970" };
  if (Math.abs(Number(timestamp) * SECOND_MS - now) > TOLERANCE_MS)
    return { fault: "the webhook-timestamp is more than five minutes away" };
  const expected = Buffer.from(signatureOf(secret, { webhookId, timestamp, body }));
  const isSigned = signatures.split(" ").some((signature) => {
    const given = Buffer.from(signature);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  return isSigned ? { webhookId } : { fault: "no webhook-signature is valid" };
}

const LEAVE =
  "For development the operator can allow this machine with --dev, or its network with --allow-private-callbacks.";

/**
 * Finds the fault of a callback URL. Names are checked again after DNS resolution (dispatch/callbacks). `leave` says how such
 * a URL can be allowed.
 */
export function findCallbackUrlFault(
  text: string,
  reach: CallbackReach,
  leave = LEAVE,
): Omit<FieldFault, "pointer"> | undefined {
  if (!URL.canParse(text))
    return { code: "invalid_uri", detail: "Expected an absolute https URL; the text is not a URL." };
  const url = new URL(text);
  const isFree = reach === "private" || (reach === "loopback" && isLoopbackHost(url.hostname));
  const allowed = isFree ? ["https:", "http:"] : ["https:"];
  if (!allowed.includes(url.protocol)) {
    const scheme = url.protocol.slice(0, -1);
    return { code: "not_allowed", detail: `Expected an https URL; received ${scheme}. ${leave}` };
  }
  if (url.username !== "" || url.password !== "") {
    const detail = "Expected a URL without a user name or password; to authenticate callbacks, verify their signature.";
    return { code: "not_allowed", detail };
  }
  if (!isFree && isPrivateHost(url.hostname)) {
    const detail = `Expected a host that is reachable from the public internet; received ${url.hostname}. ${leave}`;
    return { code: "not_allowed", detail };
  }
  return undefined;
}

const LONGEST_EVENT_URL = 2_048;

/** Finds the fault of a tenant's URL for events of messages, as `findCallbackUrlFault` does for the URL of a call. */
export function findEventUrlFault(
  text: string,
  reach: CallbackReach,
  leave = LEAVE,
): Omit<FieldFault, "pointer"> | undefined {
  if (text.length <= LONGEST_EVENT_URL) return findCallbackUrlFault(text, reach, leave);
  return { code: "too_long", detail: `Expected at most ${LONGEST_EVENT_URL} characters; received ${text.length}.` };
}

/** Returns whether the host of a parsed URL is a private address or a localhost name. */
function isPrivateHost(hostname: string): boolean {
  const address = addressOf(hostname);
  return address === undefined ? isLocalhost(hostname) : !isPublicAddress(address);
}

function isLoopbackHost(hostname: string): boolean {
  const address = addressOf(hostname);
  return address === undefined ? isLocalhost(hostname) : isLoopbackAddress(address);
}

/** Returns whether the name is `localhost` or below it, which always means this machine (RFC 6761). */
export function isLocalhost(hostname: string): boolean {
  return /(^|\.)localhost\.?$/i.test(hostname);
}

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

/** Returns whether the IP address is a loopback address. */
export function isLoopbackAddress(address: string): boolean {
  return loopback.check(address, isIP(address) === 4 ? "ipv4" : "ipv6");
}

/** The IP address in a parsed URL's `hostname`, without IPv6 brackets; undefined if it is a name. */
export function addressOf(hostname: string): string | undefined {
  const address = hostname.replace(/^\[(.*)\]$/, "$1");
  return isIP(address) === 0 ? undefined : address;
}
