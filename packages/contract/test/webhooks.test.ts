// Checks the events that are posted to a callback URL: each has the name in its body, a signature and a valid example.

import { describe, expect, test } from "vitest";
import { at, compile, contentOf, document, examplesOf, follow, type Node, schemas } from "./document.ts";

const events = Object.entries(at(document, "webhooks")).map(([name, item]) => {
  const { schema, examples } = contentOf(at(item as Node, "post", "requestBody"));
  return { name, post: at(item as Node, "post"), schema, examples };
});

test("the contract has exactly these events, and a schema for each", () => {
  expect(events.map(({ name }) => name)).toEqual([
    "voice.tts_call.updated",
    "voice.tts_call.finalized",
    "voice.tts_batch.finalized",
  ]);
  const ofEvents = events.map(({ schema }) => String(schema.$ref).split("/").at(-1));
  expect(ofEvents).toEqual(Object.keys(schemas).filter((name) => name.endsWith("Event")));
});

describe.each(events)("$name", ({ name, post, schema, examples }) => {
  test("is the type of its body", () => {
    expect(at(follow(schema), "properties", "type").const).toBe(name);
  });

  test("is signed by Standard Webhooks, and needs no credential", () => {
    const headers = (post.parameters as Node[]).map(follow);
    expect(headers.map((header) => [header.in, header.name, header.required])).toEqual(
      ["webhook-id", "webhook-timestamp", "webhook-signature"].map((header) => ["header", header, true]),
    );
    expect(post.security).toEqual([]);
    for (const header of headers) {
      const validate = compile(at(header, "schema"));
      expect(examplesOf(header).map(([, value]) => validate(value))).toEqual([true]);
    }
  });

  test("has a valid example", () => {
    const validate = compile(schema);
    const faults = examplesOf({ examples }).map(([, value]) => (validate(value) ? null : validate.errors));
    expect(faults).toEqual([null]);
    expect(validate({ type: "voice.none", timestamp: "2026-03-02T15:04:05.640Z", data: {} })).toBe(false);
  });
});
