// Checks the document of the events of messages: each event has the name in its body, a signature and a valid example.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { at, document as contract, type Node } from "./document.ts";

const file = fileURLToPath(new URL("../events.openapi.yaml", import.meta.url));
const document = parse(readFileSync(file, "utf8")) as Node;
const base = "https://msgctl.example";
const ajv = new Ajv2020({ strict: false, allErrors: true });
(addFormats as unknown as (to: Ajv2020) => void)(ajv);
ajv.addSchema(contract, `${base}/openapi.yaml`);
ajv.addSchema(document, `${base}/packages/contract/events.openapi.yaml`);

const events = Object.entries(at(document, "webhooks")).map(([name, item]) => {
  const post = at(item as Node, "post");
  const content = at(post, "requestBody", "content", "application/json");
  const [example] = Object.values(at(content, "examples")) as Node[];
  return { name, post, pointer: String(at(content, "schema").$ref), example: example?.value as Node };
});

test("the document has exactly these events", () => {
  expect(events.map(({ name }) => name)).toEqual(["message.updated", "message.received", "callbacks.test"]);
});

describe.each(events)("$name", ({ name, post, pointer, example }) => {
  const validate = ajv.compile({ $ref: `${base}/packages/contract/events.openapi.yaml${pointer}` });

  test("has a valid example of its type", () => {
    expect(validate(example) ? null : validate.errors).toBeNull();
    expect(example.type).toBe(name);
    expect(validate({ ...example, type: "message.none" })).toBe(false);
    expect(validate({ ...example, data: {} })).toBe(false);
  });

  test("is signed like events of calls, and needs no credential", () => {
    expect(post.parameters).toEqual(
      ["WebhookId", "WebhookTimestamp", "WebhookSignature"].map((header) => ({
        $ref: `../../openapi.yaml#/components/parameters/${header}`,
      })),
    );
    expect(post.security).toEqual([]);
  });
});
