import { expect, it } from "vitest";
import { toCall } from "./try-it.ts";

const form = { method: "GET", path: "/api/v1/merchants/{merchantId}", accept: "application/json" };
const accept = "application/json, application/problem+json";

it.each([
  ["a/b c?", "/api/v1/merchants/a%2Fb%20c%3F"],
  ["..", "/api/v1/merchants/%2E%2E"],
  [".", "/api/v1/merchants/%2E"],
  ["$&", "/api/v1/merchants/%24%26"],
])("puts %j into the path as one segment", (value, url) => {
  expect(toCall({ ...form, values: new Map([["path:merchantId", value]]) })).toMatchObject({ url, method: "GET" });
});

it("omits empty values, and sends all others as query, headers and body", () => {
  const values = new Map([
    ["apiKey", "key"],
    ["apiSecret", "secret"],
    ["query:limit", "5"],
    ["query:status", ""],
    ["header:Idempotency-Key", "k 1"],
    ["body", "{}"],
  ]);
  expect(toCall({ method: "POST", path: "/a", accept: "application/json", values })).toEqual({
    url: "/a?limit=5",
    method: "POST",
    headers: {
      ...{ Accept: accept, "X-API-KEY": "key", "X-API-SECRET": "secret" },
      ...{ "Idempotency-Key": "k 1", "Content-Type": "application/json" },
    },
    body: "{}",
  });
});

it("sends no credential header if the credential is incomplete, and HTTP Basic if that scheme is chosen", () => {
  const headers = (given: [string, string][]) =>
    toCall({ method: "GET", path: "/a", accept: "", values: new Map(given) }).headers;
  expect(
    headers([
      ["apiKey", ""],
      ["apiSecret", ""],
    ]),
  ).toEqual({});
  expect(
    headers([
      ["apiKey", "k"],
      ["apiSecret", "s\u00e9"],
      ["scheme", "basic"],
    ]),
  ).toEqual({
    Authorization: `Basic ${Buffer.from("k:s\u00e9").toString("base64")}`,
  });
});
