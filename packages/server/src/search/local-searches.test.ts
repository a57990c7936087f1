import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { callMessageId } from "../domain/messages/rules.ts";
import { parseSearch } from "../domain/recipients/search-language.ts";
import { useFakeTimers, useRealTimers } from "../testing/fake-timers.ts";
import { LocalSearches } from "./create-searches.ts";
import type { PageCursor } from "./page-search.ts";
import { SearchIndex } from "./search-index.ts";
import type { FollowedMessage, SearchSource } from "./search-source.ts";
import type { WatchedChanges } from "./searches.ts";

let now: number;
let messages: Map<string, FollowedMessage>;
let searches: LocalSearches;
/** Called whenever messages are read. */
let flow: (() => void) | undefined;
let failure: Error | undefined;
/** Whether the index contains another source's messages. */
let isOther: boolean;
const errors: unknown[] = [];
/** Messages older than this are indexed. */
const SETTLE_MS = 1_501;

beforeEach(() => {
  useFakeTimers({ toFake: ["setInterval", "clearInterval", "setTimeout", "clearTimeout"] });
  now = Date.parse("2026-11-24T12:00:00Z");
  messages = new Map();
  failure = undefined;
  isOther = false;
  errors.length = 0;
  searches = new LocalSearches({
    source,
    openIndex() {
      if (failure !== undefined) throw failure;
      return SearchIndex.open(":memory:");
    },
    async emptyIfOther(index) {
      if (!isOther) return false;
      isOther = false;
      index.clear();
      return true;
    },
    clock: { now: () => now },
    onError: (error) => errors.push(error),
  });
});
afterEach(async () => {
  useRealTimers();
  await searches.close();
});

const list = () => [...messages.values()].sort((one, other) => (one.position < other.position ? -1 : 1));
const source: SearchSource = {
  streams: [
    {
      name: "messages",
      async listAfter(position, limit, before = "~") {
        if (failure !== undefined) throw failure;
        return list()
          .filter((message) => message.position > position && message.position < before)
          .slice(0, limit);
      },
      listBefore: async (position, limit) =>
        list()
          .filter((message) => message.position < position)
          .slice(-limit)
          .reverse(),
      async listWithin({ from, before = "~" }, _filter, limit) {
        flow?.();
        return list()
          .filter((message) => message.position >= from && message.position < before)
          .slice(-limit)
          .reverse();
      },
      positionAt: (epochMs) => String(epochMs).padStart(16, "0"),
    },
  ],
  listErasedAfter: async () => [],
  erasedPositionAt: String,
  find: async (ids) => ids.flatMap((id) => messages.get(id) ?? []),
};

let count = 0;
function accept(of: Partial<FollowedMessage> = {}): string {
  count += 1;
  const messageId = callMessageId({ requestId: count, createdAt: now });
  const position = `${String(now).padStart(16, "0")}.${String(count).padStart(8, "0")}`;
  messages.set(messageId, {
    ...{ messageId, position, tenantId: 1, merchantId: "m1", channel: "SMS", type: "OTP", status: "QUEUED" },
    ...{
      reason: null,
      project: null,
      subject: null,
      content: "Hi",
      to: "+12025550100",
      createdAt: now,
      isFinal: false,
    },
    ...of,
  });
  now += 1;
  return messageId;
}

function become(messageId: string, status: FollowedMessage["status"], reason: FollowedMessage["reason"] = null): void {
  const message = messages.get(messageId);
  if (message !== undefined) messages.set(messageId, { ...message, status, reason });
}

function scoped(text: string, scope: { tenantId: number; merchantId: string | undefined }) {
  const read = parseSearch(text, { now, timezone: "UTC" });
  if (!("search" in read)) throw new Error(`${text} is no search`);
  return { scope, search: read.search };
}
const tenant = { tenantId: 1, merchantId: undefined };

async function find(
  text: string,
  { scope = tenant, limit = 50 }: { scope?: Parameters<typeof scoped>[1]; limit?: number } = {},
) {
  const found: string[] = [];
  let cursor: PageCursor | undefined;
  do {
    const page = await searches.find({ ...scoped(text, scope), limit, cursor });
    expect(page.messages.length).toBeLessThanOrEqual(limit);
    found.push(...page.messages.map(({ messageId }) => messageId));
    cursor = page.next ?? undefined;
  } while (cursor !== undefined);
  return found;
}

describe("a search", () => {
  it("finds the messages accepted before it page by page, each once, newest first", async () => {
    const ids = Array.from({ length: 230 }, () => accept());
    expect(await find("", { limit: 7 })).toEqual(ids.reverse());
    expect(await searches.find({ ...scoped("", tenant), limit: 7 })).toMatchObject({
      isComplete: true,
      lookedBackTo: null,
    });
  });

  it("returns messages in their current state, whatever the index contains", async () => {
    const messageId = accept();
    expect(await find("status:queued")).toEqual([messageId]);
    become(messageId, "DELIVERED");
    expect(await find("status:queued")).toEqual([]);
  });

  it("immediately finds the new state of an indexed message, however old it is", async () => {
    const DAY_MS = 24 * 60 * 60_000;
    const lost = accept({ status: "UNKNOWN" });
    now += 30 * DAY_MS;
    const [sent, other] = [accept({ status: "SENT" }), accept({ status: "SENT", reason: "BLOCKED" })];
    now += 3 * DAY_MS;
    expect(await find("status:sent")).toEqual([other, sent]);
    become(sent, "UNDELIVERED", "UNREACHABLE");
    become(other, "DELIVERED");
    become(lost, "DELIVERED");
    now += 1;
    expect(await find("status:undelivered")).toEqual([sent]);
    expect(await find("reason:unreachable", { scope: { tenantId: 1, merchantId: "m1" } })).toEqual([sent]);
    expect(await find("-reason:blocked status:delivered")).toEqual([other, lost]);
    expect(await find("status:sent")).toEqual([]);
  });

  it("finds a dialled call although its message is later than the call's acceptance", async () => {
    const messageId = accept();
    const call = messages.get(messageId) as FollowedMessage;
    // the call is indexed as a message, dialled a moment ago
    messages.set(messageId, { ...call, createdAt: now + SETTLE_MS });
    now += SETTLE_MS + 1;
    await find("");
    messages.set(messageId, call);
    now += 1;
    expect(await find("")).toEqual([messageId]);
  });

  it("finds no message of another tenant or merchant, whatever the words", async () => {
    accept({ tenantId: 2 });
    const [own, other] = [accept(), accept({ merchantId: "m2" })];
    expect(await find("")).toEqual([other, own]);
    expect(await find("", { scope: { tenantId: 1, merchantId: "m1" } })).toEqual([own]);
    expect(await find("merchant:m2", { scope: { tenantId: 1, merchantId: "m1" } })).toEqual([]);
    expect(await find("", { scope: { tenantId: 3, merchantId: undefined } })).toEqual([]);
  });

  it("searches no further back than requested", async () => {
    accept();
    now += 3 * 24 * 60 * 60_000;
    const late = accept();
    expect(await find("after:1d")).toEqual([late]);
  });

  it("is refused while the index cannot be opened", async () => {
    failure = new Error("no permission");
    await expect(find("")).rejects.toThrow("cannot be opened");
    expect(errors).toEqual([failure]);
    failure = undefined;
    expect(await find("")).toEqual([]);
  });

  it("works again after a failure of the database", async () => {
    await find("");
    failure = new Error("gone away");
    accept();
    await find("");
    expect(errors).toEqual([failure]);
    failure = undefined;
    now += SETTLE_MS;
    expect(await find("")).toHaveLength(1);
  });

  it("continues where its page ended, whatever is added to or removed from the index in between", async () => {
    const ids = Array.from({ length: 130 }, () => accept());
    now += SETTLE_MS;
    await find("");
    ids.push(...Array.from({ length: 260 }, () => accept()));
    flow = () => {
      now += 500;
      accept();
    };
    const found = await find("", { limit: 7 });
    flow = undefined;
    expect(found.slice(-390)).toEqual(ids.reverse());
    expect(new Set(found).size).toBe(found.length);
  });

  it("finds an id anywhere among the terms, but not another tenant's", async () => {
    const messageId = accept();
    expect(await find(messageId)).toEqual([messageId]);
    now += SETTLE_MS;
    expect(await find(`id:${messageId} status:queued`)).toEqual([messageId]);
    expect(await find(`id:${messageId} status:sent`)).toEqual([]);
    expect(await find(messageId, { scope: { tenantId: 2, merchantId: undefined } })).toEqual([]);
  });

  it("finds no previous contents after the index was emptied", async () => {
    accept();
    await find("");
    messages.clear();
    await searches.beginAnew();
    expect(await find("")).toEqual([]);
    const messageId = accept();
    expect(await find("")).toEqual([messageId]);
  });
});

it("indexing restarts automatically if the index contains another source's messages, even during updates", async () => {
  const [gone, stays] = [accept(), accept()];
  now += SETTLE_MS;
  expect(await find("")).toEqual([stays, gone]);
  const tally = async () => {
    const { hours, isComplete } = await searches.tally({ scope: tenant, from: 0 });
    return [hours.reduce((sum, { messages }) => sum + messages, 0), isComplete];
  };
  expect(await tally()).toEqual([2, true]);
  messages.delete(gone);
  isOther = true;
  expect(await tally()).toEqual([1, true]);
  expect(await find("")).toEqual([stays]);
});

it("an open index is kept up to date for commands that read it, even without viewers", async () => {
  const folder = mkdtempSync(join(tmpdir(), "msgd-index-"));
  const path = join(folder, "search.db");
  const kept = new LocalSearches({
    source,
    openIndex: () => SearchIndex.open(path),
    clock: { now: () => now },
    onError: (error) => errors.push(error),
  });
  await kept.find({ ...scoped("", tenant), limit: 1 });
  const messageId = accept();
  now += SETTLE_MS;
  const reader = SearchIndex.openToRead(path);
  expect(reader.positionOf(messageId)).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1_000);
  await expect.poll(() => reader.positionOf(messageId)).toBeDefined();
  reader.close();
  await kept.close();
  rmSync(folder, { recursive: true });
});

describe("a viewer", () => {
  let told: WatchedChanges[];
  const watch = async (text: string, scope = tenant) => {
    told = [];
    const { end } = searches.watch(scoped(text, scope), { tell: (changes) => told.push(changes), end() {} });
    // read the existing messages first
    await find("");
    now += 1;
    return { end };
  };
  /** Waits until every change has been sent. */
  const pass = async () => {
    for (let looks = 0; looks < 3; looks += 1) {
      await vi.advanceTimersByTimeAsync(250);
      await find("");
    }
  };

  it("gets only new messages that match", async () => {
    await watch("to:+1202");
    const messageId = accept();
    accept({ to: "+4915112345678" });
    accept({ tenantId: 2 });
    await pass();
    expect(told.flatMap((changes) => changes.messages.map((message) => message.messageId))).toEqual([messageId]);
  });

  it("gets a message's new state, and learns when the message no longer matches", async () => {
    await watch("status:queued");
    const messageId = accept();
    await pass();
    become(messageId, "DELIVERED");
    now += 2_000;
    await pass();
    expect(told.map(({ messages, gone }) => [messages.length, gone])).toEqual([
      [1, []],
      [0, [messageId]],
    ]);
  });

  it("gets only the number of new messages if there are too many to follow", async () => {
    await watch("");
    for (let sent = 0; sent < 80; sent += 1) accept();
    await pass();
    expect(told).toEqual([{ messages: expect.any(Array), gone: [], more: 75, changed: 0 }]);
    expect(told[0]?.messages).toHaveLength(5);
  });

  it("gets no changes after it was closed", async () => {
    const { end } = await watch("");
    const timers = vi.getTimerCount();
    end();
    expect(vi.getTimerCount()).toBe(timers - 1);
    accept();
    await pass();
    expect(told).toEqual([]);
  });
});
