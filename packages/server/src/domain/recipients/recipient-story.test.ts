import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type InMemoryService, openInMemoryService, pepper } from "../../testing/in-memory-service.ts";
import { createRecipientDigest } from "../contacts.ts";
import { blockTexts, noteTextContacts } from "../messages/text-rows.ts";
import { insertNumber } from "../registration/rows.ts";
import { askFor, readAllowances, readContact, readRecipientStory, viewRecipient } from "./recipients.ts";

const CONTACT = "+12025550100";
const digestRecipient = createRecipientDigest(pepper);
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
      askFor(CONTACT, service.credential.tenantId, digestRecipient),
      { now: service.clock.now() },
    ),
  );

it("a recipient's story has the current decisions and their history", async () => {
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

it("a recipient's story has no data of another merchant or tenant", async () => {
  await record("m1", "SMS", "OPT_IN");
  await record("m2", "SMS", "OPT_OUT");
  expect((await read({ merchantId: "m1" })).changes.map(({ merchantId }) => merchantId)).toEqual(["m1"]);
  expect((await read({ merchantId: "m1" })).consents).toHaveLength(1);
  expect(await read({ tenantId: service.credential.tenantId + 1 })).toMatchObject({ consents: [], changes: [] });
});

describe("the allowances of a recipient", () => {
  async function readAllowed(
    scope: { merchantId?: string } = {},
    settings: { consentPolicy?: "strict" | "opt_out_only"; stopCovers?: "sms,voice" } = {},
  ): Promise<string[]> {
    const caller = { tenantId: service.credential.tenantId, merchantId: null, ...scope };
    const story = await read(scope);
    const allowed = await service.store.read((tx) =>
      readAllowances({ tx, caller, settings: { consentPolicy: "strict", digestRecipient, ...settings } }, story),
    );
    return allowed.map(({ channel, merchantId, types }) => `${channel} ${merchantId}: ${types.join(" ")}`);
  }
  const all = "OTP REMINDER MARKETING TRANSACTIONAL";

  it("are those of the consent rules, for each merchant with a decision and for the others", async () => {
    await record("m1", "SMS", "OPT_IN");
    await record("m2", "SMS", "OPT_OUT");
    expect(await readAllowed()).toEqual([
      `SMS m1: ${all}`,
      "SMS m2: ",
      "SMS null: OTP TRANSACTIONAL",
      "VOICE m1: OTP",
      "VOICE m2: OTP",
      "VOICE null: OTP",
    ]);
    expect(await readAllowed({}, { consentPolicy: "opt_out_only" })).toContain(`SMS null: ${all}`);
  });

  it("of a merchant's user are those of the merchant, with or without a decision", async () => {
    await record("m1", "SMS", "OPT_OUT");
    expect(await readAllowed({ merchantId: "m1" })).toEqual(["SMS m1: ", "VOICE m1: OTP"]);
    expect(await readAllowed({ merchantId: "m2" })).toEqual(["SMS m2: OTP TRANSACTIONAL", "VOICE m2: OTP"]);
  });

  it("exclude calls if a STOP to a number of the merchant covers them", async () => {
    const [sender, now] = ["+12025550181", service.clock.now()];
    const { tenantId } = service.credential;
    const contact = { sender, phone: CONTACT, tenantId, merchantId: "m1", messageId: "msg_1" };
    await record("m1", "VOICE", "OPT_IN");
    await service.store.write((tx) => noteTextContacts(tx, [contact], now));
    await service.clock.advanceBy(1_000);
    const stop = { phoneDigest: digestRecipient(0, CONTACT), sender, word: "STOP", now: service.clock.now() };
    await service.store.write((tx) => blockTexts(tx, stop));
    expect(await readAllowed()).toContain(`VOICE m1: ${all}`);
    expect(await readAllowed({}, { stopCovers: "sms,voice" })).toContain("VOICE m1: ");
  });
});

describe("the STOPs in a recipient's story", () => {
  const [used, given, foreign] = ["+12025550181", "+12025550182", "+12025550183"];
  const overrides = (consents: readonly (readonly string[])[]) =>
    consents.map(([merchantId, channel, source]) => ({ merchantId, channel, status: "OPT_IN", source }));

  async function say(sender: string, word = "STOP"): Promise<void> {
    await service.clock.advanceBy(1_000);
    const phoneDigest = digestRecipient(0, CONTACT);
    await service.store.write((tx) => blockTexts(tx, { phoneDigest, sender, word, now: service.clock.now() }));
  }
  async function text(sender: string, merchantId: string, tenantId = service.credential.tenantId): Promise<void> {
    const contact = { sender, phone: CONTACT, tenantId, merchantId, messageId: "msg_1" };
    await service.store.write((tx) => noteTextContacts(tx, [contact], service.clock.now()));
  }
  const stopsOf = async (scope = {}) => viewRecipient(await read(scope)).stops;

  beforeEach(async () => {
    const now = service.clock.now();
    const { tenantId } = service.credential;
    await service.store.write((tx) =>
      insertNumber(
        tx,
        {
          ...{ tenantId, merchantId: "m2", phoneNumber: given, provider: "telco", providerNumberId: null },
          ...{ numberType: null, countryCode: null, capabilities: '["SMS"]', status: "ACTIVE" },
          ...{
            assignmentStatus: "ASSIGNED",
            campaignId: null,
            assignmentStartedAt: null,
            createdAt: now,
            updatedAt: now,
          },
        },
        now,
      ),
    );
    await text(used, "m1");
    await text(foreign, "m1", tenantId + 1);
  });

  it("include only numbers of the requesting tenant or merchant, newest first", async () => {
    for (const number of [used, foreign, given]) await say(number, "END");
    const at = service.clock.now();
    const saidAt = [at, at - 2_000].map((time) => new Date(time).toISOString());
    const own = [given, used].map((number, index) => ({ number, word: "END", saidAt: saidAt[index], overrides: [] }));
    expect(await stopsOf()).toEqual(own);
    expect(await stopsOf({ merchantId: "m2" })).toEqual(own.slice(0, 1));
    expect(await stopsOf({ merchantId: "m1" })).toEqual(own.slice(1));
  });

  it("are overridden, with the source, by a later OPT_IN of a merchant that texts from the number", async () => {
    await record("m1", "SMS", "OPT_IN", "before");
    await say(used);
    expect(await stopsOf()).toMatchObject([{ number: used, overrides: [] }]);
    await record("m2", "SMS", "OPT_IN", "of another number");
    await record("m1", "EMAIL", "OPT_IN", "of another channel");
    await record("m1", "VOICE", "OPT_IN", "of calls, which went on");
    await record("m1", "SMS", "OPT_IN", "counter");
    expect(await stopsOf()).toMatchObject([{ number: used, overrides: overrides([["m1", "SMS", "counter"]]) }]);
  });

  it("are overridden for calls if the STOP had opted out of calls", async () => {
    await say(used);
    await record("m1", "VOICE", "OPT_OUT", "SMS_REPLY:STOP");
    await record("m1", "VOICE", "OPT_IN", "counter");
    expect(await stopsOf()).toMatchObject([{ overrides: overrides([["m1", "VOICE", "counter"]]) }]);
  });
});

it.each([
  ["+12025550100", "+12025550100"],
  [" +12025550100", "+12025550100"],
  ["Ann@Example.com", "ann@example.com"],
  ["2025550100", undefined],
  ["a@b", undefined],
  ["", undefined],
])("readContact reads %j as %j", (text, contact) => {
  expect(readContact(text)).toBe(contact);
});
