/** Decides whether to accept a callback. The SDK verifies it; this file adds the message and the remedy. */
import { parseJson } from "@msgctl/sdk";
import { verifyWebhook, WebhookVerificationError, type WebhookVerificationReason } from "@msgctl/sdk/webhooks";
import { isObject } from "../../output/fields.ts";
import type { Delivery, ReceivedEvent } from "./delivery.ts";

export type Verdict =
  | { isTaken: true; event: ReceivedEvent }
  | { isTaken: false; reason: WebhookVerificationReason; message: string; advice: string };

export interface Trust {
  /** The secrets to verify with; if undefined, callbacks are accepted without verification. */
  secrets: readonly string[] | undefined;
  toleranceMs: number;
}

/** Verifies one callback at the given time in epoch milliseconds. */
export async function judge(
  { body, headers }: Delivery,
  { secrets, toleranceMs }: Trust,
  now: number,
): Promise<Verdict> {
  if (secrets === undefined) return readUnverified(body, headers["webhook-id"]);
  try {
    const event = await verifyWebhook(body, headers, secrets, { toleranceMs, now, exactIntegers: true });
    return { isTaken: true, event };
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return refusal(error.reason, ageSeconds(headers["webhook-timestamp"], now), toleranceMs / 1000);
  }
}

function readUnverified(body: Buffer, id: string | string[] | undefined): Verdict {
  let content: unknown;
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(body);
    content = parseJson(text);
    if (isDeep(text)) return refusal("not_an_event", 0, 0);
  } catch {
    return refusal("not_json", 0, 0);
  }
  if (!isObject(content) || typeof content.type !== "string") return refusal("not_an_event", 0, 0);
  const { type, timestamp, data = null } = content;
  const event = { id: id === undefined ? null : String(id), type, timestamp: textOrNull(timestamp), data };
  return { isTaken: true, event };
}

const MOST_LEVELS = 100;

/** Whether the JSON is nested so deeply that serializing it could exhaust the stack. Real events never are. */
function isDeep(json: string): boolean {
  let level = 0;
  for (const [bracket] of json.replace(/"(?:[^"\\]|\\.)*"/g, "").matchAll(/[[\]{}]/g)) {
    level += bracket === "[" || bracket === "{" ? 1 : -1;
    if (level > MOST_LEVELS) return true;
  }
  return false;
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function ageSeconds(timestamp: string | string[] | undefined, now: number): number {
  return Math.floor(now / 1000) - Number(timestamp);
}

const NOT_OURS =
  "Only the service should post here: check that the callbackUrl is this address, without a gateway in between.";
const CLOCK =
  "Set this machine's clock. If a development server's clock was moved, its timestamps follow that clock: give --tolerance <seconds>.";
const OTHER_SECRET =
  "Compare the secret with the output of `msgd callbacks secret --tenant <id>`: it may belong to another tenant, or may have been replaced. If the secret is right, the callback is forged.";

function refusal(reason: WebhookVerificationReason, age: number, toleranceSeconds: number): Verdict {
  const off = `its timestamp is ${Math.abs(age)} s ${age > 0 ? "old" : "in the future"}, but at most ${toleranceSeconds} s are accepted`;
  const words: Record<WebhookVerificationReason, readonly [message: string, advice: string]> = {
    body_not_raw: ["it has no body", NOT_OURS],
    missing_header: ["it has no webhook-id, webhook-timestamp or webhook-signature", NOT_OURS],
    bad_timestamp: ["its webhook-timestamp is not a number of seconds", NOT_OURS],
    too_old: [off, CLOCK],
    too_new: [off, CLOCK],
    no_matching_signature: ["none of its signatures was made with the given secret", OTHER_SECRET],
    not_json: ["its body is not JSON", NOT_OURS],
    not_an_event: ["its body is not an object with type, timestamp and data", NOT_OURS],
  };
  const [message, advice] = words[reason];
  return { isTaken: false, reason, message, advice };
}
