// Callbacks: when they are tried again, how long a silent receiver rests, how they are signed, and where they may go.

import { createHmac } from "node:crypto";
import { BlockList, isIP } from "node:net";
import { isPublicAddress } from "../network-addresses.ts";
import type { CallbackReach } from "../policies.ts";
import type { FieldFault } from "../refusal.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Waiting time of each attempt after the one before, as Standard Webhooks proposes. */
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
/** Largest share added to a wait, so that callbacks that failed together do not return together. */
const JITTER = 0.1;
/** Longest time by which a receiver may put off the next attempt. */
const LONGEST_ASKED_MS = 24 * HOUR_MS;
/** Largest number of attempts. */
export const MOST_ATTEMPTS = waitsMs.length;
/**
 * Longest time that a callback is retried: a little more than all waits with their jitter. One that is late, because
 * its receiver rests, is tried less often, and not for longer.
 */
export const PATIENCE_MS = 84 * HOUR_MS;

/** Answer of a receiver; `status` is undefined if it gave none. */
export interface ReceiverAnswer {
  readonly status: number | undefined;
  readonly retryAfter?: string | undefined;
}

/** The attempts of a callback so far. */
export interface Tried {
  /** The attempt that was answered, from 1. */
  readonly attempt: number;
  /** Time of the first attempt plus the delays that its receiver asked for, in epoch milliseconds. */
  readonly patienceFrom: number;
}

export type CallbackDecision =
  | { readonly kind: "delivered" }
  /** The receiver wants nothing more at this URL. */
  | { readonly kind: "gone" }
  | { readonly kind: "retry"; readonly nextAttemptAt: number; readonly patienceFrom: number }
  | { readonly kind: "failed" };

/**
 * Decides the state after an attempt. Retry-After, in seconds or as a date, may put off the next attempt and the end,
 * and never brings them forward. `random` gives 0 to 1; `now` is in epoch milliseconds.
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

/** Returns whether the receiver took the callback: only a 2xx says so. */
export function isTaken({ status }: Pick<ReceiverAnswer, "status">): boolean {
  return status !== undefined && status >= 200 && status <= 299;
}

/** Returns whether a callback tried since `patienceFrom` is given up at `time`. */
export function isPatienceOver(patienceFrom: number, time: number): boolean {
  return time >= patienceFrom + PATIENCE_MS;
}

/** Milliseconds from `now`; 0 for a header that is absent, past or invalid (RFC 9110, 10.2.3). */
function readRetryAfter(header: string | undefined, now: number): number {
  if (header === undefined) return 0;
  if (/^\d+$/.test(header)) return Number(header) * SECOND_MS;
  // `Date.parse` takes a bare number or a word with a digit for a date
  const date = /^[A-Za-z]{3,9}, .+ GMT$/.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? 0 : Math.max(0, date - now);
}

const FIRST_REST_MS = 5 * SECOND_MS;
const LONGEST_REST_MS = 5 * MINUTE_MS;

/**
 * The milliseconds for which a silent receiver is left alone: rest number `rest`, from 1, since its last answer. One attempt
 * ends a rest; other callbacks to the receiver keep their attempts. `random` gives 0 to 1.
 */
export function restMs(rest: number, random: () => number): number {
  return Math.round(Math.min(FIRST_REST_MS * 2 ** (rest - 1), LONGEST_REST_MS) * (1 + JITTER * random()));
}

const SECRET_PREFIX = "whsec_";
/** Standard Webhooks asks for 24 to 64. */
export const SIGNING_SECRET_BYTES = 32;

/** Writes a key as the receiver is given it: `whsec_…`. */
export function toSigningSecret(key: Buffer): string {
  return SECRET_PREFIX + key.toString("base64");
}

/**
 * The headers that sign an attempt by Standard Webhooks, with a signature for each of `secrets` (`whsec_…`): a receiver may
 * change over between two. `now` is in epoch milliseconds.
 *
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
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

const LEAVE =
  "The operator can allow others for development: this machine with --dev, its network with --allow-private-callbacks.";

/** The fault of a callback URL, or undefined. Names are checked again once they are resolved (dispatch/callbacks). */
export function findCallbackUrlFault(text: string, reach: CallbackReach): Omit<FieldFault, "pointer"> | undefined {
  if (!URL.canParse(text)) return { code: "invalid_uri", detail: "Expected an absolute https URL; it cannot be read." };
  const url = new URL(text);
  const isFree = reach === "private" || (reach === "loopback" && isLoopbackHost(url.hostname));
  const allowed = isFree ? ["https:", "http:"] : ["https:"];
  if (!allowed.includes(url.protocol)) {
    const scheme = url.protocol.slice(0, -1);
    return { code: "not_allowed", detail: `Expected an https URL; received one of ${scheme}. ${LEAVE}` };
  }
  if (url.username !== "" || url.password !== "") {
    const detail = "Expected a URL without a user name or password; check the signature of what is posted instead.";
    return { code: "not_allowed", detail };
  }
  if (!isFree && isPrivateHost(url.hostname)) {
    const detail = `Expected a host that the public internet reaches; received ${url.hostname}. ${LEAVE}`;
    return { code: "not_allowed", detail };
  }
  return undefined;
}

/** Returns whether the host of a parsed URL is a private address, or a name that is private for any resolver. */
function isPrivateHost(hostname: string): boolean {
  const address = addressOf(hostname);
  return address === undefined ? isLocalhost(hostname) : !isPublicAddress(address);
}

function isLoopbackHost(hostname: string): boolean {
  const address = addressOf(hostname);
  return address === undefined ? isLocalhost(hostname) : isLoopbackAddress(address);
}

/** Returns whether the name is one of this machine's own, which no name server decides (RFC 6761). */
export function isLocalhost(hostname: string): boolean {
  return /(^|\.)localhost\.?$/i.test(hostname);
}

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

/** Returns whether the IP address is this machine's own. */
export function isLoopbackAddress(address: string): boolean {
  return loopback.check(address, isIP(address) === 4 ? "ipv4" : "ipv6");
}

/** The address that a parsed URL's `hostname` is, without the brackets of IPv6; undefined for a name. */
export function addressOf(hostname: string): string | undefined {
  const address = hostname.replace(/^\[(.*)\]$/, "$1");
  return isIP(address) === 0 ? undefined : address;
}
