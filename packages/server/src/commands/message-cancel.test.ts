import { afterEach, beforeEach, expect, it } from "vitest";
import { countCarrierChanges } from "../domain/carriers/rows.ts";
import { listAuditEntries } from "../domain/tenancy/rows.ts";
import { ConfigError } from "../settings/config.ts";
import { writeBeside } from "../testing/command-environment.ts";
import { makeSentFolder, type SentFolder } from "../testing/sent-folder.ts";
import { type CancelFlags, runMessagesCancel, runMessagesList, runMessagesShow } from "./messages.ts";

const json = { output: "json", tenant: "1" } as const;

let folder: SentFolder;
let printed: SentFolder["printed"];
beforeEach(async () => {
  folder = await makeSentFolder(["Your code is 1", "Your code is 2", "Hello"]);
  printed = folder.printed;
});
afterEach(() => folder.remove());

async function cancel(search: string, flags: Partial<CancelFlags> = {}) {
  Object.assign(printed, { out: "", err: "" });
  await runMessagesCancel({ ...json, search, reason: "a loop", by: "Ann", ...flags }, folder.environment);
  return JSON.parse(printed.out);
}
async function idsOf(...search: string[]): Promise<string[]> {
  printed.out = "";
  await runMessagesList(search, { ...json, limit: "50" }, folder.environment);
  return JSON.parse(printed.out).map(({ messageId }: { messageId: string }) => messageId);
}

it("without --yes counts the messages that a search finds, and cancels nothing", async () => {
  await expect(cancel('"your code"')).rejects.toThrow("nothing was canceled: add --yes");
  expect(JSON.parse(printed.out)).toEqual({
    ...{ SMS: 2, VOICE: 0, EMAIL: 0, oldestAt: expect.stringMatching(/Z$/) },
    ...{ canceled: 0, left: 0, inDoubt: 0 },
  });
  expect(await idsOf("status:canceled")).toEqual([]);
});

it("cancels only the found messages, and records the reason and the operator", async () => {
  const [first, second, third] = folder.ids;
  expect(await cancel('"your code"', { yes: true })).toMatchObject({ SMS: 2, canceled: 2, left: 0 });
  expect(await idsOf("status:canceled")).toEqual([second, first]);
  expect(await idsOf("status:queued")).toEqual([third]);
  printed.out = "";
  await runMessagesShow(String(first), json, folder.environment);
  expect(JSON.parse(printed.out)).toMatchObject({
    ...{ status: "CANCELED", charge: "RELEASED", carrierWords: "canceled by the operator: a loop" },
  });
  const audit = await writeBeside(folder.environment, (tx) =>
    listAuditEntries(tx, { tenantId: 1, before: Number.MAX_SAFE_INTEGER, limit: 10 }),
  );
  expect(audit).toMatchObject([
    {
      ...{ email: "Ann", operation: "messages cancel" },
      target: "search text:(2 words), 2 found, reason a loop",
    },
  ]);
  // a running server polls for callbacks when it finds this count changed
  expect(await writeBeside(folder.environment, countCarrierChanges)).toBe(1);
  expect(await cancel('"your code"', { yes: true })).toMatchObject({ SMS: 0, canceled: 0, oldestAt: null });
});

it("finds no messages of another tenant or merchant, or with other words", async () => {
  expect(await cancel("status:queued", { tenant: "2" })).toMatchObject({ SMS: 0 });
  expect(await cancel("status:queued", { merchant: "other" })).toMatchObject({ SMS: 0 });
  expect(await cancel("status:delivered")).toMatchObject({ SMS: 0 });
  expect(await cancel("channel:email")).toMatchObject({ SMS: 0 });
});

it.each([
  ["stauts:queued", {}, "stauts:queued\n^^^^^^"],
  [" ", { yes: true }, "--search: expected a search for the messages to cancel"],
  ["", { by: " " }, "--by: expected"],
  ["", { reason: "" }, "--reason: expected"],
])("refuses %j with %j", async (search, flags, said) => {
  const error = await cancel(search, flags).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(ConfigError);
  expect(error.message).toContain(said);
});
