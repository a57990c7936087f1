// Creates a merchant with one object of each kind, from the contract's own examples.

import { type OperationId, operations } from "@msgctl/contract";
import type { CheckedReply } from "../contract-check/reply-check.ts";
import { requestBodies } from "../generated/request-bodies.ts";
import { fieldsOf, wordsOf } from "./reply.ts";
import { NotReachable, type Request, type Send } from "./send.ts";
import type { Surroundings, Target } from "./target.ts";

const patient = "+12025550100";

/** Creates the merchant and the objects that each operation needs in order to succeed. */
export async function createTarget<Reply extends CheckedReply>(
  send: Send<Reply>,
  surroundings: Surroundings,
): Promise<Target<Reply>> {
  const { prefix, newNumber } = surroundings;
  const merchantId = `${prefix}bright-dental`;
  const phoneNumber = newNumber();
  const ids = new Map<string, unknown>([["merchantId", merchantId]]);
  /** Why an id is missing. */
  const refusals = new Map<string, string>();
  let hasSipUser = false;

  function idOf(name: string): unknown {
    const id = ids.get(name);
    if (id === undefined) throw new NotReachable(refusals.get(name) ?? `there is no ${name}`);
    return id;
  }

  function request(operationId: OperationId): Request {
    const { method, path } = operations[operationId] as { method: "GET" | "POST"; path: string };
    const url = path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent(String(idOf(name))));
    const body = bodyOf(operationId);
    return body === undefined ? { method, url } : { method, url, body };
  }

  function bodyOf(operationId: OperationId): object | undefined {
    const example = requestBodies[operationId];
    switch (operationId) {
      case "assignNumber":
        return { campaignId: idOf("campaignId") };
      case "simulateReply":
        return { ...example, tenantId: String(idOf("tenantId")), messageId: idOf("messageId") };
      case "registerCampaign":
        return { ...example, campaignReference: `${prefix}bright-campaign-1` };
      case "registerNumber":
        return { ...example, phoneNumber };
      case "reportSipPresence":
        return { ...example, sipUsername: idOf("sipUsername"), registered: idOf("registered") };
      default:
        return example !== undefined && "merchantId" in example ? { ...example, merchantId } : example;
    }
  }

  /** Calls the operation, and stores fields of its reply under the given names. */
  async function make(operationId: OperationId, kept: Readonly<Record<string, string>> = {}): Promise<unknown> {
    let reply: Reply | undefined;
    let refusal: string;
    try {
      reply = await send(request(operationId));
      refusal = `${operationId}, which creates it, answered ${wordsOf(reply)}`;
    } catch (error) {
      if (!(error instanceof NotReachable)) throw error;
      refusal = error.message;
    }
    const view = reply !== undefined && reply.statusCode < 300 ? fieldsOf(reply) : {};
    for (const [name, field] of Object.entries(kept)) {
      if (view[field] === undefined) refusals.set(name, `no ${name}: ${refusal}`);
      else ids.set(name, view[field]);
    }
    return view;
  }

  await make("upsertMerchant");
  for (const channel of ["SMS", "VOICE"]) {
    const body = { merchantId, channel, contact: patient, status: "OPT_IN" };
    try {
      await send({ method: "POST", url: "/api/v1/consents", body });
    } catch (error) {
      if (!(error instanceof NotReachable)) throw error;
    }
  }
  await make("getVoiceProvisioning", { tenantId: "tenantId", sipUsers: "sipUsers" });
  keepSipUser();
  await make("sendSms", { messageId: "messageId" });
  await make("createTtsCalls", { requestId: "requestId", batchId: "batchId" });
  await make("registerBrand");
  await make("registerCampaign", { campaignId: "id" });
  await make("registerNumber", { numberId: "id" });
  return { ...surroundings, merchantId, hasSipUser, send, request };

  /** Chooses a SIP user and its current presence, so that reporting this presence changes nothing. */
  function keepSipUser(): void {
    const users = ids.get("sipUsers");
    const [user] = Array.isArray(users) ? (users as Readonly<Record<string, unknown>>[]) : [];
    ids.set("identifier", user?.sipUsername ?? `${prefix}nobody`);
    ids.set("sipUsername", user?.sipUsername ?? `${prefix}nobody`);
    ids.set("registered", user !== undefined && user.agentStatus !== "OFFLINE");
    hasSipUser = user !== undefined;
  }
}
