import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseSearch } from "../domain/recipients/search-language.ts";
import { Follower, isComplete, reachedAt } from "./follower.ts";
import { SearchIndex } from "./search-index.ts";
import type { ErasedPosition, FollowedMessage, MessageStream, SearchSource } from "./search-source.ts";
import { toMatch } from "./search-terms.ts";

const DAY_MS = 24 * 60 * 60_000;

let now: number;
let index: SearchIndex;
let messages: Map<string, FollowedMessage>;
let erased: ErasedPosition[];
let asked: number;
beforeEach(() => {
  now = Date.parse("2026-11-24T12:00:00Z");
  index = SearchIndex.open(":memory:");
  messages = new Map();
  erased = [];
  asked = 0;
});
afterEach(() => index.close());

const digits = (value: number) => String(value).padStart(16, "0");

/** A stream of the messages whose ids begin with the name. */
function stream(name: string): MessageStream {
  const list = () =>
    [...messages.values()]
      .filter(({ messageId }) => messageId.startsWith(name))
      .sort((one, other) => (one.position < other.position ? -1 : 1));
  return {
    name,
    listAfter: async (position, limit, before = "~") =>
      list()
        .filter((message) => message.position > position && message.position < before)
        .slice(0, limit),
    listBefore: async (position, limit) =>
      list()
        .filter((message) => message.position < position)
        .slice(-limit)
        .reverse(),
    listWithin: async ({ from, before = "~" }, _filter, limit) =>
      list()
        .filter((message) => message.position >= from && message.position < before)
        .slice(-limit)
        .reverse(),
    positionAt: (epochMs) => digits(epochMs),
  };
}

const source: SearchSource = {
  streams: [stream("msg"), stream("call")],
  listErasedAfter: async (position, limit) => erased.filter((message) => message.position > position).slice(0, limit),
  erasedPositionAt: digits,
  async find(messageIds) {
    asked += 1;
    return messageIds.flatMap((messageId) => messages.get(messageId) ?? []);
  },
};

let count = 0;
function accept(of: Partial<FollowedMessage> & { kind?: "msg" | "call" } = {}): string {
  count += 1;
  const { kind = "msg", createdAt = now, ...others } = of;
  const messageId = `${kind}_${count}`;
  const plain = {
    merchantId: "m1",
    channel: "SMS" as const,
    type: "OTP",
    status: "QUEUED" as const,
    reason: null,
    subject: null,
    content: "Hi",
    project: null,
  };
  const position = `${digits(createdAt)}.${digits(count)}`;
  const message = { ...plain, tenantId: 1, isFinal: false, to: "+12025550100", messageId, createdAt, position };
  messages.set(messageId, { ...message, ...others });
  return messageId;
}

function become(messageId: string, status: FollowedMessage["status"]): void {
  const message = messages.get(messageId);
  if (message?.isFinal === false) messages.set(messageId, { ...message, status, isFinal: status !== "SENT" });
}

function find(text: string): string[] {
  const read = parseSearch(text, { now, timezone: "UTC" });
  const match = "search" in read ? toMatch({ tenantId: 1, merchantId: undefined }, read.search) : undefined;
  return index.find(match ?? "", { limit: 10_000 }).found.map(({ messageId }) => messageId);
}

/** Finds the messages with this status in the index. */
function findWith(status: FollowedMessage["status"]): string[] {
  return index.find(`terms : "t1/status:${status}"`, { limit: 10_000 }).found.map(({ messageId }) => messageId);
}

/** Messages older than this are indexed. */
const SETTLE_MS = 1_501;

const follow = () => new Follower({ source, index, clock: { now: () => now } });
async function catchUp(follower: Follower): Promise<void> {
  while (await follower.followBatch());
}

describe("viewers", () => {
  let told: [what: string, messageId: string, status: string][];
  let watchedSince: number | undefined;
  const watched = () =>
    new Follower({
      ...{ source, index, clock: { now: () => now }, watchedSince: () => watchedSince },
      onChange: (changed, what) =>
        told.push(...changed.map(({ messageId, status }) => [what, messageId, status] satisfies (typeof told)[number])),
    });
  beforeEach(() => {
    told = [];
    watchedSince = now;
  });

  it("are notified of each message immediately, and of each of its changes once", async () => {
    const follower = watched();
    await catchUp(follower);
    const [kept, changed] = [accept(), accept({ kind: "call" })];
    await catchUp(follower);
    expect(told).toEqual([
      ["new", kept, "QUEUED"],
      ["new", changed, "QUEUED"],
    ]);
    become(changed, "SENT");
    for (let looks = 0; looks < 10; looks += 1) {
      now += 300;
      await catchUp(follower);
    }
    become(changed, "DELIVERED");
    now += 60_000;
    await catchUp(follower);
    expect(told.slice(2)).toEqual([
      ["changed", changed, "SENT"],
      ["changed", changed, "DELIVERED"],
    ]);
  });

  it("are notified of a message committed late, but not of older messages as if they were new", async () => {
    watchedSince = undefined;
    const follower = watched();
    const before = accept();
    await catchUp(follower);
    now += 10;
    watchedSince = now;
    await catchUp(follower);
    const first = accept();
    now += 10;
    await catchUp(follower);
    const late = accept({ createdAt: now - 5 });
    now += SETTLE_MS;
    await catchUp(follower);
    const news = told.filter(([what]) => what === "new").map(([, messageId]) => messageId);
    expect(news).toEqual([first, late]);
    expect(told.filter(([, messageId]) => messageId === before)).toEqual([["changed", before, "QUEUED"]]);
  });
});

describe("an index", () => {
  it("gets all messages, newest first, including those accepted before it existed", async () => {
    const old = Array.from({ length: 1_200 }, (_none, hours) => {
      const kind = hours % 3 === 0 ? ("call" as const) : ("msg" as const);
      return accept({ kind, createdAt: now - hours * 3_600_000 - 1, status: "DELIVERED", isFinal: true });
    });
    const follower = follow();
    now += 1;
    const fresh = accept();
    now += SETTLE_MS;
    await follower.followBatch();
    // messages of the last minute come first
    expect(find("")).toEqual([fresh, ...old.slice(0, 1)]);
    // old messages follow page by page
    while (find("").length < 3) await follower.followBatch();
    expect(find("").slice(0, 3)).toEqual([fresh, ...old.slice(0, 2)]);
    await catchUp(follower);
    expect(find("")).toEqual([fresh, ...old]);
  });

  it("drops the contents of an erased message within a minute", async () => {
    const messageId = accept({ status: "DELIVERED", isFinal: true });
    const older = accept({ createdAt: now - DAY_MS, status: "DELIVERED", isFinal: true });
    const follower = follow();
    await catchUp(follower);
    for (const [offset, id] of [messageId, older].entries()) {
      const message = messages.get(id) as FollowedMessage;
      messages.set(id, { ...message, to: "erased", content: "" });
      erased.push({ messageId: id, position: digits(now + 1_000 + offset) + id });
    }
    now += 60_000;
    await catchUp(follower);
    expect(find("to:+12025550100")).toEqual([]);
    expect(find("hi")).toEqual([]);
    expect(find("")).toEqual([messageId, older]);
  });

  it("gets changes and older messages even while new messages keep coming", async () => {
    const old = accept({ createdAt: now - DAY_MS, status: "DELIVERED", isFinal: true });
    const first = accept();
    now += SETTLE_MS;
    const follower = new Follower({ source, index, clock: { now: () => now }, bite: 10 });
    await follower.followBatch();
    expect([follower.isUpToDate, isComplete(index)]).toEqual([true, false]);
    become(first, "DELIVERED");
    for (let round = 0; round < 24; round += 1) {
      for (let count = 0; count < 20; count += 1) accept({ type: "MARKETING" });
      now += SETTLE_MS;
      await follower.followBatch();
      expect(follower.isUpToDate).toBe(false);
    }
    expect(find("-type:marketing")).toEqual([first, old]);
    expect(findWith("DELIVERED")).toEqual([first, old]);
    await catchUp(follower);
    expect([follower.isUpToDate, isComplete(index)]).toEqual([true, true]);
  });

  it("follows a message to its final status, with fewer and fewer checks", async () => {
    const [sent = "", lost = ""] = [accept(), accept()];
    const follower = follow();
    now += SETTLE_MS;
    await catchUp(follower);
    become(sent, "SENT");
    become(lost, "SENT");
    now += 1_000;
    await catchUp(follower);
    expect(findWith("SENT")).toEqual([lost, sent]);
    become(sent, "DELIVERED");
    const before = asked;
    for (let minutes = 0; minutes < 10 * 24 * 60; minutes += 1) {
      now += 60_000;
      if (index.listDue(now, 1).length > 0) await catchUp(follower);
    }
    expect(findWith("DELIVERED")).toEqual([sent]);
    expect(findWith("SENT")).toEqual([lost]);
    expect(asked - before).toBeLessThan(220);
    expect(find("status:delivered")).toEqual([sent]);
    become(lost, "UNDELIVERED");
    now += DAY_MS;
    expect(index.listDue(now, 1)).toEqual([]);
  });

  it("keeps checking an UNKNOWN message as long as the operator may settle it", async () => {
    const messageId = accept({ status: "UNKNOWN", createdAt: now - 30 * DAY_MS });
    const follower = follow();
    await catchUp(follower);
    become(messageId, "DELIVERED");
    now += 60 * 60_000;
    await catchUp(follower);
    expect(findWith("DELIVERED")).toEqual([messageId]);
  });

  it("soon gets a message committed late, if there is little to read", async () => {
    const follower = follow();
    accept();
    now += 2 * SETTLE_MS;
    await catchUp(follower);
    const late = accept({ createdAt: now - SETTLE_MS - 500 });
    // takes a second, or more on a busy machine
    for (let seconds = 0; seconds < 25 && !find("").includes(late); seconds += 1) {
      now += 1_000;
      await catchUp(follower);
    }
    expect(find("")).toContain(late);
  });

  it("gets a message committed after messages that were accepted later", async () => {
    const follower = follow();
    now += 1_000;
    const first = accept();
    now += SETTLE_MS;
    await catchUp(follower);
    const late = accept({ createdAt: now - SETTLE_MS - 500 });
    await catchUp(follower);
    expect(find("")).toEqual([first]);
    now += 60_000;
    await catchUp(follower);
    expect(new Set(find(""))).toEqual(new Set([first, late]));
  });

  it("drops messages that no longer exist", async () => {
    const messageId = accept();
    const follower = follow();
    now += SETTLE_MS;
    await catchUp(follower);
    expect(find("")).toEqual([messageId]);
    messages.delete(messageId);
    now += 1_000;
    await catchUp(follower);
    expect(find("")).toEqual([]);
  });

  it("continues after a restart, and after the clock was set back", async () => {
    const old = accept({ createdAt: now - DAY_MS });
    await catchUp(follow());
    now += 1_000;
    const first = accept();
    now += SETTLE_MS;
    await catchUp(follow());
    expect(reachedAt(index)).toBe(now - SETTLE_MS + 1);
    now -= 3_600_000;
    const earlier = accept();
    await catchUp(follow());
    expect(reachedAt(index)).toBeLessThan(now);
    now += SETTLE_MS;
    await catchUp(follow());
    expect(find("")).toHaveLength(3);
    expect(new Set(find(""))).toEqual(new Set([old, first, earlier]));
  });

  it("finally has the current state of every message, after any order of events", async () => {
    const kind = fc.constantFrom("msg" as const, "call" as const);
    const event = fc.oneof(
      // the largest delay is that of the longest transaction
      fc.record({ action: fc.constant("accept" as const), kind, lateMs: fc.constantFrom(0, 0, 10, 20_000) }),
      fc.record({
        action: fc.constant("become" as const),
        of: fc.nat(),
        status: fc.constantFrom("SENT" as const, "DELIVERED" as const),
      }),
      fc.record({ action: fc.constant("follow" as const) }),
      fc.record({ action: fc.constant("begin again" as const) }),
      fc.record({ action: fc.constant("wait" as const), ms: fc.constantFrom(1, 700, 40_000, 3_600_000) }),
    );
    const old = fc.array(fc.record({ kind, ageMs: fc.nat({ max: 30 * DAY_MS }) }));
    const run = async (before: readonly { kind: "msg" | "call"; ageMs: number }[], events: readonly Event[]) => {
      index.close();
      index = SearchIndex.open(":memory:");
      messages.clear();
      for (const { kind, ageMs } of before) accept({ kind, createdAt: now - ageMs });
      let follower = follow();
      for (const of of events) {
        if (of.action === "accept") accept({ kind: of.kind, createdAt: now - of.lateMs });
        else if (of.action === "become")
          become([...messages.keys()][of.of % Math.max(1, messages.size)] ?? "", of.status);
        else if (of.action === "follow") await follower.followBatch();
        else if (of.action === "wait") now += of.ms;
        else follower = follow();
      }
      // old messages are checked hourly, and not at all after more than a week
      for (let minutes = 0; minutes < 90; minutes += 1) {
        now += 60_000;
        await catchUp(follower);
      }
      expect(new Set(find(""))).toEqual(new Set(messages.keys()));
      const counted = index.listTallies({ scope: { tenantId: 1, merchantId: undefined }, from: 0 });
      expect(counted.reduce((sum, { messages }) => sum + messages, 0)).toBe(messages.size);
      for (const status of ["QUEUED", "SENT", "DELIVERED"] as const) {
        const own = [...messages.values()].filter((message) => message.status === status);
        const young = own.filter(({ createdAt }) => createdAt > now - 7 * DAY_MS);
        expect(findWith(status), status).toEqual(expect.arrayContaining(young.map(({ messageId }) => messageId)));
      }
    };
    type Event = typeof event extends fc.Arbitrary<infer Of> ? Of : never;
    await fc.assert(fc.asyncProperty(old, fc.array(event, { maxLength: 60 }), run), { numRuns: 60 });
  });
});

it("a message in two streams is stored and counted once", async () => {
  const twice = { ...source, streams: [stream("msg"), { ...stream("msg"), name: "again" }] };
  for (let sends = 0; sends < 3; sends += 1) accept();
  now += SETTLE_MS;
  await catchUp(new Follower({ source: twice, index, clock: { now: () => now } }));
  const { lowest = 0, highest = 0 } = index.positions ?? {};
  expect([find("").length, highest - lowest + 1]).toEqual([3, 3]);
  const tallies = index.listTallies({ scope: { tenantId: 1, merchantId: undefined }, from: 0 });
  expect(tallies.map(({ messages }) => messages)).toEqual([3]);
});
