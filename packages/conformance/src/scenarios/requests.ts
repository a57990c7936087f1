// Building blocks of scenarios: an operation's request with changes, and its preconditions.

import { type OperationId, operations } from "@msgctl/contract";
import type { CheckedReply } from "../contract-check/reply-check.ts";
import { fieldsOf, wordsOf } from "../target/reply.ts";
import { NotReachable } from "../target/send.ts";
import type { Target } from "../target/target.ts";

export type Reply = Promise<CheckedReply>;

/** Larger than any id in use. */
export const noSuchId = Number.MAX_SAFE_INTEGER;

let keys = 0;

/** A header with a new Idempotency-Key. */
export function newKey(target: Target): Record<string, string> {
  keys += 1;
  return { "idempotency-key": `${target.prefix}key-${keys}` };
}

/** Sends the operation's request with these body fields changed. */
export function sendChanged(
  target: Target,
  operationId: OperationId,
  change: Record<string, unknown>,
  as = target.credential,
): Reply {
  const request = target.request(operationId);
  return target.send({ ...request, body: { ...(request.body as object), ...change } }, { as });
}

/** Sends the operation's request with other path values, by name. */
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

/** Sends this text to the operation as its body. */
export function sendText(
  target: Target,
  operationId: OperationId,
  body: string,
  contentType = "application/json",
): Reply {
  return target.send({ ...target.request(operationId), body }, { headers: { "content-type": contentType } });
}

/** Creates the merchant, active unless `more` says otherwise. */
export function upsertMerchant(target: Target, merchantId: string, more: object = {}, as = target.credential): Reply {
  const body = { merchantId, displayName: merchantId, active: true, ...more };
  return target.send({ method: "POST", url: "/api/v1/merchants", body }, { as });
}

/** Records a contact's consent decision for a merchant. */
export function recordConsent(target: Target, body: object, as = target.credential): Reply {
  return target.send({ method: "POST", url: "/api/v1/consents", body }, { as });
}

/** Sends the operation's request for a new merchant, which has none of the data of the target's merchant. */
export async function sendFor(target: Target, operationId: OperationId, role: string, change: object = {}): Reply {
  const merchantId = `${target.prefix}${role}`;
  await upsertMerchant(target, merchantId);
  const { body, url } = target.request(operationId);
  const asked = { ...(body as object), ...change };
  return target.send({ method: "POST", url: url.replace(target.merchantId, merchantId), body: asked });
}

/** Returns the field of a reply that identifies the created object. @throws {NotReachable} If it is missing. */
export function idIn(reply: CheckedReply, name: string): unknown {
  const id = fieldsOf(reply)[name];
  if (id === undefined) throw new NotReachable(`an earlier request returned no ${name}: ${wordsOf(reply)}`);
  return id;
}
