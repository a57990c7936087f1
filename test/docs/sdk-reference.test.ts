// docs/sdk is generated from the SDK's source with TypeScript. It must contain everything that the SDK exports at run time.

import { readFileSync } from "node:fs";
import { operations } from "@msgctl/contract";
import * as sdk from "@msgctl/sdk";
import * as webhooks from "@msgctl/sdk/webhooks";
import { expect, it } from "vitest";
import { anchorsOf, blocksOf } from "./markdown.ts";

const read = (name: string) => readFileSync(new URL(`../../docs/sdk/${name}.md`, import.meta.url), "utf8");
const names = ["client", "resources", "types", "errors", "webhooks"];
const anchors = new Set(names.flatMap((name) => [...anchorsOf(read(name))]));

it.each([...Object.keys(sdk), ...Object.keys(webhooks)])("docs/sdk has %s", (name) => {
  expect(anchors).toContain(name.toLowerCase());
});

it("docs/sdk has a method for each operation, with its possible errors", () => {
  const methods = [...read("resources").matchAll(/^### client\.\w+\.\w+$/gm)];
  expect(methods.length).toBeGreaterThanOrEqual(Object.keys(operations).length);
  const [, sms = ""] = read("resources").split(/^### client\.send\.sms$/m);
  const [section = ""] = sms.split(/^##/m);
  for (const part of [
    "sms<E extends boolean = false>(body: V1OmniSmsSendRequest, options?: WriteOptions<E>)",
    "[`DispatchResponse`](types.md#dispatchresponse)",
    "consent_required",
    "client.send.sms({",
  ]) {
    expect(section).toContain(part);
  }
});

it("docs/sdk has the fields of every method's arguments and results", () => {
  const types = new Map(blocksOf(read("types")).map(({ text }) => [/^\w+ (\w+)/.exec(text)?.[1], text]));
  expect(types.get("V1SmsSendRequest")).toBe(
    "interface V1SmsSendRequest {\n  to: PhoneNumber;\n  message: string;\n}\n",
  );
  expect(types.get("Channel")).toBe('type Channel = "SMS" | "VOICE" | "EMAIL";\n');
  const used = Object.values(operations).flatMap(({ bodySchema, responseSchema }) => [bodySchema, responseSchema]);
  expect(used.filter((name) => name !== null && !types.has(name))).toEqual([]);
});

it("docs/sdk has no private members", () => {
  for (const name of names) expect(read(name)).not.toMatch(/^#{2,3} .*#|\bprivate /m);
});
