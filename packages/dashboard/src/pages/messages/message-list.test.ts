import { describe, expect, it } from "vitest";
import { emptyList, type MessageRow, withChanges, withFirstPage, withNextPage, withRefreshed } from "./message-list.ts";

const row = (messageId: string, second: number, status: MessageRow["status"] = "QUEUED"): MessageRow => ({
  ...{ messageId, channel: "SMS", type: "OTP", status, reason: null, merchantId: "m1", to: "+12025550100" },
  ...{ project: null, subject: null, excerpt: "Hello", createdAt: new Date(second * 1_000).toISOString() },
});
const page = (messages: MessageRow[], next: string | null = null) => ({
  ...{ messages, next, lookedBackTo: null, isComplete: true },
});
const changes = (messages: MessageRow[], gone: string[] = [], more = 0) => ({ messages, gone, more, changed: 0 });
const ids = ({ rows }: { rows: readonly MessageRow[] }) => rows.map(({ messageId }) => messageId);

describe("a live list", () => {
  it("loses nothing that comes between the stream's opening and the first page", () => {
    const early = withChanges(emptyList, changes([row("c", 3)]));
    expect(ids(withFirstPage(early, page([row("b", 2), row("a", 1)], "2")))).toEqual(["c", "b", "a"]);
  });

  it("shows each message once, as it was told last", () => {
    const list = withFirstPage(emptyList, page([row("a", 1)]));
    const changed = withChanges(list, changes([row("a", 1, "DELIVERED")]));
    expect(changed.rows.map(({ status }) => status)).toEqual(["DELIVERED"]);
  });

  it("drops what is no longer found, and counts what it does not show", () => {
    const list = withFirstPage(emptyList, page([row("b", 2), row("a", 1)]));
    const changed = withChanges(list, changes([row("c", 3)], ["b"], 7));
    expect([ids(changed), changed.more]).toEqual([["c", "a"], 7]);
  });

  it("has what became of its rows, and no others, once it is refreshed", () => {
    const list = { ...withFirstPage(emptyList, page([row("b", 2), row("a", 1)], "1")), more: 3 };
    const refreshed = withRefreshed(list, page([row("c", 3), row("b", 2, "DELIVERED")], "2"));
    expect(refreshed).toEqual({ ...list, rows: [row("b", 2, "DELIVERED"), row("a", 1)] });
  });

  it("goes on behind its last row", () => {
    const list = withFirstPage(emptyList, page([row("b", 2)], "2"));
    const next = withNextPage(list, page([row("a", 1)]));
    expect([ids(next), next.next]).toEqual([["b", "a"], null]);
  });

  it("keeps a bounded number of rows, the newest", () => {
    const many = Array.from({ length: 10_001 }, (_none, second) => row(`m${second}`, second));
    const { rows } = withFirstPage(emptyList, page(many));
    expect([rows.length, rows[0]?.messageId]).toEqual([10_000, "m10000"]);
  });
});
