// One server in process, with one tenant that has one of everything, made from the contract's own examples: each
// operation can be called with a request that succeeds.

import { type OperationId, operations } from "@msgctl/contract";
import type { LightMyRequestResponse } from "fastify";
import { parseProvisioningFile } from "../../packages/server/src/commands/provisioning-file.ts";
import { type InMemoryService, openInMemoryService, secrets } from "../../packages/server/src/in-memory-service.ts";
import { toStoredProvisioning } from "../../packages/server/src/operations/provisioning.ts";
import { replaceProvisioning } from "../../packages/server/src/store/provisioning.ts";
import type { IssuedCredential } from "../../packages/server/src/tenancy.ts";
import { contentOf, examplesOf, replies, routes } from "../contract/document.ts";

export const merchantId = "bright-dental";
const patient = "+12025550100";

export interface Request {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly body?: unknown;
}

/** What a test looks at of a reply. */
export type ReceivedReply = Pick<LightMyRequestResponse, "statusCode" | "headers" | "body" | "json">;

/** A service, however its `call` gets there. */
export interface ReachedService extends Omit<InMemoryService, "call"> {
  call(...request: Parameters<InMemoryService["call"]>): Promise<ReceivedReply>;
}

/** Says how the service is called: in process as it is, or over HTTP. */
export type Reach = (service: InMemoryService) => Promise<ReachedService>;

export const asItIs: Reach = async (service) => service;

export interface World {
  readonly service: ReachedService;
  /** What the operation is asked, so that it succeeds for the tenant. */
  request(operationId: OperationId): Request;
  send(
    request: Request,
    options?: { headers?: Record<string, string>; as?: IssuedCredential | null },
  ): Promise<ReceivedReply>;
  close(): Promise<void>;
}

export async function openWorld(reach: Reach = asItIs): Promise<World> {
  const service = await reach(await openInMemoryService());
  const ids: Record<string, string | number> = { merchantId, identifier: "dana" };

  function request(operationId: OperationId): Request {
    const { method, path } = operations[operationId];
    const url = path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent(String(ids[name])));
    const body = bodyOf(operationId);
    return body === undefined ? { method, url } : { method, url, body };
  }

  function bodyOf(operationId: OperationId): object | undefined {
    const example = exampleBodies.get(operationId);
    if (operationId === "assignNumber") return { campaignId: ids.campaignId };
    if (operationId === "simulateReply") return { ...example, tenantId: ids.tenantId, messageId: ids.messageId };
    return example;
  }

  const send: World["send"] = ({ method, url, body }, options = {}) => service.call(method, url, { ...options, body });

  async function make(operationId: OperationId): Promise<Record<string, string | number>> {
    const reply = await send(request(operationId));
    if (reply.statusCode !== 200) throw new Error(`${operationId} was refused: ${reply.body}`);
    return reply.json();
  }

  await service.start();
  await make("upsertMerchant");
  const direct = { merchantId: "default", displayName: "Acme", smsLimit: 1_000, emailLimit: 1_000 };
  await send({ method: "POST", url: "/api/v1/merchants", body: direct });
  for (const channel of ["SMS", "VOICE"]) {
    const consent = { merchantId, channel, contact: patient, status: "OPT_IN" };
    await send({ method: "POST", url: "/api/v1/consents", body: consent });
  }
  await importProvisioning(service);
  ids.tenantId = String(service.credential.tenantId);
  ids.messageId = (await make("sendSms")).messageId ?? "";
  const call = await make("createTtsCalls");
  ids.requestId = call.requestId ?? "";
  ids.batchId = call.batchId ?? "";
  await make("registerBrand");
  ids.campaignId = (await make("registerCampaign")).id ?? "";
  ids.numberId = (await make("registerNumber")).id ?? "";
  return { service, request, send, close: () => service.close() };
}

/** What the contract shows as a tenant's provisioning, as its own. */
async function importProvisioning({ store, clock, credential }: ReachedService): Promise<void> {
  const { tenantId } = credential;
  const reply = replies.find(
    ({ route, status }) => route.operation.operationId === "getVoiceProvisioning" && status === 200,
  );
  const [example] = reply === undefined ? [] : examplesOf(contentOf(reply.response) as never);
  if (example === undefined) throw new Error("the contract shows no provisioning");
  const document = parseProvisioningFile(JSON.stringify({ ...(example[1] as object), tenantId }), tenantId);
  const stored = toStoredProvisioning(document, secrets.seal);
  await store.write((tx) => replaceProvisioning(tx, tenantId, stored, clock.now()));
}

/** The first example of each operation's request. */
const exampleBodies = new Map(
  routes.flatMap(({ operation }) => {
    if (operation.requestBody === undefined) return [];
    const [example] = examplesOf(contentOf(operation.requestBody) as never);
    return example === undefined ? [] : [[operation.operationId as OperationId, example[1] as object]];
  }),
);
