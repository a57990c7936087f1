import { afterEach, beforeEach, expect, it } from "vitest";
import { parseSearch } from "../rules/search-language.ts";
import { type InMemoryService, openInMemoryService } from "../testing/in-memory-service.ts";
import { Follower } from "./follower.ts";
import { SearchIndex } from "./search-index.ts";
import { createSearchSource } from "./search-source.ts";
import { toMatch } from "./search-terms.ts";

const HOUR_MS = 3_600_000;

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

async function catchUp(): Promise<void> {
  const follower = new Follower({ source: createSearchSource(service.store), index, clock: service.clock });
  while (await follower.step());
}

function find(text: string): string[] {
  const read = parseSearch(text, { now: service.clock.now(), timezone: "UTC" });
  if ("faults" in read) throw new Error("the search has faults");
  const match = toMatch({ tenantId: service.credential.tenantId, merchantId: undefined }, read.search) ?? "";
  return index.find(match, { limit: 1_000 }).found.map(({ messageId }) => messageId);
}

/** Every message and call, by what it has become. */
async function listShown(): Promise<Record<string, string[]>> {
  const shown = (await service.call("GET", "/control/messages?limit=1000")).json() as {
    messageId: string;
    status: string;
  }[];
  const byStatus: Record<string, string[]> = { "": [] };
  for (const { messageId, status } of shown) {
    byStatus[""]?.push(messageId);
    byStatus[`status:${status}`] = [...(byStatus[`status:${status}`] ?? []), messageId];
  }
  return byStatus;
}

async function advanceBy(ms: number): Promise<void> {
  await service.clock.advanceBy(ms);
  await catchUp();
}

async function expectAllFound(when: string): Promise<void> {
  await catchUp();
  for (const [text, messageIds] of Object.entries(await listShown())) {
    expect(find(text).sort(), `${text} ${when}`).toEqual(messageIds.sort());
  }
}

it("gives every message, call and confirmation as it is, whenever it is there", async () => {
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
  // until the carrier is asked no more; then what may have changed is looked at each hour
  for (const hours of [1, 6, 80, 1, 1]) await advanceBy(hours * HOUR_MS);
  await expectAllFound("in the end");
  expect(find("").length).toBeGreaterThan(before);
  expect(find('channel:voice "your code is"').length).toBeGreaterThanOrEqual(outcomes.length);
});

it("finds a long text by its first words, and what was accepted before the index", async () => {
  const long = await send("+12025550100", `Beginning ${"x ".repeat(500)}`);
  await service.clock.advanceBy(HOUR_MS);
  await catchUp();
  expect(find("beginning")).toEqual([long]);
});
