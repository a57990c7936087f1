import { afterEach, beforeEach, expect, it } from "vitest";
import { ConfigError } from "../settings/config.ts";
import { writeBeside } from "../testing/command-environment.ts";
import { makeSentFolder, type SentFolder } from "../testing/sent-folder.ts";
import { runMessagesSettle, runMessagesShow } from "./messages.ts";

const flags = { output: "json", reason: "ticket 7", by: "Ann" } as const;

let folder: SentFolder;
let printed: SentFolder["printed"];
beforeEach(async () => {
  folder = await makeSentFolder(["One", "Two", "Three"]);
  printed = folder.printed;
  // as if its carrier had never answered
  const taken = "UPDATE messages SET status = 'UNKNOWN', units = 0, charge = 'SETTLED' WHERE message_id <> $1";
  await writeBeside(folder.environment, (tx) => tx.run(taken, String(folder.ids[2])));
});
afterEach(() => folder.remove());

const settle = (outcome: string, messageIds: readonly string[], more: object = {}) => {
  Object.assign(printed, { out: "", err: "" });
  return runMessagesSettle({ outcome, messageIds }, { ...flags, ...more }, folder.environment);
};

it("settles messages one by one, and names those that it cannot settle", async () => {
  const [first = "", second = "", waiting = ""] = folder.ids;
  await expect(settle("delivered", [first, waiting, "msg_none", second])).rejects.toThrow(
    new RegExp(`^message ${waiting} is QUEUED: .*\nthere is no message msg_none: .*$`),
  );
  expect(
    printed.out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toEqual([first, second].map((messageId) => ({ messageId, tenantId: "1", before: "UNKNOWN", status: "DELIVERED" })));
  await settle("delivered", [first]);
  expect(printed.err).toBe(`${first} was already DELIVERED: nothing has changed.\n`);
  printed.out = "";
  await runMessagesShow(first, { output: "json", tenant: "1" }, folder.environment);
  expect(JSON.parse(printed.out)).toMatchObject({
    ...{ status: "DELIVERED", carrierWords: "settled by the operator: ticket 7" },
  });
});

it.each([
  ["lost", {}, '<outcome>: expected delivered, undelivered or failed, received "lost"'],
  ["constructor", {}, "<outcome>: expected"],
  ["failed", { by: "" }, "--by: expected"],
  ["failed", { reason: "\u001b[2J" }, "--reason: expected"],
])("refuses %s with %j, and settles nothing", async (outcome, more, said) => {
  const error = await settle(outcome, folder.ids, more).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(ConfigError);
  expect(error.message).toContain(said);
  expect(printed.out).toBe("");
});
