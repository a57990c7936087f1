import { Readable } from "node:stream";
import { expect, it } from "vitest";
import { UsageError } from "./index.ts";
import { accepted, answered } from "./testing/answering.ts";

it.each<[string, unknown]>([
  ["ArrayBuffer", new ArrayBuffer(3)],
  ["Uint8Array", new Uint8Array([1, 2])],
  ["Uint8Array", Buffer.from("{}")],
  ["DataView", new DataView(new ArrayBuffer(1))],
  ["Blob", new Blob(["{}"])],
  ["ReadableStream", new ReadableStream()],
  ["FormData", new FormData()],
  ["URLSearchParams", new URLSearchParams("a=1")],
  ["Map", new Map([["a", 1]])],
  ["Promise", Promise.resolve({})],
  ["Object", Readable.from(["{}"])],
  ["Function", () => ({})],
  ["Symbol", Symbol("a")],
])("a %s is refused before anything is sent", async (kind, body) => {
  const { client, sent } = answered(() => accepted());
  const outcome = await client.request("POST", "/api/v1/merchants", { body }).safe();
  expect(outcome).toMatchObject({ ok: false, error: expect.any(UsageError), meta: { attempts: 0 } });
  if (!outcome.ok) expect(outcome.error.message).toContain(`The body is a ${kind}.`);
  const raw = client.raw.POST as unknown as (path: string, init: object) => Promise<unknown>;
  await expect(raw("/api/v1/merchants", { body })).rejects.toThrow(UsageError);
  expect(sent).toEqual([]);
});

class Row {
  merchantId = "m1";
}

it.each<[string, unknown, string]>([
  ["an object of a class", new Row(), '{"merchantId":"m1"}'],
  ["one without a prototype", Object.assign(Object.create(null), { a: 1n }), '{"a":1}'],
  ["a list", [1, 2n], "[1,2]"],
  ["null", null, "null"],
  ["a text", "a", '"a"'],
])("%s is sent as JSON", async (_, body, text) => {
  const { client, sent } = answered(() => accepted());
  await client.request("POST", "/api/v1/merchants", { body });
  expect(sent[0]?.body).toBe(text);
});
