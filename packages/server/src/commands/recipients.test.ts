import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { recordConsent } from "../domain/consent/rows.ts";
import { createRecipientDigest } from "../domain/contacts.ts";
import { saveBounce } from "../domain/messages/suppression-rows.ts";
import { SUPPRESSED_MS } from "../domain/messages/suppressions.ts";
import { blockTexts, noteTextContacts } from "../domain/messages/text-rows.ts";
import { ConfigError } from "../settings/config.ts";
import { makeSentFolder, type SentFolder } from "../testing/sent-folder.ts";
import { findInstallation } from "./database.ts";
import { runRecipientsErase, runRecipientsExport, runRecipientsShow, runRecipientsUnsuppress } from "./recipients.ts";

const CONTACT = "+12025550100";

let folder: SentFolder;
beforeEach(async () => {
  folder = await makeSentFolder(["One", "Two"]);
});
afterEach(() => folder.remove());

const show = (contact: string, flags: object = {}) =>
  runRecipientsShow(contact, { output: "text", tenant: "1", ...flags }, folder.environment);

async function exported(contact: string, flags: object = {}) {
  folder.printed.out = "";
  await runRecipientsExport(contact, { tenant: "1", ...flags }, folder.environment);
  return JSON.parse(folder.printed.out);
}

it("show prints the recipient's decisions and their history", async () => {
  await show(CONTACT);
  const [now, , title, last, first] = folder.printed.out.trimEnd().split("\n");
  expect(now).toMatch(/^m1 {2}SMS {2}OPT_OUT {2}since \S+Z$/);
  expect(title).toBe("History:");
  expect(last).toMatch(/^\S+Z {2}m1 {2}SMS {2}OPT_OUT {2}by mkt_live_\w+$/);
  expect(first).toMatch(/OPT_IN {2}by mkt_live_\w+ {2}source form$/);
  folder.printed.out = "";
  await show(CONTACT, { output: "json" });
  expect(JSON.parse(folder.printed.out)).toMatchObject({ contact: CONTACT, consents: [{ status: "OPT_OUT" }] });
});

it("show and export include STOPs and the opt-ins that override them", async () => {
  const now = Date.parse("2027-01-15T12:00:00Z");
  const store = await folder.environment.openStore(findInstallation({}, folder.environment.env).database);
  const digestRecipient = createRecipientDigest(readFileSync(join(folder.path, "pepper"), "utf8"));
  await store.write(async (tx) => {
    const conversation = { sender: "+12025550199", phone: CONTACT };
    await noteTextContacts(tx, [{ ...conversation, tenantId: 1, merchantId: "m1", messageId: "msg_1" }], now);
    await blockTexts(tx, { phoneDigest: digestRecipient(0, CONTACT), sender: conversation.sender, word: "END", now });
    const key = { tenantId: 1, merchantId: "m1", channel: "SMS", contact: CONTACT } as const;
    await recordConsent(tx, key, { status: "OPT_IN", source: "counter", changedBy: "test", now: now + 1_000 });
  });
  await store.close();
  await show(CONTACT);
  expect(folder.printed.out.split("\n").slice(1, 3)).toEqual([
    "Sent END to +12025550199 at 2027-01-15T12:00:00.000Z: texts from this number to the recipient are refused.",
    "  overridden by m1  SMS  OPT_IN  since 2027-01-15T12:00:01.000Z  source counter",
  ]);
  expect((await exported(CONTACT)).stops).toMatchObject([
    { number: "+12025550199", overrides: [{ source: "counter" }] },
  ]);
});

it("show tells of a suppression, which unsuppress lifts", async () => {
  const now = Date.now();
  const [messageId = ""] = folder.ids;
  const store = await folder.environment.openStore(findInstallation({}, folder.environment.env).database);
  const bounce = { channel: "SMS", reason: "UNKNOWN_HANDSET", messageId, merchantId: "m1", bouncedAt: now } as const;
  const key = { tenantId: 1, channel: "SMS", contact: CONTACT } as const;
  await store.write((tx) => saveBounce(tx, key, { ...bounce, suppressedAt: now, endsAt: now + SUPPRESSED_MS }));
  await store.close();
  const times = [now, now + SUPPRESSED_MS].map((at) => new Date(at).toISOString());
  await show(CONTACT);
  expect(folder.printed.out.split("\n").slice(1, 3)).toEqual([
    `Suppressed for SMS since ${times[0]}, until ${times[1]}: messages end FAILED (UNKNOWN_HANDSET, as ${messageId} was).`,
    `  to send again: msgd recipients unsuppress ${CONTACT} --tenant 1`,
  ]);
  const suppression = { channel: "SMS", reason: "UNKNOWN_HANDSET", messageId, since: times[0], until: times[1] };
  expect(await exported(CONTACT)).toMatchObject({ suppression });
  for (const lifted of ["LIFTED", "NONE"]) {
    folder.printed.out = "";
    await runRecipientsUnsuppress(CONTACT, { output: "json", tenant: "1" }, folder.environment);
    expect(JSON.parse(folder.printed.out)).toEqual({ contact: CONTACT, suppression: lifted });
  }
  expect(folder.printed.err).toContain("It was not suppressed: nothing has changed.");
  expect(await exported(CONTACT)).toMatchObject({ suppression: null });
});

it("show says so if nothing is recorded", async () => {
  await show("ann@example.com");
  expect(folder.printed).toEqual({ out: "", err: "No consent decision of this recipient is recorded.\n" });
});

it("export prints every message and the decisions", async () => {
  const all = await exported(CONTACT);
  expect(all).toMatchObject({ contact: CONTACT, consents: [{ merchantId: "m1" }], exportedAt: expect.any(String) });
  expect(all.changes).toHaveLength(2);
  expect(all.messages.map(({ content }: { content: string }) => content)).toEqual(["Two", "One"]);
});

it.each([{ tenant: "2" }, { merchant: "m2" }])(
  "show and export print nothing of another tenant or merchant: %j",
  async (flags) => {
    expect(await exported(CONTACT, flags)).toMatchObject({ consents: [], changes: [], messages: [] });
  },
);

it("export excludes numbers that merely begin with the given one", async () => {
  folder.remove();
  folder = await makeSentFolder(["One"], "+4930123456");
  expect((await exported("+493012345")).messages).toEqual([]);
  expect((await exported("+4930123456")).messages).toHaveLength(1);
});

it.each(["2025550100", "", "a@b"])("refuses %j", async (contact) => {
  await expect(show(contact)).rejects.toThrow(ConfigError);
  await expect(exported(contact)).rejects.toThrow("expected a phone number");
});

describe("erase", () => {
  const erase = (contact: string, flags: object = {}) =>
    runRecipientsErase(contact, { output: "json", tenant: "1", yes: true, ...flags }, folder.environment);

  it("deletes all data of a recipient except the opt-outs", async () => {
    await erase(CONTACT);
    expect(JSON.parse(folder.printed.out)).toEqual({ erased: 0, open: 2, keptOptOuts: 1 });
    expect(folder.printed.err).toContain("2 of their messages and calls have not ended");
    folder.printed.out = "";
    await show(CONTACT);
    const [kept, erased] = folder.printed.out.trimEnd().split("\n");
    expect(kept).toMatch(/^m1 {2}SMS {2}OPT_OUT {2}since \S+Z {2}kept after the recipient's erasure$/);
    expect(erased).toMatch(/^Erased at \S+Z, under way: 0 messages and calls\.$/);
  });

  it("does nothing without --yes, and never affects other recipients", async () => {
    await expect(erase(CONTACT, { yes: false })).rejects.toThrow("add --yes");
    await expect(erase("12")).rejects.toThrow("expected a phone number");
    await expect(erase(CONTACT, { tenant: "3" })).rejects.toThrow("there is no tenant 3");
    await erase(CONTACT, { tenant: "2" });
    await erase(CONTACT, { merchant: "m2" });
    expect((await exported(CONTACT)).changes).toHaveLength(2);
  });
});
