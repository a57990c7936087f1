// The merchant of a send, and its recipient's consent.

import type { OperationId } from "@msgctl/contract";
import type { Credential } from "../target/send.ts";
import { needOther, type Target } from "../target/target.ts";
import { type Reply, recordConsent, sendChanged, upsertMerchant } from "./requests.ts";

/** Whether the operation sends for the tenant and names no merchant. */
export function isDirect(operationId: OperationId): boolean {
  return operationId.startsWith("sendDirect");
}

/** A merchant, safe to change, that the operation acts for: direct sends use the spare tenant's `default`. */
export function ownerOf(target: Target, operationId: OperationId): { merchantId: string; as: Credential } {
  if (!isDirect(operationId)) return { merchantId: target.merchantId, as: target.credential };
  return { merchantId: "default", as: needOther(target, "spare") };
}

const plenty = { smsLimit: 1_000, emailLimit: 1_000 };

/** Sends marketing to a recipient who opted out, or was never asked. */
export async function sendWithConsent(target: Target, operationId: OperationId, status: "OPT_OUT" | undefined): Reply {
  const isEmail = operationId === "sendEmail";
  const type = isDirect(operationId) ? {} : { type: "MARKETING" };
  if (status === undefined) {
    return sendChanged(target, operationId, { to: isEmail ? "nobody@out.example" : "+13125550100", ...type });
  }
  const contact = isEmail ? "opted@out.example" : "+12125550100";
  const channel = operationId === "sendVoice" ? "VOICE" : isEmail ? "EMAIL" : "SMS";
  const { merchantId, as } = ownerOf(target, operationId);
  if (isDirect(operationId)) await upsertMerchant(target, merchantId, plenty, as);
  await recordConsent(target, { merchantId, channel, contact, status }, as);
  return sendChanged(target, operationId, { to: contact, ...type }, as);
}
