// What scenarios are made of: an operation's request with something changed, and what has to be there before.

import { type OperationId, operations } from "@msgctl/contract";
import type { CheckedReply } from "../contract-check/reply-check.ts";
import { fieldsOf, wordsOf } from "../target/reply.ts";
import { NotReachable } from "../target/send.ts";
import type { Target } from "../target/target.ts";

export type Reply = Promise<CheckedReply>;

/** Bigger than what any service has counted to. */
export const noSuchId = Number.MAX_SAFE_INTEGER;

let keys = 0;

/** The header of an Idempotency-Key that no request has had. */
export function newKey(target: Target): Record<string, string> {
  keys += 1;
  return { "idempotency-key": `${target.prefix}key-${keys}` };
}

/** Sends the operation's request with these fields of its body changed. */
export function sendChanged(
  target: Target,
  operationId: OperationId,
  change: Record<string, unknown>,
  as = target.credential,
): Reply {
  const request = target.request(operationId);
  return target.send({ ...request, body: { ...(request.body as object), ...change } }, { as });
}

/** Sends the operation's request with other values in its path, by their names. */
export function sendTo(target: Target, operationId: OperationId, values: Record<string, string>): Reply {
  const { path } = operations[operationId];
  const asked = target.request(operationId);
  const segments = asked.url.split("/");
  const url = path
    .split("/")
    .map((segment, index) => values[segment.slice(1, -1)] ?? segments[index])
    .join("/");
  return target.send({ ...asked, url });
}

/** Sends this text to the operation as the body. */
export function sendText(
  target: Target,
  operationId: OperationId,
  body: string,
  contentType = "application/json",
): Reply {
  return target.send({ ...target.request(operationId), body }, { headers: { "content-type": contentType } });
}

/** Makes the merchant, active unless `more` says otherwise. */
export function upsertMerchant(target: Target, merchantId: string, more: object = {}, as = target.credential): Reply {
  const body = { merchantId, displayName: merchantId, active: true, ...more };
  return target.send({ method: "POST", url: "/api/v1/merchants", body }, { as });
}

/** Records what a contact said to a merchant. */
export function recordConsent(target: Target, body: object, as = target.credential): Reply {
  return target.send({ method: "POST", url: "/api/v1/consents", body }, { as });
}

/** Sends the operation's request for a merchant of its own, which has nothing of what the target's has. */
export async function sendFor(target: Target, operationId: OperationId, role: string, change: object = {}): Reply {
  const merchantId = `${target.prefix}${role}`;
  await upsertMerchant(target, merchantId);
  const { body, url } = target.request(operationId);
  const asked = { ...(body as object), ...change };
  return target.send({ method: "POST", url: url.replace(target.merchantId, merchantId), body: asked });
}

/** The field of a reply that names what was made. @throws {NotReachable} When it is not there. */
export function idIn(reply: CheckedReply, name: string): unknown {
  const id = fieldsOf(reply)[name];
  if (id === undefined) throw new NotReachable(`no ${name} came of a request before: ${wordsOf(reply)}`);
  return id;
}
