import { afterEach, beforeEach, expect, it } from "vitest";
import { type InMemoryService, openInMemoryService } from "../testing/in-memory-service.ts";
import { readContact, readRecipientStory } from "./recipient-story.ts";

const CONTACT = "+12025550100";
let service: InMemoryService;
beforeEach(async () => {
  service = await openInMemoryService();
  for (const merchantId of ["m1", "m2"]) {
    await service.call("POST", "/api/v1/merchants", { body: { merchantId, displayName: merchantId } });
  }
});
afterEach(() => service.close());

async function record(merchantId: string, channel: string, status: string, source?: string): Promise<void> {
  await service.clock.advanceBy(1_000);
  const body = { merchantId, channel, contact: CONTACT, status, ...(source === undefined ? {} : { source }) };
  await service.call("POST", "/api/v1/consents", { body });
}

const read = (scope: { tenantId?: number; merchantId?: string } = {}) =>
  service.store.read((tx) =>
    readRecipientStory(
      tx,
      { tenantId: service.credential.tenantId, merchantId: null, ...scope },
      { contact: CONTACT, digest: "none" },
    ),
  );

it("tells what holds now, and how it came about", async () => {
  await record("m1", "SMS", "OPT_IN", "form");
  await record("m2", "VOICE", "OPT_IN");
  await record("m1", "SMS", "OPT_OUT");
  const { consents, changes, hasMore } = await read();
  expect(consents.map(({ merchantId, channel, status }) => [merchantId, channel, status])).toEqual([
    ["m1", "SMS", "OPT_OUT"],
    ["m2", "VOICE", "OPT_IN"],
  ]);
  expect(changes.map(({ merchantId, status, source }) => [merchantId, status, source])).toEqual([
    ["m1", "OPT_OUT", null],
    ["m2", "OPT_IN", null],
    ["m1", "OPT_IN", "form"],
  ]);
  expect(changes[0]).toMatchObject({ changedBy: service.credential.apiKey, changedAt: service.clock.now() });
  expect(hasMore).toBe(false);
});

it("tells nothing of another merchant's or tenant's", async () => {
  await record("m1", "SMS", "OPT_IN");
  await record("m2", "SMS", "OPT_OUT");
  expect((await read({ merchantId: "m1" })).changes.map(({ merchantId }) => merchantId)).toEqual(["m1"]);
  expect((await read({ merchantId: "m1" })).consents).toHaveLength(1);
  expect(await read({ tenantId: service.credential.tenantId + 1 })).toMatchObject({ consents: [], changes: [] });
});

it.each([
  ["+12025550100", "+12025550100"],
  [" +12025550100", "+12025550100"],
  ["Ann@Example.com", "ann@example.com"],
  ["2025550100", undefined],
  ["a@b", undefined],
  ["", undefined],
])("reads %j as %j", (text, contact) => {
  expect(readContact(text)).toBe(contact);
});
