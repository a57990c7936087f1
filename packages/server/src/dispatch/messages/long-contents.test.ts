// Messages with long content: only a few are claimed at once, and only a few are in memory at once.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { carryForAll } from "../../carriers/carriers.ts";
import { defaultPrices } from "../../domain/billing/rules.ts";
import { createRecipientDigest } from "../../domain/contacts.ts";
import { QueueFloors } from "../../store/queue/engine.ts";
import { createWorld, startMs, type World } from "../../testing/dispatch-world.ts";
import { ScriptedProvider, silence } from "../../testing/scripted-provider.ts";
import { openTestStore } from "../../testing/test-store.ts";
import { claimDue, type Task } from "./claim.ts";

const MIB = 1_048_576;

let world: World<ScriptedProvider>;
beforeEach(async () => {
  world = await createWorld({
    openStore: ({ now }) => openTestStore({ now }),
    openProvider: () => new ScriptedProvider(),
    limit: 1_000,
  });
});
afterEach(() => world.close());

const accept = (content: string) => world.accept("jane@example.com", { type: "TRANSACTIONAL", content });
const fill = async (count: number, bytes: number) => {
  for (let index = 0; index < count; index += 1) await accept(`${index} `.padEnd(bytes, "x"));
};
const leaseMs = 20_000;
const floors = new QueueFloors(() => performance.now());
const claim = (kind: Task["kind"] = "submit", now = startMs) =>
  world.store.write((tx) =>
    claimDue(
      {
        ...{
          tx,
          now,
          prices: defaultPrices,
          elapsed: performance.now(),
          token: "t",
          leaseMs,
        },
        ...{
          consentPolicy: "strict",
          digestRecipient: createRecipientDigest("pepper"),
          registration: "open",
          carriers: carryForAll({ EMAIL: world.provider }),
          callTimeoutMs: 10_000,
          otpValidityMs: 600_000,
          listeningSince: 0,
        },
      },
      { kind, limit: 32, scan: floors.beginScan() },
    ),
  );
const lengthsOf = (tasks: readonly Task[]) => tasks.map((task) => (task.kind === "submit" ? task.content.length : 0));

describe("a claim", () => {
  it.each([
    ["32 short messages", 40, 100, [32, 8, 0]],
    ["as many long messages as fit into 1 MiB", 7, 300_000, [3, 3, 1, 0]],
    ["one message of 1 MiB", 3, MIB, [1, 1, 1, 0]],
    ["one message of more than 1 MiB", 2, 1.5 * MIB, [1, 1, 0]],
  ])("takes %s, and reports whether more are due", async (_what, count, bytes, expected) => {
    await fill(count, bytes);
    const claims: number[] = [];
    for (const size of expected) {
      const { tasks, examined, isMoreDue } = await claim();
      claims.push(tasks.length);
      expect(lengthsOf(tasks)).toEqual(Array(size).fill(bytes));
      expect([examined, isMoreDue]).toEqual([size, claims.reduce((sum, one) => sum + one, 0) < count]);
    }
    expect(claims).toEqual(expected);
  });

  it("counts bytes, like the database", async () => {
    const content = "店".repeat(200_000);
    for (let index = 0; index < 3; index += 1) await accept(content);
    const { tasks } = await claim();
    expect(tasks).toMatchObject([{ content }]);
  });

  it("does not read the content of messages to be looked up", async () => {
    const content = "x".repeat(MIB);
    const messageId = await accept(content);
    await claim();
    // the lease of the message expires
    await claim("submit", startMs + leaseMs);
    const { tasks } = await claim("find", startMs + leaseMs);
    expect(tasks).toMatchObject([{ kind: "find", message: { messageId, content: "", longBytes: MIB } }]);
  });

  it("keeps the order of short and long messages", async () => {
    for (const bytes of [10, 900_000, 10, 900_000, 10]) await fill(1, bytes);
    expect(lengthsOf((await claim()).tasks)).toEqual([10, 900_000, 10]);
    expect(lengthsOf((await claim()).tasks)).toEqual([900_000, 10]);
  });
});

describe("long messages in flight", () => {
  it("are limited to 16 MiB; more are claimed as the first ones end", async () => {
    const answers: (() => void)[] = [];
    world.provider.onSubmit = ({ clientReference: providerMessageId }) =>
      new Promise((resolve) => answers.push(() => resolve({ outcome: "taken", providerMessageId })));
    await fill(40, MIB);
    await world.dispatcher().start();
    await world.clock.settle();
    expect(answers).toHaveLength(16);
    answers[0]?.();
    await world.clock.settle();
    expect(answers).toHaveLength(17);
    for (let index = 1; index < 40; index += 1) {
      await world.clock.settle();
      answers[index]?.();
    }
    await world.clock.settle();
    expect(world.provider.submissions.map(({ content }) => content.length)).toEqual(Array(40).fill(MIB));
    expect(new Set(world.provider.submissions.map(({ content }) => content)).size).toBe(40);
  });

  it("do not delay messages that are only looked up", async () => {
    world.provider.onSubmit = ({ content }) =>
      content.length === MIB ? silence() : Promise.reject(new Error("connection reset"));
    await fill(2, 10);
    await fill(20, MIB);
    await world.dispatcher().start();
    await world.clock.settle();
    expect(world.provider.submissions).toHaveLength(18);
    await world.clock.advanceBy(300);
    expect(world.provider.lookups).toHaveLength(2);
  });
});
