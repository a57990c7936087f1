// Tenants do not see each other: to one tenant, another tenant's data does not exist.

import { type OperationId, operations } from "@msgctl/contract";
import { fieldsOf } from "../target/reply.ts";
import { needOther, type Target } from "../target/target.ts";
import { BrokenPromise, expectReply, expectSilenceOn, type OperationPromise, promiser } from "./promise.ts";

const promise = promiser("tenants");
const ids = Object.keys(operations) as OperationId[];
const isList = (operationId: OperationId) =>
  operations[operationId].responseIsArray && operations[operationId].pathParameters.length === 0;
/** Operations on the whole tenant: each tenant gets its own data. */
const ofTenant: readonly OperationId[] = ["getVoiceProvisioning", "getDirectoryEntry"];
const named = ids.filter(
  (operationId) =>
    404 in operations[operationId].errors &&
    !isList(operationId) &&
    !operationId.startsWith("sendDirect") &&
    !ofTenant.includes(operationId),
);

export const tenants: readonly OperationPromise[] = [
  ...named.map((operationId) => promise(operationId, "another tenant finds nothing", findNothing)),
  ...ids
    .filter(isList)
    .map((operationId) => promise(operationId, "another tenant's list shows only its own data", listOwn)),
  ...ofTenant.map((operationId) => promise(operationId, "another tenant sees only its own data", readOwn)),
  promise("upsertMerchant", "another tenant may use the same merchant id and Idempotency-Key", makeSame),
];

async function findNothing(target: Target, operationId: OperationId): Promise<void> {
  const as = needOther(target, "spare");
  const request = target.request(operationId);
  const before = request.body === undefined ? "" : await snapshot(target);
  const reply = await target.send(request, { as });
  expectReply(reply, 404, "*_not_found");
  if (request.body === undefined || (await snapshot(target)) === before) return;
  throw new BrokenPromise(reply, "another tenant's request changed this tenant's data", "nothing changed");
}

async function listOwn(target: Target, operationId: OperationId): Promise<void> {
  const reply = await target.send(target.request(operationId), { as: needOther(target, "spare") });
  expectReply(reply, 200);
  expectSilenceOn(reply, target.merchantId, "another tenant's");
}

async function readOwn(target: Target, operationId: OperationId): Promise<void> {
  const reply = await target.send(target.request(operationId), { as: needOther(target, "spare") });
  const { sipUsers } = fieldsOf(await target.send(target.request("getVoiceProvisioning"))) as {
    sipUsers?: readonly { sipUsername: string }[];
  };
  for (const { sipUsername } of sipUsers ?? []) expectSilenceOn(reply, sipUsername, "another tenant's");
}

async function makeSame(target: Target): Promise<void> {
  const as = needOther(target, "spare");
  const merchantId = `${target.prefix}shared`;
  const body = { merchantId, displayName: merchantId };
  const request = { method: "POST", url: operations.upsertMerchant.path, body } as const;
  const headers = { "idempotency-key": merchantId };
  expectReply(await target.send(request, { headers }), 200);
  const theirs = await target.send(request, { headers, as });
  expectReply(theirs, 200);
  if (theirs.headers["idempotent-replayed"] === undefined) return;
  throw new BrokenPromise(
    theirs,
    "another tenant's Idempotency-Key was treated as this tenant's",
    "no Idempotent-Replayed",
  );
}

/** Data that another tenant's writes could have changed. Excludes usage and reviews, which change without a request. */
async function snapshot(target: Target): Promise<string> {
  const { displayName } = fieldsOf(await target.send(target.request("getMerchant")));
  const { body } = await target.send(target.request("listConsents"));
  return `${displayName} ${body}`;
}
