// What the checks of this folder talk to: any server that claims the contract, in this process or somewhere else, in
// which a merchant is made that has one of everything, after the contract's own examples.

import { type OperationId, operations } from "@msgctl/contract";
import type { CheckedReply } from "../../packages/server/src/contract-check.ts";
import { contentOf, examplesOf, routes } from "../contract/document.ts";

export interface Credential {
  readonly apiKey: string;
  readonly apiSecret: string;
}

export interface Request {
  readonly method: "GET" | "POST" | "DELETE";
  readonly url: string;
  /** Sent as JSON; a text is sent as it is, under the content type that is given. */
  readonly body?: unknown;
}

export interface SendOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Another credential than the target's own; null: none. */
  readonly as?: Credential | null;
}

export type Send<Reply extends CheckedReply = CheckedReply> = (
  request: Request,
  options?: SendOptions,
) => Promise<Reply>;

/** What a code takes beside the target's own credential, as far as it is there. */
export interface OtherCredentials {
  /** Of a whole tenant other than the target's, whose merchant `default` may be changed. */
  readonly spare?: Credential | undefined;
  /** Of one merchant of the target's tenant, which the checks have not made. */
  readonly merchant?: Credential | undefined;
  /** One that was good, and was revoked. */
  readonly revoked?: Credential | undefined;
}

/** What each of the other credentials is to be. */
const otherCredentials: Readonly<Record<keyof OtherCredentials, string>> = {
  spare: "a credential of a spare tenant, whose merchant `default` may be changed",
  merchant: "a credential of one merchant of the tenant",
  revoked: "a credential that was revoked",
};

/** What is the target's, and what is to be left alone in it. */
export interface Surroundings {
  readonly credential: Credential;
  readonly others: OtherCredentials;
  /** Before every name that is made up, so that nobody else has it. */
  readonly prefix: string;
  /** A number to register, other than all before. */
  newNumber(): string;
}

export interface Target<Reply extends CheckedReply = CheckedReply> extends Surroundings {
  readonly merchantId: string;
  /** Whether the tenant has a user whose presence can be reported. */
  readonly hasSipUser: boolean;
  send: Send<Reply>;
  /** What the operation is asked, so that it succeeds. @throws {NotReachable} When it cannot. */
  request(operationId: OperationId): Request;
}

/** Says why a reply that the contract documents cannot be brought about in this target. */
export class NotReachable extends Error {}

/** A request to which nothing came back that can be read: the server's fault, but not the end of the run. */
export class NoReply extends Error {}

/** Ends a run that can go no further: nobody is there, a bound is reached, or it is to stop. */
export class RunEnded extends Error {}

/** @throws {NotReachable} When the credential is not there. */
export function needOther({ others }: Target, name: keyof OtherCredentials): Credential {
  const credential = others[name];
  if (credential === undefined) throw new NotReachable(`needs ${otherCredentials[name]}`);
  return credential;
}

/** Bigger than what any service has counted to. */
export const noSuchId = Number.MAX_SAFE_INTEGER;
const patient = "+12025550100";

/** Makes the merchant, and what each operation needs to succeed for it. */
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
    const example = exampleBodies.get(operationId);
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

  /** Does the operation and keeps fields of its reply, each under a name of its own. */
  async function make(operationId: OperationId, kept: Readonly<Record<string, string>> = {}): Promise<unknown> {
    let reply: Reply | undefined;
    let refusal: string;
    try {
      reply = await send(request(operationId));
      refusal = `${operationId}, which makes it, answered ${wordsOf(reply)}`;
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

  /** One whose presence a report can leave as it is: what it has now is what is reported. */
  function keepSipUser(): void {
    const users = ids.get("sipUsers");
    const [user] = Array.isArray(users) ? (users as Readonly<Record<string, unknown>>[]) : [];
    ids.set("identifier", user?.sipUsername ?? `${prefix}nobody`);
    ids.set("sipUsername", user?.sipUsername ?? `${prefix}nobody`);
    ids.set("registered", user !== undefined && user.agentStatus !== "OFFLINE");
    hasSipUser = user !== undefined;
  }
}

/** The fields of a reply that is a JSON object; none of any other. */
export function fieldsOf({ body }: CheckedReply): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}

/** A reply in a few words: the status, and the problem's code or how the body starts. */
export function wordsOf(reply: CheckedReply): string {
  const { code = reply.body.slice(0, 80) } = fieldsOf(reply);
  return `${reply.statusCode} ${reply.statusCode < 300 ? "" : code}`.trimEnd();
}

/** The first example of each operation's request. */
const exampleBodies = new Map(
  routes.flatMap(({ operation }) => {
    if (operation.requestBody === undefined) return [];
    const [example] = examplesOf(contentOf(operation.requestBody) as never);
    return example === undefined ? [] : [[operation.operationId as OperationId, example[1] as object]];
  }),
);
