import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { emptyList, type MessageRow, withChanges, withFirstPage, withNextPage, withRefreshed } from "./message-list.ts";

const row = (messageId: string, second: number, status: MessageRow["status"] = "QUEUED"): MessageRow => ({
  ...{ messageId, channel: "SMS", type: "OTP", status, reason: null, merchantId: "m1", to: "+12025550100" },
  ...{ project: null, subject: null, excerpt: "Hello", createdAt: new Date(second * 1_000).toISOString() },
});
const page = (messages: MessageRow[], next: string | null = null) => ({
  ...{ messages, next, lookedBackTo: null, isComplete: true, readAs: [] },
});
const changes = (messages: MessageRow[], gone: string[] = [], more = 0) => ({ messages, gone, more, changed: 0 });
const ids = ({ rows }: { rows: readonly MessageRow[] }) => rows.map(({ messageId }) => messageId);

describe("a live list", () => {
  it("keeps messages that were streamed before the first page was loaded", () => {
    const early = withChanges(emptyList, changes([row("c", 3), row("b", 2, "DELIVERED")]));
    const list = withFirstPage(early, page([row("b", 2), row("a", 1)], "2"));
    expect(ids(list)).toEqual(["c", "b", "a"]);
    // the streamed change of b is newer than the page
    expect(list.rows.map(({ status }) => status)).toEqual(["QUEUED", "DELIVERED", "QUEUED"]);
  });

  it("drops rows that were streamed before the first page was loaded, if a later page has them", () => {
    const early = withChanges(emptyList, changes([row("c", 3), row("0", 0)]));
    expect(ids(withFirstPage(early, page([row("b", 2), row("a", 1)], "1")))).toEqual(["c", "b", "a"]);
    expect(ids(withFirstPage(early, page([row("b", 2), row("a", 1)])))).toEqual(["c", "b", "a", "0"]);
  });

  it("shows each message once, in its last streamed state", () => {
    const list = withFirstPage(emptyList, page([row("a", 1)]));
    const changed = withChanges(list, changes([row("a", 1, "DELIVERED")]));
    expect(changed.rows.map(({ status }) => status)).toEqual(["DELIVERED"]);
  });

  it("removes a message that the search no longer finds", () => {
    const list = withFirstPage(emptyList, page([row("b", 2), row("a", 1)]));
    expect(ids(withChanges(list, changes([row("c", 3)], ["b"])))).toEqual(["c", "a"]);
  });

  it("updates its rows on a refresh, and adds no rows", () => {
    const list = { ...withFirstPage(emptyList, page([row("b", 2), row("a", 1)], "1")), more: 3 };
    const refreshed = withRefreshed(list, page([row("c", 3), row("b", 2, "DELIVERED")], "2"));
    expect(refreshed).toEqual({ ...list, rows: [row("b", 2, "DELIVERED"), row("a", 1)] });
  });

  it("counts new messages instead of adding them, once the stream has left out a message", () => {
    const list = withFirstPage(emptyList, page([row("a", 1)]));
    const left = withChanges(list, changes([row("b", 2)], [], 7));
    expect([ids(left), left.more]).toEqual([["b", "a"], 7]);
    const later = withChanges(left, changes([row("d", 4), row("a", 1, "DELIVERED")], [], 1));
    expect([ids(later), later.more, later.rows[1]?.status]).toEqual([["b", "a"], 9, "DELIVERED"]);
  });

  it("appends the next page, and ignores changes of messages that are not loaded yet", () => {
    const list = withFirstPage(emptyList, page([row("b", 2)], "2"));
    expect(ids(withChanges(list, changes([row("0", 0), row("c", 3)])))).toEqual(["c", "b"]);
    const next = withNextPage(list, page([row("a", 1)]), "2");
    expect([ids(next), next.next]).toEqual([["b", "a"], null]);
    expect(withNextPage(list, page([row("a", 1)]), "of another list")).toBe(list);
    expect(ids(withChanges(next, changes([row("0", 0)])))).toEqual(["b", "a", "0"]);
  });

  it("adds messages that arrived while the stream was interrupted; if that would leave a gap, counts them", () => {
    const list = withFirstPage(emptyList, page([row("b", 2), row("a", 1)], "1"));
    const joined = withFirstPage(list, page([row("c", 3), row("b", 2, "DELIVERED")], "2"));
    expect([ids(joined), joined.next, joined.more]).toEqual([["c", "b", "a"], "1", 0]);
    expect(joined.rows[1]?.status).toBe("DELIVERED");
    const apart = withFirstPage(list, page([row("e", 5), row("d", 4)], "4"));
    expect([ids(apart), apart.next, apart.more]).toEqual([["b", "a"], "1", 2]);
    const further = withFirstPage(list, page([row("b", 2), row("0", 0)], "0"));
    expect([ids(further), further.next]).toEqual([["b", "a", "0"], "0"]);
  });

  it("drops the oldest rows if there are more than 10,000, and reports that", () => {
    const many = Array.from({ length: 10_001 }, (_none, second) => row(`m${second}`, second));
    const list = withFirstPage(emptyList, page(many, "0"));
    expect([list.rows.length, list.rows[0]?.messageId, list.next, list.isCut]).toEqual([10_000, "m10000", null, true]);
    const later = withChanges(list, changes([row("new", 20_000), row("m0", 0)]));
    expect([later.rows.length, later.rows[0]?.messageId, later.rows.at(-1)?.messageId]).toEqual([10_000, "new", "m2"]);
  });

  it("contains every message in order, whether a page or the stream brought it", () => {
    const seconds = fc.uniqueArray(fc.nat({ max: 500 }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(seconds, fc.nat({ max: 60 }), (times, cut) => {
        const rows = times.map((second) => row(`m${second}`, second));
        const list = withChanges(withFirstPage(emptyList, page(rows.slice(0, cut))), changes(rows.slice(cut)));
        const sorted = times.toSorted((one, other) => other - one).map((second) => `m${second}`);
        expect(ids(list)).toEqual(sorted);
      }),
    );
  });
});
