// On PostgreSQL, other instances serve and commit between the statements that begin a restoration or a suspicion.

import { afterEach, beforeEach, expect, it } from "vitest";
import { carryBy } from "../carriers/carriers.ts";
import { createWorld, type World } from "../testing/dispatch-world.ts";
import { ScriptedProvider } from "../testing/scripted-provider.ts";
import { openTestStore } from "../testing/test-store.ts";
import { beginRestoration, beginSuspicion } from "./restorations.ts";
import { textOf } from "./statement.ts";
import type { Transaction } from "./store.ts";

let world: World<ScriptedProvider>;

beforeEach(async () => {
  world = await createWorld({
    openStore: ({ now }) => openTestStore({ now }),
    openProvider: () => new ScriptedProvider(),
  });
  world.provider.capacity = () => 0;
});
afterEach(() => world.close());

/** Wraps `tx`: runs `happen` before the statement that begins with `statement`. */
function interrupted(tx: Transaction, statement: string, happen: () => Promise<void>): Transaction {
  return new Proxy(tx, {
    get(target, name) {
      if (name !== "run") return Reflect.get(target, name, target);
      return async (...[ask, ...values]: Parameters<Transaction["run"]>) => {
        if (textOf(ask, tx.dialect.engine).trim().startsWith(statement)) await happen();
        return target.run(ask, ...values);
      };
    },
  });
}

it.each([
  ["a restoration", (tx: Transaction) => beginRestoration(tx, { now: 1, patienceMs: 1, isServed: true })],
  [
    "a suspicion",
    (tx: Transaction) => beginSuspicion(tx, world.provider.name, { now: world.clock.now(), patienceMs: 1 }),
  ],
])("%s does not affect a message that enters a carrier's queue meanwhile", async (_name, begin) => {
  const dispatcher = world.dispatcher({ carriers: carryBy([world.provider], () => world.provider) });
  await dispatcher.start();
  let messageId = "";
  const enterQueue = async () => {
    messageId = await world.accept("+12025550100");
    dispatcher.notify();
    await world.clock.settle();
  };
  await world.store.write((tx) => begin(interrupted(tx, "UPDATE dispatches SET state = 'reconciling'", enterQueue)));
  expect(await world.outbox()).toEqual([{ messageId, state: "waiting" }]);
  expect(await world.statuses()).toEqual({ [messageId]: "QUEUED" });
});
