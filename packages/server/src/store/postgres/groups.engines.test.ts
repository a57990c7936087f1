import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { findMessageProgress, saveStatus } from "../../domain/messages/progress-rows.ts";
import { createWorld, type World } from "../../testing/dispatch-world.ts";
import { ScriptedProvider } from "../../testing/scripted-provider.ts";
import { openTestStore } from "../../testing/test-store.ts";
import type { NoteCommit, Work } from "../store.ts";

let world: World<ScriptedProvider>;
beforeEach(async () => {
  world = await createWorld({
    openStore: ({ now }) => openTestStore({ now }),
    openProvider: () => new ScriptedProvider(),
  });
});
afterEach(() => world.close());

describe("writes of a group", () => {
  it("run one after the other if they change the same message", async () => {
    const messageId = await world.accept("+12025550100");
    const seen: string[] = [];
    const move =
      (status: "EXPIRED" | "CANCELED"): Work<void> =>
      async (tx) => {
        const message = await findMessageProgress(tx, messageId);
        if (message === undefined) throw new Error("the message is gone");
        seen.push(message.status);
        await saveStatus(tx, message, { status, deliveryReason: null, now: 0 });
      };
    await Promise.all([
      world.store.write(move("EXPIRED"), "together"),
      world.store.write(move("CANCELED"), "together"),
    ]);
    expect(seen).toEqual(["QUEUED", "EXPIRED"]);
    expect((await world.message(messageId)).status).toBe("CANCELED");
  });

  it("fail separately: a write that throws is undone, and the others are committed", async () => {
    const messageIds = await Promise.all(Array.from({ length: 20 }, () => world.accept("+12025550100")));
    const ends = await Promise.allSettled(
      messageIds.map((messageId, index) =>
        world.store.write(async (tx) => {
          const message = await findMessageProgress(tx, messageId);
          if (message === undefined) throw new Error("the message is gone");
          await saveStatus(tx, message, { status: "CANCELED", deliveryReason: null, now: 0 });
          if (index % 5 === 0) throw new Error("it changed its mind");
        }, "together"),
      ),
    );
    expect(ends.map(({ status }) => status === "fulfilled")).toEqual(messageIds.map((_, index) => index % 5 !== 0));
    const statuses = await world.statuses();
    expect(messageIds.map((messageId) => statuses[messageId])).toEqual(
      messageIds.map((_, index) => (index % 5 === 0 ? "QUEUED" : "CANCELED")),
    );
  });

  it("are run one by one if they cannot be committed together", async () => {
    const insert =
      (name: string): Work<number> =>
      (tx) =>
        tx.run("INSERT INTO doubts (message_id) VALUES ($1)", name);
    // the second write fails after the first has written, which aborts the transaction of both
    const ends = await Promise.allSettled([
      world.store.write(insert("one"), "together"),
      world.store.write(async (tx) => {
        await insert("two")(tx);
        throw new Error("too late");
      }, "together"),
    ]);
    expect(ends.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    const rows = await world.store.read((tx) => tx.all("SELECT message_id AS id FROM doubts"));
    expect(rows).toEqual([{ id: "one" }]);
  });

  it("are gathered while a large group is in flight, but wait only briefly for its end", async () => {
    const noteCommit = vi.fn<NoteCommit>();
    const store = await openTestStore({ now: () => 0, noteCommit });
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const large = Array.from({ length: 30 }, () => store.write(() => held, "together"));
      await nextTurn();
      const first = store.write(async () => "first", "together");
      await nextTurn();
      const second = store.write(async () => "second", "together");
      await nextTurn();
      vi.advanceTimersByTime(2);
      expect(await Promise.all([first, second])).toEqual(["first", "second"]);
      letGo();
      await Promise.all(large);
    } finally {
      vi.useRealTimers();
      letGo();
      await store.close();
    }
    expect(noteCommit.mock.calls.slice(-2).map(([writes]) => writes)).toEqual([2, 30]);
  });
});
