// Receipts of carriers that have their own ids for messages and for each part, and texts from phones.

import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { PartReceipt } from "../../carriers/provider.ts";
import { toErasedRecipient } from "../../domain/contacts.ts";
import { createWorld, hourMs, type World } from "../../testing/dispatch-world.ts";
import { ScriptedProvider } from "../../testing/scripted-provider.ts";
import { openTestStore } from "../../testing/test-store.ts";

let world: World<ScriptedProvider>;
let provider: ScriptedProvider;

beforeEach(async () => {
  world = await createWorld({
    openStore: ({ now }) => openTestStore({ now }),
    openProvider: () => new ScriptedProvider(),
  });
  provider = world.provider;
  delete provider.find;
});

afterEach(() => world.close());

/** Sends a message that the carrier accepts in these parts. */
async function send(parts: readonly string[], to = "+12025550100"): Promise<string> {
  const messageId = await world.accept(to);
  provider.onSubmit = async (_submission, { handOver }) => {
    await handOver();
    return { outcome: "taken", providerMessageId: parts[0] ?? "", parts };
  };
  const dispatcher = world.dispatcher();
  await dispatcher.start();
  await world.clock.settle();
  return messageId;
}

const tell = (part: string, status: PartReceipt["status"], more: Partial<PartReceipt> = {}) =>
  provider.tell({ kind: "part-receipt", eventId: `${part} ${status}`, part, status, reason: null, ...more });

const statusOf = async (messageId: string) => (await world.message(messageId)).status;

const wordsOf = (messageId: string) =>
  world.store.read((tx) =>
    tx.get<{ words: string }>("SELECT words FROM carrier_words WHERE message_id = $1", messageId),
  );

describe("a message of one part", () => {
  it("is delivered with its part", async () => {
    const messageId = await send(["a1"]);
    await tell("a1", "SENT");
    expect(await statusOf(messageId)).toBe("SENT");
    await tell("a1", "DELIVERED");
    expect(await statusOf(messageId)).toBe("DELIVERED");
    expect(await world.outbox()).toEqual([]);
  });

  it("stores the reason for a failure, with the carrier's explanation", async () => {
    const messageId = await send(["a1"]);
    await tell("a1", "UNDELIVERED", { reason: "UNREACHABLE", detail: "stat:UNDELIV err:027\u0000\r\n x" });
    expect(await world.message(messageId)).toMatchObject({ status: "UNDELIVERED", deliveryReason: "UNREACHABLE" });
    expect(await wordsOf(messageId)).toEqual({ words: "stat:UNDELIV err:027 x" });
  });

  it("stores what a receipt without a known state said, while its outcome is open", async () => {
    const messageId = await send(["a1"]);
    await tell("a1", "SENT", { detail: "id:a1 stat:EXPIRD", hasUnknownState: true });
    expect([await statusOf(messageId), await wordsOf(messageId)]).toEqual(["SENT", { words: "id:a1 stat:EXPIRD" }]);
    await tell("a1", "UNDELIVERED", { reason: "UNREACHABLE", detail: "stat:UNDELIV" });
    await tell("a1", "SENT", { eventId: "a1 again", detail: "id:a1 stat:EXPIRD", hasUnknownState: true });
    expect([await statusOf(messageId), await wordsOf(messageId)]).toEqual(["UNDELIVERED", { words: "stat:UNDELIV" }]);
  });

  it("stores no explanation of the carrier if the recipient was erased", async () => {
    const messageId = await send(["a1"]);
    await world.store.write((tx) =>
      tx.run("UPDATE messages SET recipient = $2 WHERE message_id = $1", messageId, toErasedRecipient("digest")),
    );
    await tell("a1", "UNDELIVERED", { reason: "UNREACHABLE", detail: "no +12025550100 here" });
    expect([await statusOf(messageId), await wordsOf(messageId)]).toEqual(["UNDELIVERED", undefined]);
  });

  it("is settled by a receipt after it was given up", async () => {
    const messageId = await send(["a1"]);
    await world.clock.advanceBy(80 * hourMs);
    expect(await statusOf(messageId)).toBe("UNKNOWN");
    await tell("a1", "DELIVERED");
    expect(await statusOf(messageId)).toBe("DELIVERED");
  });
});

describe("a message of three parts", () => {
  it("is delivered when all parts are, in any order and with repeated reports", async () => {
    const messageId = await send(["a1", "a2", "a3"]);
    for (const part of ["a3", "a1", "a1"]) await tell(part, "DELIVERED");
    expect(await statusOf(messageId)).toBe("SENT");
    await tell("a2", "DELIVERED");
    expect(await statusOf(messageId)).toBe("DELIVERED");
  });

  it("is undelivered if one part is, whatever is reported about the others", async () => {
    const messageId = await send(["a1", "a2", "a3"]);
    await tell("a1", "DELIVERED");
    await tell("a2", "UNDELIVERED", { reason: "BLOCKED" });
    expect(await world.message(messageId)).toMatchObject({ status: "UNDELIVERED", deliveryReason: "BLOCKED" });
    await tell("a3", "DELIVERED");
    await tell("a2", "DELIVERED");
    expect(await world.message(messageId)).toMatchObject({ status: "UNDELIVERED", deliveryReason: "BLOCKED" });
  });
});

describe("a receipt that covers all parts", () => {
  it.each(["a1", "a3"])("settles a message of three parts, whichever it names: %s", async (part) => {
    const messageId = await send(["a1", "a2", "a3"]);
    await tell(part, "SENT", { coversAllParts: true });
    expect(await statusOf(messageId)).toBe("SENT");
    await tell(part, "DELIVERED", { coversAllParts: true });
    expect(await statusOf(messageId)).toBe("DELIVERED");
  });

  it("settles the message if it arrives before the answer to the submission", async () => {
    await world.dispatcher().start();
    await tell("a2", "DELIVERED", { coversAllParts: true });
    expect(await statusOf(await send(["a1", "a2"]))).toBe("DELIVERED");
  });
});

describe("a receipt", () => {
  it("that arrives before the answer to its submission counts when the answer is recorded", async () => {
    const messageId = await world.accept("+12025550100");
    provider.onSubmit = async (_submission, { handOver }) => {
      await handOver();
      await tell("a1", "DELIVERED");
      await tell("a2", "DELIVERED");
      return { outcome: "taken", providerMessageId: "a1", parts: ["a1", "a2"] };
    };
    await world.dispatcher().start();
    await world.clock.settle();
    expect(await world.message(messageId)).toMatchObject({ status: "DELIVERED", providerMessageId: "a1" });
    expect(await world.store.read((tx) => tx.all("SELECT part FROM parked_receipts"))).toEqual([]);
  });

  it("is never lost if it arrives at the same time as the answer", async () => {
    const tellings: Promise<void>[] = [];
    provider.onSubmit = async ({ clientReference }, { handOver }) => {
      await handOver();
      const part = `p-${clientReference}`;
      tellings.push(sleep(Math.random() * 3).then(() => tell(part, "DELIVERED")));
      return { outcome: "taken", providerMessageId: part, parts: [part] };
    };
    const messages: string[] = [];
    for (let count = 0; count < 80; count++) messages.push(await world.accept("+12025550100"));
    await world.dispatcher().start();
    await vi.waitFor(() => expect(tellings).toHaveLength(80), { timeout: 60_000 });
    await Promise.all(tellings);
    await vi.waitFor(
      async () => expect(new Set(Object.values(await world.statuses()))).toEqual(new Set(["DELIVERED"])),
      { timeout: 60_000 },
    );
    expect(await world.store.read((tx) => tx.all("SELECT part FROM parked_receipts"))).toEqual([]);
  });

  it("of an unknown message is kept only as long as an answer may arrive", async () => {
    await world.dispatcher().start();
    await tell("z9", "DELIVERED");
    await tell("z9", "DELIVERED");
    expect(await world.store.read((tx) => tx.all("SELECT part FROM parked_receipts"))).toEqual([{ part: "z9" }]);
    expect(world.logged).toContain("a provider reported an unknown message");
    const messageId = await send(["z9"]);
    expect(await statusOf(messageId)).toBe("DELIVERED");
  });

  it("applies to the newer message if the carrier reuses an id", async () => {
    const older = await send(["a1"]);
    await tell("a1", "DELIVERED");
    const newer = await send(["a1"], "+12025550101");
    expect(await statusOf(newer)).toBe("SENT");
    await tell("a1", "UNDELIVERED", { eventId: "another", reason: "UNREACHABLE" });
    expect([await statusOf(older), await statusOf(newer)]).toEqual(["DELIVERED", "UNDELIVERED"]);
  });
});
