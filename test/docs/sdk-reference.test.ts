// docs/sdk is made of the SDK's source by TypeScript: what is exported at run time must be on it.

import { readFileSync } from "node:fs";
import { operations } from "@msgctl/contract";
import * as sdk from "@msgctl/sdk";
import * as webhooks from "@msgctl/sdk/webhooks";
import { expect, it } from "vitest";
import { anchorsOf } from "./markdown.ts";

const read = (name: string) => readFileSync(new URL(`../../docs/sdk/${name}.md`, import.meta.url), "utf8");
const anchors = new Set(["client", "resources", "errors", "webhooks"].flatMap((name) => [...anchorsOf(read(name))]));

it.each([...Object.keys(sdk), ...Object.keys(webhooks)])("has %s", (name) => {
  expect(anchors).toContain(name.toLowerCase());
});

it("has a method for each operation, with the errors it can end with", () => {
  const methods = [...read("resources").matchAll(/^### \w+\.\w+$/gm)];
  expect(methods.length).toBeGreaterThanOrEqual(Object.keys(operations).length);
  const [, sms = ""] = read("resources").split(/^### SendResource\.sms$/m);
  const [section = ""] = sms.split(/^##/m);
  for (const part of [
    "sms(body: V1OmniSmsSendRequest, options?: WriteOptions)",
    "consent_required",
    "client.send.sms({",
  ]) {
    expect(section).toContain(part);
  }
});

it("tells nothing of what is private", () => {
  for (const name of ["client", "resources", "errors", "webhooks"])
    expect(read(name)).not.toMatch(/^#{2,3} .*#|\bprivate /m);
});
