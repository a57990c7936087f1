import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { isFound, parseSearch } from "../domain/recipients/search-language.ts";
import { type InMemoryService, openInMemoryService } from "../testing/in-memory-service.ts";
import { Follower } from "./follower.ts";
import { findUnindexed, formatCursor, parseCursor, toRowFilter, type UnindexedCursor } from "./page-search.ts";
import { SearchIndex } from "./search-index.ts";
import { createSearchSource, type FollowedMessage } from "./search-source.ts";
import { toMatch } from "./search-terms.ts";

const HOUR_MS = 3_600_000;
/** Messages older than this are indexed. */
const SETTLE_MS = 1_501;

let service: InMemoryService;
let index: SearchIndex;
beforeEach(async () => {
  service = await openInMemoryService({ isDevelopment: true });
  index = SearchIndex.open(":memory:");
  await service.start();
  const limits = { smsLimit: 1_000, voiceMinutesLimit: 1_000, emailLimit: 1_000 };
  await service.call("POST", "/api/v1/merchants", { body: { merchantId: "m1", displayName: "M", ...limits } });
});
afterEach(async () => {
  index.close();
  await service.close();
});

const send = async (to: string, message = "Hi") => {
  const body = { merchantId: "m1", to, message, type: "OTP" };
  return (await service.call("POST", "/api/v1/messages/sms", { body })).json().messageId;
};

/** Advances the clock until all messages are old enough to be indexed. */
async function catchUp(): Promise<void> {
  await service.clock.advanceBy(SETTLE_MS);
  const follower = new Follower({ source: createSearchSource(service.store), index, clock: service.clock });
  while (await follower.followBatch());
}

function find(text: string): string[] {
  const read = parseSearch(text, { now: service.clock.now(), timezone: "UTC" });
  if ("faults" in read) throw new Error("the search has faults");
  const match = toMatch({ tenantId: service.credential.tenantId, merchantId: undefined }, read.search) ?? "";
  return index.find(match, { limit: 1_000 }).found.map(({ messageId }) => messageId);
}

/** Finds the messages with this status in the index; all messages if `status` is empty. */
function findWith(status: string): string[] {
  if (status === "") return find("");
  const match = `terms : "t${service.credential.tenantId}/status:${status}"`;
  return index.find(match, { limit: 1_000 }).found.map(({ messageId }) => messageId);
}

/** Lists the ids of messages and calls by status. The empty status lists the ids of all of them. */
async function listShown(): Promise<Record<string, string[]>> {
  const shown = (await service.call("GET", "/control/messages?limit=1000")).json() as {
    messageId: string;
    status: string;
  }[];
  const byStatus: Record<string, string[]> = { "": [] };
  for (const { messageId, status } of shown) {
    byStatus[""]?.push(messageId);
    byStatus[status] = [...(byStatus[status] ?? []), messageId];
  }
  return byStatus;
}

async function advanceBy(ms: number): Promise<void> {
  await service.clock.advanceBy(ms);
  await catchUp();
}

/** Waits until the index matches: messages may change while the index catches up. */
async function expectAllFound(when: string): Promise<void> {
  await vi.waitFor(
    async () => {
      await catchUp();
      for (const [status, messageIds] of Object.entries(await listShown())) {
        expect(findWith(status).sort(), `${status} ${when}`).toEqual(messageIds.sort());
      }
    },
    { timeout: 60_000 },
  );
}

it("the index has the state of every message, call and confirmation at any time", async () => {
  const outcomes = ["00", "02", "03", "05", "10", "20", "21", "30", "33", "37"].map((last) => `+120255501${last}`);
  for (const to of outcomes) await send(to);
  const scheduled = new Date(service.clock.now() + 5 * HOUR_MS).toISOString();
  const calls = { merchantId: "m1", messageText: "Your code is 1 2 3", useCase: "OTP", toNumbers: outcomes };
  expect((await service.call("POST", "/api/v1/voice/tts-calls", { body: calls })).statusCode).toBe(200);
  const later = { ...calls, execution: { type: "SCHEDULED", scheduledAt: scheduled } };
  await service.call("POST", "/api/v1/voice/tts-calls", { body: later });
  for (const to of outcomes.slice(0, 2)) {
    const call = { merchantId: "m1", to, text: "Your code is 1", type: "OTP" };
    expect((await service.call("POST", "/api/v1/messages/voice", { body: call })).statusCode).toBe(200);
  }
  await expectAllFound("at once");
  const repliedTo = find("to:+12025550100 channel:sms").at(-1);
  for (const ms of [500, 5_000, 60_000, HOUR_MS]) await advanceBy(ms);
  const reply = { tenantId: String(service.credential.tenantId), messageId: repliedTo, replyBody: "HELP" };
  expect((await service.call("POST", "/api/v1/simulator/reply", { body: reply })).statusCode).toBe(200);
  const before = find("").length;
  // Advance until carriers are no longer asked about messages. After that, the index checks hourly for changed messages.
  for (const hours of [1, 6, 80, 1, 1]) await advanceBy(hours * HOUR_MS);
  await expectAllFound("in the end");
  expect(find("").length).toBeGreaterThan(before);
  expect(find('channel:voice "your code is"').length).toBeGreaterThanOrEqual(outcomes.length);
});

it("a search finds a long text by its first words, and messages accepted before the index existed", async () => {
  const long = await send("+12025550100", `Beginning ${"x ".repeat(500)}`);
  await service.clock.advanceBy(HOUR_MS);
  await catchUp();
  expect(find("beginning")).toEqual([long]);
});

it("a search also finds messages that are not in the index yet", async () => {
  const texts = ["Your code is 12", "your CODE", "Ｙｏｕｒ code", "Füße", "100% of_it", "Hi"];
  const numbers = ["+12025550100", "+12025550110", "+12125550105"];
  for (const [index, text] of texts.entries()) await send(numbers[index % 3] ?? "", text);
  const mail = {
    merchantId: "m1",
    to: "Ann.Lee@Example.com",
    subject: "Your invoice",
    body: "Thanks",
    type: "TRANSACTIONAL",
  };
  expect((await service.call("POST", "/api/v1/messages/email", { body: mail })).statusCode).toBe(200);
  const calls = { merchantId: "m1", messageText: "Your code is 3", useCase: "OTP", toNumbers: numbers };
  expect((await service.call("POST", "/api/v1/voice/tts-calls", { body: calls })).statusCode).toBe(200);
  await service.clock.advanceBy(700);
  const source = createSearchSource(service.store);
  const { tenantId } = service.credential;
  const now = service.clock.now();
  const all: FollowedMessage[] = [];
  for (const { listAfter } of source.streams) all.push(...(await listAfter("", 1_000)));
  const terms = [
    ...[
      "to:+1202",
      "to:+12125550105",
      "to:ann.lee@",
      "to:ANN",
      "code",
      '"your code"',
      "your",
      "füße",
      "100",
      "of_it",
      "invoice",
    ],
    ...[
      "channel:sms",
      "channel:voice",
      "-channel:voice",
      "type:otp",
      "-type:otp",
      "status:delivered",
      "-status:delivered",
    ],
    ...[
      "reason:unreachable",
      "status:queued",
      "merchant:m1",
      "merchant:m2",
      "-code",
      `after:${new Date(now - 600_000).toISOString()}`,
    ],
  ];
  const searches = [...terms, ...terms.map((term, index) => `${term} ${terms[(index * 7 + 3) % terms.length]}`)];
  const some: string[] = [];
  for (const text of ["", ...searches]) {
    const read = parseSearch(text, { now, timezone: "UTC" });
    if ("faults" in read) throw new Error(`${text} has faults`);
    const { search } = read;
    for (const merchantId of [undefined, "m1"]) {
      const asked = { scope: { tenantId, merchantId }, search, limit: 100, since: 0, until: now, before: [] };
      const { messages, next } = await findUnindexed(source, asked, () => true);
      const ids = messages.map(({ messageId }) => messageId).sort();
      const expected = all.filter((message) => isFound(message, search)).map(({ messageId }) => messageId);
      expect(ids, text).toEqual([...new Set(expected)].sort());
      const asFound = await source.find(
        all.map(({ messageId }) => messageId),
        toRowFilter(asked.scope, search),
      );
      expect(asFound.filter((message) => isFound(message, search)).map(({ messageId }) => messageId)).toEqual(
        expect.arrayContaining(ids),
      );
      expect(next).toBeUndefined();
      if (ids.length > 0) some.push(text);
    }
  }
  expect(new Set(some).size).toBeGreaterThan(20);
});

it("messages that are not in the index are read in parts, each message once", async () => {
  const since = service.clock.now();
  for (let count = 0; count < 12; count += 1) {
    await send("+12025550100", `text ${count}`);
    await service.clock.advanceBy(count % 3 === 0 ? 0 : 400);
  }
  const calls = {
    merchantId: "m1",
    messageText: "Hi",
    useCase: "OTP",
    toNumbers: Array.from({ length: 9 }, (_none, n) => `+1202555012${n}`),
  };
  await service.call("POST", "/api/v1/voice/tts-calls", { body: calls });
  await service.clock.advanceBy(60_000);
  const source = createSearchSource(service.store);
  const now = service.clock.now();
  const scope = { tenantId: service.credential.tenantId, merchantId: undefined };
  const search = { conditions: [], from: undefined, until: undefined };
  for (const [limit, mayGoOn] of [
    [4, true],
    [100, false],
    [3, false],
  ] as const) {
    const found: string[] = [];
    let cursor: UnindexedCursor | undefined = { since, until: now, before: [] };
    while (cursor !== undefined) {
      const part = await findUnindexed(source, { scope, search, limit, ...cursor }, () => mayGoOn);
      found.push(...part.messages.map(({ messageId }) => messageId));
      const text: string | undefined = part.next && formatCursor(part.next);
      cursor = text === undefined ? undefined : (parseCursor(text) as UnindexedCursor);
    }
    expect(found).toHaveLength(21);
    expect(new Set(found).size).toBe(21);
  }
});
