import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openFollowedIndex } from "../search/followed-index.ts";
import { ConfigError } from "../settings/config.ts";
import { makeSentFolder, type SentFolder } from "../testing/sent-folder.ts";
import type { CommandEnvironment } from "./environment.ts";
import { runMessagesList, runMessagesShow } from "./messages.ts";

let folder: SentFolder;
let printed: SentFolder["printed"];
let environment: CommandEnvironment;
let ids: readonly string[];
beforeEach(async () => {
  folder = await makeSentFolder(["One", "Two \u001b[31m\u202eten", "Three"]);
  ({ printed, environment, ids } = folder);
});
afterEach(() => folder.remove());

const json = { output: "json" } as const;
const list = (words: string[], flags: { tenant?: string; merchant?: string; limit?: string } = {}) => {
  printed.out = "";
  return runMessagesList(words, { ...json, tenant: "1", limit: "50", ...flags }, environment);
};
const listed = (): string[] => JSON.parse(printed.out).map(({ messageId }: { messageId: string }) => messageId);

describe("messages list", () => {
  it("prints the found messages, the newest first", async () => {
    await list([]);
    expect(listed()).toEqual([...ids].reverse());
    await list(["to:+1202", '"three"']);
    expect(listed()).toEqual([ids[2]]);
    await list([], { merchant: "m2" });
    expect(listed()).toEqual([]);
    await list([], { tenant: "2" });
    expect(listed()).toEqual([]);
  });

  it("says how it interpreted a number, or asks for its country", async () => {
    await list(["+1", "(202)", "555-0100", '"three"']);
    expect([listed(), printed.err]).toEqual([[ids[2]], "+1 (202) 555-0100 is interpreted as +12025550100.\n"]);
    await expect(list(["(202)", "555-0100"])).rejects.toThrow("did you mean +12025550100?");
  });

  it("says if there are more than the limit", async () => {
    await list([], { limit: "2" });
    expect(listed()).toEqual([ids[2], ids[1]]);
    expect(printed.err).toBe("There are more than 2: use --limit to show more.\n");
  });

  it("prints one line per message, without characters that control a terminal", async () => {
    await runMessagesList(["-type:marketing"], { output: "text", tenant: "1", limit: "50" }, environment);
    const lines = printed.out.trimEnd().split("\n");
    expect(lines).toHaveLength(3);
    expect(lines[1]).toMatch(/^\S+Z {2}SMS {4}\+12025550100 {2}QUEUED {2}msg_\w+ {2}Two \\u001b\[31m\\u202eten$/);
  });

  it("uses the index that a running server maintains", async () => {
    await list([]);
    const server = openFollowedIndex(join(folder.path, "search.db"), { file: join(folder.path, "msgd.db") });
    await list(['"two"']);
    expect(listed()).toEqual([ids[1]]);
    expect(printed.err).toBe("");
    server.close();
  });

  it("says so if a server is still building the index", async () => {
    const server = openFollowedIndex(join(folder.path, "search.db"), { file: join(folder.path, "msgd.db") });
    await list([]);
    // messages that are not indexed yet are read from the database
    expect(listed()).toHaveLength(3);
    expect(printed.err).toBe("A server is still building the search index: older messages may be missing.\n");
    server.close();
  });

  it.each([
    [["stauts:failed"], {}, "stauts:failed\n^^^^^^"],
    [[], { limit: "0" }, '--limit: expected 1 to 10000, received "0"'],
    [[], { limit: "10001" }, "received"],
    [[], { tenant: "x" }, "--tenant: expected the number of a tenant"],
  ])("refuses %j with %j", async (words, flags, said) => {
    const error = await list(words, flags).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(ConfigError);
    expect(error.message).toContain(said);
  });

  it("reports an unknown tenant", async () => {
    await expect(list([], { tenant: "7" })).rejects.toThrow("there is no tenant 7");
  });
});

describe("messages show", () => {
  const show = (messageId: string, flags: object) =>
    runMessagesShow(messageId, { output: "text", tenant: "1", ...flags }, environment);

  it("prints all data of the message", async () => {
    await show(ids[1] ?? "", json);
    expect(JSON.parse(printed.out)).toMatchObject({
      messageId: ids[1],
      status: "QUEUED",
      to: "+12025550100",
      units: 1,
    });
    printed.out = "";
    await show(ids[1] ?? "", {});
    expect(printed.out).toContain("\n\nTwo \\u001b[31m\\u202eten\n");
  });

  it.each([{ tenant: "2" }, { merchant: "m2" }])("shows no message of another tenant: %j", async (flags) => {
    await expect(show(ids[0] ?? "", flags)).rejects.toThrow("has no message");
  });
});
