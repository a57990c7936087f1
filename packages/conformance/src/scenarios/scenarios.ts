// Scenarios that provoke each problem code of an operation from outside, on any server that claims to implement the contract.

import { type OperationId, operations, type ProblemCode } from "@msgctl/contract";
import { wordsOf } from "../target/reply.ts";
import { NotReachable } from "../target/send.ts";
import { needOther, type Target } from "../target/target.ts";
import { addCampaign, addNumber, editReviewed, fillMerchant, sendAssignment } from "./registration.ts";
import {
  idIn,
  newKey,
  noSuchId,
  type Reply,
  recordConsent,
  sendChanged,
  sendFor,
  sendText,
  sendTo,
  upsertMerchant,
} from "./requests.ts";
import { isDirect, ownerOf, sendWithConsent } from "./sends.ts";

/** Sends a request that should be answered with the code. @throws {NotReachable} If this target cannot answer with it. */
export type Scenario = (target: Target, operationId: OperationId) => Reply;

const MORE_THAN_TAKEN_BYTES = 2_200_000;
/** The contract limits path, query and headers to 16 KiB in total. */
const MORE_HEADERS_THAN_TAKEN_BYTES = 17_000;

/** Why a code cannot be provoked with credentials alone. If it occurs nevertheless, it counts as reached. */
export const insideOnly: Readonly<Partial<Record<ProblemCode, string>>> = {
  malformed_http: "needs a request that is not HTTP/1.1, or repeats a header that may occur once",
  request_timeout: "needs a connection that is too slow",
  rate_limited: "needs a rate limit, which the server may not have",
  internal_error: "needs a fault inside the server",
  outcome_unknown: "needs a fault inside the server",
  unavailable: "needs a fault inside the server",
};

/** Codes that a server with certain settings never answers, each with the effect of the setting. */
export const bySetting: Readonly<Partial<Record<ProblemCode, string>>> = {
  consent_required: "the server requires no consent, and refuses only recipients who opted out",
  all_recipients_refused: "the server requires no consent, and refuses only recipients who opted out",
};

/** Scenarios by the code that each provokes. */
export const scenarios: Readonly<Partial<Record<ProblemCode, Scenario>>> = {
  malformed_json: (target, operationId) => sendText(target, operationId, "{"),
  validation_error: (target, operationId) => {
    const request = target.request(operationId);
    if (request.body !== undefined) return sendChanged(target, operationId, { unheardOf: 1 });
    if (operationId === "getDirectoryEntry") return sendTo(target, operationId, { identifier: "x".repeat(300) });
    return target.send({ ...request, url: `${request.url}?unheardOf=1` });
  },
  invalid_phone_number: (target, operationId) => {
    const field = {
      recordConsent: "contact",
      createTtsCalls: "toNumber",
      registerNumber: "phoneNumber",
      registerBrand: "contactPhone",
    };
    return sendChanged(target, operationId, { [field[operationId as keyof typeof field] ?? "to"]: "+9990000" });
  },
  invalid_email: (target, operationId) => {
    if (operationId === "recordConsent")
      return sendChanged(target, operationId, { channel: "EMAIL", contact: "nobody" });
    return sendChanged(target, operationId, { [operationId === "registerBrand" ? "contactEmail" : "to"]: "nobody" });
  },
  invalid_timezone: (target, operationId) => sendChanged(target, operationId, { customerTimezone: "Mars/Olympus" }),
  invalid_date_range: (target, operationId) =>
    target.send({ ...target.request(operationId), url: "/api/v1/reports/usage?from=2026-01-10&to=2026-01-01" }),
  idempotency_key_invalid: (target, operationId) =>
    target.send(target.request(operationId), { headers: { "idempotency-key": "é" } }),
  idempotency_key_conflict: (target, operationId) => {
    const request = target.request(operationId);
    const body = { ...(request.body as object), idempotencyKey: "other" };
    return target.send({ ...request, body }, { headers: newKey(target) });
  },
  credentials_missing: (target, operationId) => target.send(target.request(operationId), { as: null }),
  credentials_invalid: (target, operationId) =>
    target.send(target.request(operationId), { as: { ...target.credential, apiSecret: "mks_wrong" } }),
  credentials_revoked: async (target, operationId) =>
    target.send(target.request(operationId), { as: needOther(target, "revoked") }),
  merchant_scope_denied: async (target, operationId) => {
    const as = needOther(target, "merchant");
    const request = target.request(operationId);
    const parameters: readonly string[] = operations[operationId].queryParameters;
    const isNamed = request.url.includes(target.merchantId) || !parameters.includes("merchantId");
    // a list omits other merchants' entries, unless a merchant is requested by name
    return target.send(isNamed ? request : { ...request, url: `${request.url}?merchantId=${target.merchantId}` }, {
      as,
    });
  },
  tenant_mismatch: async (target, operationId) => {
    const { apiKey, apiSecret } = needOther(target, "spare");
    const basic = Buffer.from(`${apiKey}:${apiSecret}`).toString("base64");
    return target.send(target.request(operationId), { headers: { authorization: `Basic ${basic}` } });
  },
  quota_exceeded: async (target, operationId) => {
    if (isDirect(operationId)) {
      const { merchantId, as } = ownerOf(target, operationId);
      await upsertMerchant(target, merchantId, { smsLimit: 0, emailLimit: 0 }, as);
      return target.send(target.request(operationId), { as });
    }
    const merchantId = `${target.prefix}poor`;
    await upsertMerchant(target, merchantId);
    await recordConsent(target, { merchantId, channel: "VOICE", contact: "+12025550100", status: "OPT_IN" });
    return sendChanged(target, operationId, { merchantId });
  },
  merchant_inactive: async (target, operationId) => {
    const { merchantId, as } = ownerOf(target, operationId);
    await upsertMerchant(target, merchantId, { active: false }, as);
    const reply = await target.send(target.request(operationId), { as });
    await upsertMerchant(target, merchantId, {}, as);
    return reply;
  },
  route_not_found: (target, operationId) => {
    const { path } = operations[operationId];
    return target.send({ ...target.request(operationId), url: path.replaceAll(/\{\w+\}/g, "") });
  },
  merchant_not_found: (target, operationId) => {
    const request = target.request(operationId);
    const merchantId = `${target.prefix}nobody`;
    if (request.url.includes(target.merchantId)) return sendTo(target, operationId, { merchantId });
    if (request.body !== undefined) return sendChanged(target, operationId, { merchantId });
    return target.send({ ...request, url: `${request.url}?merchantId=${merchantId}` });
  },
  message_not_found: (target, operationId) =>
    sendChanged(target, operationId, { messageId: "msg_01KJQH7VR0X4T8ZB2M6QWEN9KD" }),
  call_not_found: (target, operationId) => sendTo(target, operationId, { requestId: String(noSuchId) }),
  batch_not_found: (target, operationId) => sendTo(target, operationId, { batchId: String(noSuchId) }),
  brand_not_found: (target, operationId) =>
    sendFor(target, operationId, "bare", { campaignReference: `${target.prefix}of-nobody` }),
  campaign_not_found: (target, operationId) => sendChanged(target, operationId, { campaignId: noSuchId }),
  number_not_found: (target, operationId) => sendTo(target, operationId, { numberId: String(noSuchId) }),
  sip_user_not_found: (target, operationId) => {
    const { method, path } = operations[operationId] as { method: "POST"; path: string };
    const body = { sipUsername: `${target.prefix}nobody`, registered: true };
    return target.send({ method, url: path, body });
  },
  method_not_allowed: (target, operationId) => {
    const { url } = target.request(operationId);
    return target.send({ method: "DELETE", url });
  },
  not_acceptable: (target, operationId) =>
    target.send(target.request(operationId), { headers: { accept: "image/png" } }),
  payload_too_large: (target, operationId) =>
    sendText(target, operationId, JSON.stringify({ a: "x".repeat(MORE_THAN_TAKEN_BYTES) })),
  unsupported_media_type: (target, operationId) =>
    sendText(target, operationId, "a=1", "application/x-www-form-urlencoded"),
  headers_too_large: (target, operationId) =>
    target.send(target.request(operationId), { headers: { "x-long": "x".repeat(MORE_HEADERS_THAN_TAKEN_BYTES) } }),
  consent_required: (target, operationId) => sendWithConsent(target, operationId, undefined),
  consent_opted_out: (target, operationId) => sendWithConsent(target, operationId, "OPT_OUT"),
  idempotency_key_reused: async (target, operationId) => {
    const headers = newKey(target);
    const request = target.request(operationId);
    const first = await target.send(request, { headers });
    if (first.statusCode >= 300) throw new NotReachable(`a first request was refused: ${wordsOf(first)}`);
    const body = request.body as Readonly<Record<string, unknown>>;
    const name = Object.keys(others).find((field) => Object.hasOwn(body, field));
    if (name === undefined) throw new Error(`no other value is known for a field of ${operationId}`);
    const other = name === "registered" ? body.registered !== true : others[name];
    return target.send({ ...request, body: { ...body, [name]: other } }, { headers });
  },
  idempotency_in_progress: async (target, operationId) => {
    const headers = newKey(target);
    const request = target.request(operationId);
    const replies = await Promise.all([target.send(request, { headers }), target.send(request, { headers })]);
    const refusal = replies.find(({ statusCode }) => statusCode === 409);
    if (refusal === undefined) throw new NotReachable("two simultaneous requests were processed one after the other");
    return refusal;
  },
  number_already_registered: (target, operationId) => sendFor(target, operationId, "rival"),
  campaign_reference_conflict: async (target, operationId) => {
    const reference = { campaignReference: `${target.prefix}taken` };
    await sendChanged(target, operationId, { ...reference, providerCampaignId: `${target.prefix}one` });
    return sendChanged(target, operationId, { ...reference, providerCampaignId: `${target.prefix}other` });
  },
  illegal_transition: async (target, operationId) => {
    if (operationId === "registerBrand" || operationId === "registerCampaign") return editReviewed(target, operationId);
    const number = await addNumber(target);
    await sendAssignment(target, "assignNumber", number, await addCampaign(target));
    return sendAssignment(target, operationId, number, await addCampaign(target));
  },
  number_not_sms_capable: async (target, operationId) =>
    sendAssignment(
      target,
      operationId,
      await addNumber(target, { capabilities: ["VOICE"] }),
      await addCampaign(target),
    ),
  registration_limit: (target, operationId) => fillMerchant(target, operationId),
  campaign_number_limit: async (target, operationId) => {
    const campaign = await addCampaign(target, { useCase: "SOLE_PROPRIETOR", subUseCases: [] });
    await sendAssignment(target, "assignNumber", await addNumber(target), campaign);
    return sendAssignment(target, operationId, await addNumber(target), campaign);
  },
  reply_not_supported: async (target, operationId) => {
    const sent = await target.send(target.request("sendEmail"));
    return sendChanged(target, operationId, { messageId: idIn(sent, "messageId") });
  },
  all_recipients_refused: (target, operationId) =>
    sendChanged(target, operationId, { toNumber: "+13125550100", useCase: "MARKETING" }),
};

/** Values other than those of the example requests. Every request has at least one of these fields. */
const others: Readonly<Record<string, unknown>> = {
  description: "Appointment reminders for those patients of Bright Dental who asked for them.",
  legalBusinessName: "Bright Dental Incorporated",
  displayName: "Bright Teeth",
  providerNumberId: "PN-2",
  message: "Something else",
  messageText: "Something else",
  text: "Something else",
  body: "Something else",
  source: "elsewhere",
  note: "Something else",
  registered: false,
  replyBody: "HELP",
  campaignId: noSuchId,
};
