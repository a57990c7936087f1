// For each problem code, how an operation is brought to give it. One world a test file: it is this module's own.

import { type OperationId, operations, type ProblemCode } from "@msgctl/contract";
import { expect, vi } from "vitest";
import { openInMemoryService } from "../../packages/server/src/in-memory-service.ts";
import { StoreUnavailable } from "../../packages/server/src/store/store.ts";
import type { IssuedCredential } from "../../packages/server/src/tenancy.ts";
import {
  asItIs,
  merchantId,
  openWorld,
  type Reach,
  type ReachedService,
  type ReceivedReply,
  type World,
} from "./world.ts";

type Reply = Promise<ReceivedReply>;
type Scenario = (world: World, operationId: OperationId) => Reply;

/** Codes that no single server on SQLite gives: there, calls with one key run one after the other. */
const unreachable: readonly ProblemCode[] = ["idempotency_in_progress"];

let world: World;
/** One that takes a request of each credential, and no second. */
let limited: ReachedService;
let keys = 0;
const newKey = () => {
  keys += 1;
  return { "idempotency-key": `key-${keys}` };
};
const json = { "content-type": "application/json" };

/** Opens what the scenarios play in. What is done before they are played is undone with `closeScenarios`. */
export async function openScenarios(reach: Reach = asItIs): Promise<World> {
  world = await openWorld(reach);
  limited = await reach(await openInMemoryService({ rateLimit: { perSecond: 0.01, burst: 1 } }));
  return world;
}

export async function closeScenarios(): Promise<void> {
  await world?.close();
  await limited?.close();
}

/** The request with its body, or nothing of it, changed. */
function sendChanged(operationId: OperationId, change: Record<string, unknown>): Reply {
  const request = world.request(operationId);
  return world.send({ ...request, body: { ...(request.body as object), ...change } });
}

function sendTo(operationId: OperationId, values: Record<string, string>): Reply {
  const { method, path } = operations[operationId];
  const asked = world.request(operationId);
  const segments = asked.url.split("/");
  const url = path
    .split("/")
    .map((segment, index) => values[segment.slice(1, -1)] ?? segments[index])
    .join("/");
  return world.send({ ...asked, method, url });
}

function sendFailing(operationId: OperationId, error: Error): Reply {
  vi.spyOn(world.service.store, "write").mockRejectedValue(error);
  vi.spyOn(world.service.store, "read").mockRejectedValue(error);
  vi.spyOn(world.service.app.log, "error").mockImplementation(() => undefined);
  return world.send(world.request(operationId), { headers: newKey() });
}

async function sendAs(operationId: OperationId, credential: IssuedCredential): Reply {
  return world.send(world.request(operationId), { as: credential });
}

/** An operation whose merchant is inactive while it is asked. */
async function sendInactive(operationId: OperationId): Reply {
  const owner = operationId.startsWith("sendDirect") ? "default" : merchantId;
  const switchTo = (active: boolean) =>
    world.send({ method: "POST", url: "/api/v1/merchants", body: { merchantId: owner, displayName: "One", active } });
  await switchTo(false);
  const reply = await world.send(world.request(operationId));
  await switchTo(true);
  return reply;
}

async function withConsent(operationId: OperationId, status: "OPT_OUT" | undefined): Reply {
  const contact = operationId === "sendEmail" ? "opted@out.example" : "+12125550100";
  const owner = operationId.startsWith("sendDirect") ? "default" : merchantId;
  const channel = operationId === "sendVoice" ? "VOICE" : operationId === "sendEmail" ? "EMAIL" : "SMS";
  if (status !== undefined) {
    const body = { merchantId: owner, channel, contact, status };
    await world.send({ method: "POST", url: "/api/v1/consents", body });
  }
  const type = operationId.startsWith("sendDirect") ? {} : { type: "MARKETING" };
  return sendChanged(operationId, {
    to:
      status === undefined
        ? contact.replace(/^\+1212|^opted/, (start) => (start === "opted" ? "nobody" : "+1312"))
        : contact,
    ...type,
  });
}

/** A merchant without anything, to act for. */
async function withoutQuota(operationId: OperationId): Reply {
  if (operationId.startsWith("sendDirect")) {
    const poor = await world.service.issue({ tenant: `Poor ${keys}` });
    return sendAs(operationId, poor);
  }
  await world.send({ method: "POST", url: "/api/v1/merchants", body: { merchantId: "poor", displayName: "Poor" } });
  const consent = { merchantId: "poor", channel: "VOICE", contact: "+12025550100", status: "OPT_IN" };
  await world.send({ method: "POST", url: "/api/v1/consents", body: consent });
  return sendChanged(operationId, { merchantId: "poor" });
}

const scenarios: Partial<Record<ProblemCode, Scenario>> = {
  malformed_json: (_world, operationId) => {
    const { method, url } = world.request(operationId);
    return world.service.call(method, url, { body: "{", headers: json });
  },
  validation_error: (_world, operationId) => {
    const request = world.request(operationId);
    if (request.body !== undefined) return sendChanged(operationId, { unheardOf: 1 });
    if (operationId === "getDirectoryEntry") return sendTo(operationId, { identifier: "x".repeat(300) });
    return world.send({ ...request, url: `${request.url}?unheardOf=1` });
  },
  invalid_phone_number: (_world, operationId) => {
    const field = {
      recordConsent: "contact",
      createTtsCalls: "toNumber",
      registerNumber: "phoneNumber",
      registerBrand: "contactPhone",
    };
    return sendChanged(operationId, { [field[operationId as keyof typeof field] ?? "to"]: "+9990000" });
  },
  invalid_email: (_world, operationId) => {
    if (operationId === "recordConsent") return sendChanged(operationId, { channel: "EMAIL", contact: "nobody" });
    return sendChanged(operationId, { [operationId === "registerBrand" ? "contactEmail" : "to"]: "nobody" });
  },
  invalid_timezone: (_world, operationId) => sendChanged(operationId, { customerTimezone: "Mars/Olympus" }),
  invalid_date_range: (_world, operationId) =>
    world.send({ ...world.request(operationId), url: "/api/v1/reports/usage?from=2026-01-10&to=2026-01-01" }),
  idempotency_key_invalid: (_world, operationId) =>
    world.send(world.request(operationId), { headers: { "idempotency-key": "é" } }),
  idempotency_key_conflict: (_world, operationId) => {
    const request = world.request(operationId);
    const body = { ...(request.body as object), idempotencyKey: "other" };
    return world.send({ ...request, body }, { headers: newKey() });
  },
  credentials_missing: (_world, operationId) => world.send(world.request(operationId), { as: null }),
  credentials_invalid: (_world, operationId) =>
    world.send(world.request(operationId), { as: { ...world.service.credential, apiSecret: "mks_wrong" } }),
  credentials_revoked: async (_world, operationId) => {
    const credential = await world.service.issue({});
    await world.service.store.write((tx) =>
      tx.run("UPDATE credentials SET revoked_at = 0 WHERE api_key = $1", credential.apiKey),
    );
    return sendAs(operationId, credential);
  },
  quota_exceeded: (_world, operationId) => withoutQuota(operationId),
  merchant_scope_denied: async (_world, operationId) => {
    await world.send({ method: "POST", url: "/api/v1/merchants", body: { merchantId: "other", displayName: "Other" } });
    const other = await world.service.issue({ merchantId: "other" });
    const request = world.request(operationId);
    const isList = request.body === undefined && !request.url.includes(merchantId);
    return world.send(isList ? { ...request, url: withMerchant(operationId, request.url) } : request, { as: other });
  },
  tenant_mismatch: async (_world, operationId) => {
    const other = await world.service.issue({ tenant: "Elsewhere" });
    const basic = Buffer.from(`${other.apiKey}:${other.apiSecret}`).toString("base64");
    return world.send(world.request(operationId), { headers: { authorization: `Basic ${basic}` } });
  },
  merchant_inactive: (_world, operationId) => sendInactive(operationId),
  route_not_found: (_world, operationId) => {
    const { method, path } = operations[operationId];
    return world.send({ ...world.request(operationId), method, url: path.replaceAll(/\{\w+\}/g, "") });
  },
  merchant_not_found: (_world, operationId) => {
    const request = world.request(operationId);
    if (request.url.includes(merchantId)) return sendTo(operationId, { merchantId: "nobody" });
    if (request.body !== undefined) return sendChanged(operationId, { merchantId: "nobody" });
    return world.send({ ...request, url: `${request.url}?merchantId=nobody` });
  },
  message_not_found: (_world, operationId) => sendChanged(operationId, { messageId: "msg_01KJQH7VR0X4T8ZB2M6QWEN9KD" }),
  call_not_found: (_world, operationId) => sendTo(operationId, { requestId: "999" }),
  batch_not_found: (_world, operationId) => sendTo(operationId, { batchId: "999" }),
  brand_not_found: async (_world, operationId) => {
    await addMerchant("bare");
    const { body, url } = world.request(operationId);
    const campaign = { ...(body as object), campaignReference: "of-nobody" };
    return world.send({ method: "POST", url: url.replace(merchantId, "bare"), body: campaign });
  },
  campaign_not_found: (_world, operationId) => sendChanged(operationId, { campaignId: 999 }),
  number_not_found: (_world, operationId) => sendTo(operationId, { numberId: "999" }),
  sip_user_not_found: (_world, operationId) => sendChanged(operationId, { sipUsername: "nobody" }),
  method_not_allowed: (_world, operationId) => {
    const { url } = world.request(operationId);
    const credential = world.service.credential;
    const headers = { "x-api-key": credential.apiKey, "x-api-secret": credential.apiSecret };
    return world.service.app.inject({ method: "DELETE", url, headers });
  },
  not_acceptable: (_world, operationId) => world.send(world.request(operationId), { headers: { accept: "image/png" } }),
  payload_too_large: (_world, operationId) => {
    const { method, url } = world.request(operationId);
    return world.service.call(method, url, { body: JSON.stringify({ a: "x".repeat(2_200_000) }), headers: json });
  },
  unsupported_media_type: (_world, operationId) => {
    const { method, url } = world.request(operationId);
    return world.service.call(method, url, {
      body: "a=1",
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
  },
  consent_required: (_world, operationId) => withConsent(operationId, undefined),
  consent_opted_out: (_world, operationId) => withConsent(operationId, "OPT_OUT"),
  idempotency_key_reused: async (_world, operationId) => {
    const headers = newKey();
    const first = await world.send(world.request(operationId), { headers });
    expect(first.statusCode, first.body).toBeLessThan(300);
    return sendOther(operationId, headers);
  },
  number_already_registered: async (_world, operationId) => {
    await addMerchant("rival");
    const { body, url } = world.request(operationId);
    return world.send({ method: "POST", url: url.replace(merchantId, "rival"), body });
  },
  campaign_reference_conflict: async (_world, operationId) => {
    await addMerchant("rival");
    const { body, url } = world.request(operationId);
    return world.send({ method: "POST", url: url.replace(merchantId, "rival"), body });
  },
  illegal_transition: async (_world, operationId) => {
    const number = await addNumber();
    await sendAssignment("assignNumber", number, await addCampaign());
    return sendAssignment(operationId, number, await addCampaign());
  },
  number_not_sms_capable: async (_world, operationId) =>
    sendAssignment(operationId, await addNumber({ capabilities: ["VOICE"] }), await addCampaign()),
  campaign_number_limit: async (_world, operationId) => {
    const campaign = await addCampaign({ useCase: "SOLE_PROPRIETOR", subUseCases: [] });
    await sendAssignment("assignNumber", await addNumber(), campaign);
    return sendAssignment(operationId, await addNumber(), campaign);
  },
  reply_not_supported: async (_world, operationId) => {
    const sent = await world.send(world.request("sendEmail"));
    return sendChanged(operationId, { messageId: sent.json().messageId });
  },
  all_recipients_refused: (_world, operationId) =>
    sendChanged(operationId, { toNumber: "+13125550100", useCase: "MARKETING" }),
  rate_limited: async (_world, operationId) => {
    const { method, url, body } = world.request(operationId);
    const as = await limited.issue({});
    await limited.call(method, url, { body, as });
    return limited.call(method, url, { body, as });
  },
  internal_error: (_world, operationId) => sendFailing(operationId, new Error("a fault nobody foresaw")),
  unavailable: (_world, operationId) => sendFailing(operationId, new StoreUnavailable("the disk is full")),
};

/** The operation's request with one field of another value. */
function sendOther(operationId: OperationId, headers: Record<string, string>): Reply {
  const request = world.request(operationId);
  const body = request.body as object;
  const name = Object.keys(others).find((field) => Object.hasOwn(body, field));
  if (name === undefined) throw new Error(`no other value is known for a field of ${operationId}`);
  return world.send({ ...request, body: { ...body, [name]: others[name] } }, { headers });
}

/** Other values of fields, one of which each request has. */
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
  campaignId: 999,
};

const messaging = `/api/v1/merchants/${merchantId}/messaging`;
const phoneNumbers = new Map<number, string>();
let campaigns = 0;

async function addNumber(more: object = {}): Promise<number> {
  const phoneNumber = `+1415555${2_000 + phoneNumbers.size}`;
  const body = { phoneNumber, capabilities: ["SMS"], ...more };
  const reply = await world.send({ method: "POST", url: `${messaging}/numbers`, body });
  const { id } = reply.json();
  phoneNumbers.set(id, phoneNumber);
  return id;
}

async function addCampaign(more: object = {}): Promise<number> {
  campaigns += 1;
  const { body, ...request } = world.request("registerCampaign");
  const campaign = { ...(body as object), campaignReference: `campaign-${campaigns}`, ...more };
  return (await world.send({ ...request, body: campaign })).json().id;
}

/** Puts the number on the campaign by either operation. */
function sendAssignment(operationId: OperationId, numberId: number, campaignId: number): Reply {
  if (operationId === "assignNumber") {
    return world.send({ method: "POST", url: `${messaging}/numbers/${numberId}/assign`, body: { campaignId } });
  }
  const body = { phoneNumber: phoneNumbers.get(numberId), campaignId };
  return world.send({ method: "POST", url: `${messaging}/numbers`, body });
}

function addMerchant(id: string): Reply {
  return world.send({ method: "POST", url: "/api/v1/merchants", body: { merchantId: id, displayName: id } });
}

/** A list asked for a merchant that is not the credential's own. */
function withMerchant(operationId: OperationId, url: string): string {
  const parameters: readonly string[] = operations[operationId].queryParameters;
  return parameters.includes("merchantId") ? `${url}?merchantId=${merchantId}` : url;
}

/** Plays the scenario of the code for the operation, and gives the reply. */
export function play(operationId: OperationId, code: ProblemCode): Reply {
  const scenario = scenarios[code];
  if (scenario === undefined) throw new Error(`nothing here brings about ${code}`);
  return scenario(world, operationId);
}

/** Every code that an operation documents, and that can be brought about. */
export const cases = (Object.keys(operations) as OperationId[]).flatMap((operationId) =>
  Object.entries(operations[operationId].errors).flatMap(([status, codes]) =>
    (codes as readonly ProblemCode[])
      .filter((code) => !unreachable.includes(code))
      .map((code) => [operationId, Number(status), code] as const),
  ),
);
