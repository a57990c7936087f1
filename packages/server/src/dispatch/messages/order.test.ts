// Checks the order in which accepted messages are submitted.

import { afterEach, beforeEach, expect, it } from "vitest";
import { createWorld, type World } from "../../testing/dispatch-world.ts";
import { ScriptedProvider } from "../../testing/scripted-provider.ts";
import { openTestStore } from "../../testing/test-store.ts";

let world: World<ScriptedProvider>;

beforeEach(async () => {
  world = await createWorld({
    openStore: ({ now }) => openTestStore({ now }),
    openProvider: () => new ScriptedProvider(),
  });
});

afterEach(() => world.close());

async function acceptSeveral(count: number, type: "OTP" | "TRANSACTIONAL"): Promise<void> {
  for (let accepted = 0; accepted < count; accepted += 1) await world.accept("+12025550100", { type });
}

/** Dispatches the messages. Returns their types in the order of submission. */
async function dispatch(concurrency: number): Promise<string[]> {
  await world.dispatcher({ concurrency }).start();
  await world.clock.settle();
  return world.provider.submissions.map(({ type }) => type);
}

it("a one-time password is submitted before all other waiting messages", async () => {
  await acceptSeveral(20, "TRANSACTIONAL");
  await acceptSeveral(1, "OTP");
  const types = await dispatch(4);
  expect(types).toHaveLength(21);
  expect(types[0]).toBe("OTP");
});

it("a quarter of each claim is reserved for messages that are not one-time passwords", async () => {
  await acceptSeveral(20, "OTP");
  await acceptSeveral(20, "TRANSACTIONAL");
  const types = await dispatch(8);
  expect(types.slice(0, 8).filter((type) => type === "TRANSACTIONAL")).toHaveLength(2);
  expect(types).toHaveLength(40);
});

it("one-time passwords fill the part of a claim that other messages do not need", async () => {
  await acceptSeveral(20, "OTP");
  await acceptSeveral(1, "TRANSACTIONAL");
  const types = await dispatch(8);
  expect(types.slice(0, 8).filter((type) => type === "OTP")).toHaveLength(7);
  expect(types).toHaveLength(21);
});
