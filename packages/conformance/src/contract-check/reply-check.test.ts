import { describe, expect, it } from "vitest";
import { type CheckedReply, createContractCheck, createReplyCheck } from "./reply-check.ts";

const judge = createReplyCheck();
const headers = { "content-type": "application/json", "x-request-id": "req_1" };
const problem = {
  type: "https://errors.example/merchant_not_found",
  title: "No such merchant",
  status: 404,
  detail: "There is no merchant shop.",
  instance: "/api/v1/merchants/shop",
  code: "merchant_not_found",
  requestId: "req_1",
};

function success(body: string, more: Partial<CheckedReply> = {}): CheckedReply {
  return { statusCode: 200, headers, body, ...more };
}

function refusal(more: object = {}, type = "application/problem+json; charset=utf-8"): CheckedReply {
  return {
    statusCode: 404,
    headers: { ...headers, "content-type": type },
    body: JSON.stringify({ ...problem, ...more }),
  };
}

describe("the identity of a reply", () => {
  it("names the operation of a success", () => {
    expect(judge({ method: "GET", url: "/api/v1/merchants?limit=1" }, success("[]"))).toEqual({
      ...{ operationId: "listMerchants", status: 200, code: undefined },
      faults: [],
    });
  });

  it("names the operation and the code of a refusal", () => {
    expect(judge({ method: "GET", url: "/api/v1/merchants/shop" }, refusal())).toEqual({
      ...{ operationId: "getMerchant", status: 404, code: "merchant_not_found" },
      faults: [],
    });
  });

  it("has no operation for an unknown path", () => {
    expect(judge({ method: "GET", url: "/api/v1/nothing" }, refusal({ code: "route_not_found" }))).toEqual({
      ...{ operationId: undefined, status: 404, code: "route_not_found" },
      faults: [],
    });
  });
});

it.each<[path: string, reply: CheckedReply, fault: string]>([
  ["merchants", success("[]", { headers: { "content-type": "application/json" } }), "no X-Request-Id"],
  ["merchants", success("[]", { statusCode: 201 }), "listMerchants answered 201"],
  ["merchants", success("{}"), "expected a list"],
  ["merchants", success("<p>"), "it is not JSON"],
  [
    "merchants",
    success("[]", { headers: { ...headers, "content-type": "text/html" } }),
    "expected application/json, received text/html",
  ],
  ["merchants", success("[{}]"), "MerchantView must have required property 'merchantId'"],
  ["merchants/shop", success("{}"), "MerchantView must have required property 'merchantId'"],
  ["merchants/shop", refusal({}, "application/json"), "the media type of a problem is application/json"],
  ["merchants/shop", refusal({ status: 400 }), "the problem says 400, but the reply 404"],
  ["merchants/shop", refusal({ code: "call_not_found" }), "getMerchant does not document 404 call_not_found"],
  ["merchants/shop", refusal({ title: 1 }), "Problem/title must be string"],
])("a reply to %s, %o, has the fault %j", (path, reply, fault) => {
  expect(judge({ method: "GET", url: `/api/v1/${path}` }, reply).faults).toContain(fault);
});

it("a reply with a body has a fault if no body is expected", () => {
  const request = { method: "POST", url: "/api/v1/voice/provisioning/sip-presence" };
  expect(judge(request, { statusCode: 204, headers, body: "" }).faults).toEqual([]);
  expect(judge(request, { statusCode: 204, headers, body: "{}" }).faults).toEqual([
    "expected no body, but the reply has one",
  ]);
});

it("an error contains the request, the faults and the reply", () => {
  const check = createContractCheck();
  const request = { method: "GET", url: "/api/v1/merchants?limit=1" };
  expect(() => check(request, success("[]"))).not.toThrow();
  expect(() => check(request, success("{}"))).toThrow(
    "GET /api/v1/merchants violated the contract: expected a list. It answered: {}",
  );
});
