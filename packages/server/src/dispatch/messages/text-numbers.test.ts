// Tests the numbers of texts, from which a phone tells apart the parts of different texts.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { carryBy } from "../../carriers/carriers.ts";
import { noteTextContacts, type TextContact } from "../../domain/messages/text-rows.ts";
import type { Store } from "../../store/store.ts";
import { createWorld } from "../../testing/dispatch-world.ts";
import { type TestDatabase, takeLastingDatabase } from "../../testing/engine.ts";
import { ScriptedProvider } from "../../testing/scripted-provider.ts";
import { openStoreAt, openTestStore } from "../../testing/test-store.ts";

const sender = "+12025550199";
const phone = "+12025550100";

describe("the number of a text", () => {
  let database: TestDatabase;
  let stores: readonly [Store, Store];
  const openStores = async () => {
    stores = [
      await openStoreAt(database.location, { now: () => 0 }),
      await openStoreAt(database.location, { now: () => 0 }),
    ];
  };
  const closeStores = () => Promise.all(stores.map((store) => store.close()));
  beforeEach(async () => {
    database = await takeLastingDatabase();
    await openStores();
  });
  afterEach(async () => {
    await closeStores();
    await database.release();
  });

  let count = 0;
  /** Notes texts to the phone, and returns their numbers in order. */
  async function note(
    texts = 1,
    { by = 0, merchantId = "m1", ...given }: Partial<TextContact> & { by?: 0 | 1 } = {},
  ): Promise<number[]> {
    const contacts = Array.from({ length: texts }, () => {
      count += 1;
      return { sender, phone, tenantId: 1, merchantId, messageId: `msg_${count}`, ...given };
    });
    const numbers = await stores[by].write((tx) => noteTextContacts(tx, contacts, 1));
    return contacts.map(({ messageId }) => numbers.get(messageId) ?? Number.NaN);
  }

  it("is one more than that of the text before, whoever sent it, also after a restart", async () => {
    expect(await note()).toEqual([1]);
    expect(await note(1, { by: 1 })).toEqual([2]);
    expect(await note(1, { merchantId: "m2" })).toEqual([3]);
    expect(await note(3)).toEqual([4, 5, 6]);
    await closeStores();
    await openStores();
    expect(await note(1, { merchantId: "m2" })).toEqual([7]);
  });

  it("is counted for each phone and sender", async () => {
    await note(2);
    expect(await note(1, { phone: "+12025550101" })).toEqual([1]);
    expect(await note(1, { sender: "+12025550198" })).toEqual([1]);
    expect(await note()).toEqual([3]);
  });

  it("differs for texts that two instances send at the same time", async () => {
    const noted = await Promise.all(Array.from({ length: 40 }, (_, index) => note(1, { by: index % 2 === 0 ? 0 : 1 })));
    expect(noted.flat().sort((one, other) => one - other)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
  });
});

it("each submission of a text has its number", async () => {
  const world = await createWorld({
    openStore: ({ now }) => openTestStore({ now }),
    openProvider: () => new ScriptedProvider("smpp-a"),
  });
  const { provider, clock } = world;
  const carriers = carryBy([provider], () => provider, {}, { sender, usesMerchantNumbers: false });
  const dispatcher = world.dispatcher({ carriers });
  await dispatcher.start();
  for (const to of [phone, "+12025550101", phone]) {
    await world.accept(to);
    dispatcher.notify();
    await clock.settle();
  }
  expect(provider.submissions.map(({ to, textNumber }) => [to, textNumber])).toEqual([
    [phone, 1],
    ["+12025550101", 1],
    [phone, 2],
  ]);
  await world.close();
});
