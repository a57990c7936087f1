// Compares the rules of headers with openapi.yaml, and checks that the rules find faults.

import type { OperationId } from "@msgctl/contract";
import { expect, it } from "vitest";
import { replies } from "../../contract/test/document.ts";
import { findHeaderFaults, headerRules } from "../src/contract-check/headers.ts";

it("each header of each documented reply has a rule, and no other header has one", () => {
  const differing = replies.flatMap(({ route, status, response }) => {
    const operationId = route.operation.operationId as OperationId;
    const documented = Object.keys((response as { headers?: object }).headers ?? {}).sort();
    const held = headerRules.filter((rule) => rule.isDocumented(status, operationId)).map(({ name }) => name);
    return held.sort().join() === documented.join() ? [] : [`${operationId} ${status}: ${documented} but ${held}`];
  });
  expect(replies.length).toBeGreaterThan(300);
  expect(differing).toEqual([]);
});

const id = { "x-request-id": "req_1" };

it.each<[fault: string, operationId: OperationId, statusCode: number, headers: object]>([
  ["no X-Request-Id", "getMerchant", 200, {}],
  ['X-Request-Id is "a b", expected 1 to 255 printable characters', "getMerchant", 200, { "x-request-id": "a b" }],
  ["no WWW-Authenticate", "getMerchant", 401, id],
  ["no Allow", "getMerchant", 405, id],
  ['Allow is "get", expected methods, such as GET, POST', "getMerchant", 405, { ...id, allow: "get" }],
  ["no Retry-After", "getMerchant", 503, id],
  ['Retry-After is "soon", expected whole seconds', "sendSms", 409, { ...id, "retry-after": "soon" }],
  ["no Cache-Control", "getDirectoryEntry", 200, id],
  ['Idempotent-Replayed is "yes", expected true or false', "sendSms", 200, { ...id, "idempotent-replayed": "yes" }],
  ["RateLimit came without RateLimit-Policy", "getMerchant", 200, { ...id, ratelimit: '"default";r=1;t=1' }],
  [
    'RateLimit is "1", expected "<name>";r=<left>;t=<seconds>',
    "getMerchant",
    200,
    { ...id, ratelimit: "1", "ratelimit-policy": '"default";q=1;w=1' },
  ],
])("reports: %s", (fault, operationId, statusCode, headers) => {
  expect(findHeaderFaults(operationId, { statusCode, headers: headers as Record<string, unknown> })).toEqual([fault]);
});

it("accepts replies as msgd sends them", () => {
  const limited = { ...id, ratelimit: '"default";r=597;t=42', "ratelimit-policy": '"default";q=600;w=60' };
  expect(findHeaderFaults("sendSms", { statusCode: 200, headers: limited })).toEqual([]);
  expect(findHeaderFaults("sendSms", { statusCode: 429, headers: { ...limited, "retry-after": "1" } })).toEqual([]);
  expect(findHeaderFaults("sendSms", { statusCode: 409, headers: id })).toEqual([]);
  expect(findHeaderFaults(undefined, { statusCode: 404, headers: id })).toEqual([]);
});

it("checks replies to a method that an operation's path does not have", () => {
  expect(findHeaderFaults(undefined, { statusCode: 405, headers: id })).toEqual(["no Allow"]);
});
