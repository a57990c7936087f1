import { expect, it } from "vitest";
import { UsageError } from "./errors.ts";
import { fillPath } from "./path-values.ts";
import { accepted, answered } from "./testing/answering.ts";

it.each([
  ["m1", "/a/m1/b"],
  ["a/b", "/a/a%2Fb/b"],
  ["%2e%2e", "/a/%252e%252e/b"],
  ["...", "/a/.../b"],
  ["x?y#z", "/a/x%3Fy%23z/b"],
  ["{id}", "/a/%7Bid%7D/b"],
  ["ünï", "/a/%C3%BCn%C3%AF/b"],
  [0, "/a/0/b"],
  [417, "/a/417/b"],
  [2n ** 63n - 1n, "/a/9223372036854775807/b"],
])("encodes %o", (id, filled) => {
  expect(fillPath("/a/{id}/b", { id })).toBe(filled);
});

it.each([
  ["", '""'],
  [".", '"."'],
  ["..", '".."'],
  [undefined, "undefined"],
  [null, "null"],
  [2 ** 53, "9007199254740992"],
  [1.5, "1.5"],
  [Number.NaN, "NaN"],
  [{}, "of type object"],
])("refuses %o and shows what it received", (id, shown) => {
  expect(() => fillPath("/a/{id}/b", { id })).toThrow(UsageError);
  expect(() => fillPath("/a/{id}/b", { id })).toThrow(`id is ${shown}`);
});

it.each(["", ".", ".."])("sends nothing for %o", async (merchantId) => {
  const { client, sent } = answered(() => accepted());
  await expect(client.merchants.get(merchantId)).rejects.toThrow(UsageError);
  await expect(client.raw.GET("/api/v1/merchants/{merchantId}", { params: { path: { merchantId } } })).rejects.toThrow(
    UsageError,
  );
  expect(sent).toEqual([]);
});

it("sends nothing if a value of the path is missing", async () => {
  const { client, sent } = answered(() => accepted());
  const path = "/api/v1/merchants/{merchantId}";
  await expect(client.request("GET", path)).rejects.toThrow("merchantId is undefined");
  await expect(client.raw.GET(path, {} as never)).rejects.toThrow("merchantId is undefined");
  expect(sent).toEqual([]);
});
