// Converts an adapter's answers to outcomes. They are read leniently: an unknown reason must not leave a message in doubt.

import type { DeliveryReason } from "../../domain/messages/rules.ts";
import type { Schemas } from "../../generated/carrier-adapter.ts";
import { schemas } from "../../generated/carrier-adapter-schemas.ts";
import { choosePauseMs } from "../api-carrier.ts";
import type { ApiAnswer } from "../api-client.ts";
import { readFields } from "../json-fields.ts";
import { type FindOutcome, isStorable, type SubmitOutcome } from "../provider.ts";

const { maxItems: MOST_PARTS } = schemas.Taken.properties.parts;
const { maxLength: LONGEST_PART_ID } = schemas.PartId;

/** Statuses that prove that the adapter did not take the message: its URL or the secret is wrong. */
const NOT_SERVED = [401, 403, 404, 405];

/** Returns the outcome that the answer to a message proves; undefined if it proves none. */
export function readOutcome({ status, headers, body }: ApiAnswer, attempts: number): SubmitOutcome | undefined {
  const said = readFields(body);
  if (status === 200) return toOutcome(said);
  const isDeferred = said.outcome === "deferred";
  const words = isDeferred && typeof said.detail === "string" ? said.detail : "";
  const detail = words === "" ? `the adapter answered with status ${status}` : words;
  const retryAfterMs = choosePauseMs(attempts, headers["retry-after"]);
  if (status === 429) return { outcome: "deferred", retryAfterMs, detail };
  // a proxy may answer 503 after it has passed the message on
  const isUnreached = NOT_SERVED.includes(status) || (status === 503 && isDeferred);
  return isUnreached ? { outcome: "deferred", retryAfterMs, detail, isUnreached } : undefined;
}

/** Reads the provider's answer as an adapter states it; undefined if it is none. */
export function toOutcome(said: Readonly<Record<string, unknown>>): SubmitOutcome | undefined {
  const detail = typeof said.detail === "string" ? said.detail : undefined;
  switch (said.outcome) {
    case "taken": {
      const { providerMessageId, parts } = said;
      if (!isId(providerMessageId)) return undefined;
      const isSplit = Array.isArray(parts) && parts.length > 0 && parts.length <= MOST_PARTS && parts.every(isPartId);
      return { outcome: "taken", providerMessageId, ...(isSplit ? { parts } : {}) };
    }
    case "refused": {
      const reason = isReason(said.reason) ? said.reason : "CARRIER_UNKNOWN";
      const isOptOut = said.optOut === true;
      return { outcome: "refused", reason, isOptOut, ...(detail === undefined ? {} : { detail }) };
    }
    case "failed":
      return { outcome: "failed", detail: detail ?? "the adapter gave no reason" };
    default:
      return undefined;
  }
}

/** Reads what an adapter knows of a message. Throws if it does not say. */
export function readFinding({ status, body }: ApiAnswer): FindOutcome {
  const said = readFields(body);
  if (status === 200) {
    if (said.outcome === "absent" || said.outcome === "unknown") return { outcome: said.outcome };
    const outcome = toOutcome(said);
    if (outcome?.outcome === "taken") return { outcome: "taken", providerMessageId: outcome.providerMessageId };
  }
  throw new Error(`the adapter answered with status ${status}, and did not say what became of the message`);
}

const reasons: readonly string[] = schemas.Reason.enum;

function isReason(given: unknown): given is DeliveryReason & Schemas["Reason"] {
  return typeof given === "string" && reasons.includes(given);
}

/** Parts that break the protocol are ignored: without them, the message is still known to be taken. */
function isPartId(given: unknown): given is string {
  return isId(given) && given.length <= LONGEST_PART_ID && isStorable(given);
}

function isId(given: unknown): given is string {
  return typeof given === "string" && given !== "";
}
