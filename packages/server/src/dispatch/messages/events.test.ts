import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { defaultPrices } from "../../domain/billing/rules.ts";
import { createWorld, hourMs, type World } from "../../testing/dispatch-world.ts";
import { ScriptedProvider } from "../../testing/scripted-provider.ts";
import { openTestStore } from "../../testing/test-store.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { ReportedTooEarly, recordReceipts } from "./events.ts";
import { restore } from "./restoration.ts";

let world: World<ScriptedProvider>;
let provider: ScriptedProvider;
let dispatcher: Dispatcher;

beforeEach(async () => {
  world = await createWorld({
    openStore: ({ now }) => openTestStore({ now }),
    openProvider: () => new ScriptedProvider(),
  });
  provider = world.provider;
  dispatcher = world.dispatcher();
  await dispatcher.start();
});

afterEach(() => world.close());

async function send(to = "+12025550100"): Promise<string> {
  const messageId = await world.accept(to);
  dispatcher.notify();
  await world.clock.settle();
  return messageId;
}

describe("a receipt", () => {
  it.each([
    [["DELIVERED"], "DELIVERED"],
    [["SENT", "DELIVERED"], "DELIVERED"],
    [["DELIVERED", "SENT"], "DELIVERED"],
    [["DELIVERED", "DELIVERED"], "DELIVERED"],
    [["DELIVERED", "UNDELIVERED"], "DELIVERED"],
    [["UNDELIVERED", "DELIVERED", "SENT"], "UNDELIVERED"],
  ] as const)("of %j leaves its message %s, charged once", async (receipts, status) => {
    const messageId = await send();
    for (const receipt of receipts) await provider.tellReceipt(messageId, receipt);
    expect(await world.message(messageId)).toMatchObject({ status, charge: "SETTLED", costMicros: 7_900 });
    expect(await world.usage()).toMatchObject({ used: 1, reserved: 0 });
    expect(await world.outbox()).toEqual([]);
  });

  it("that arrives before the submission's answer counts, and the answer changes nothing", async () => {
    let answer = () => {};
    provider.onSubmit = ({ clientReference }) =>
      new Promise((resolve) => {
        answer = () => resolve({ outcome: "taken", providerMessageId: `p-${clientReference}` });
      });
    const messageId = await world.accept("+12025550100");
    dispatcher.notify();
    await world.clock.settle();
    await provider.tellReceipt(messageId, "DELIVERED");
    answer();
    await world.clock.settle();
    expect(await world.message(messageId)).toMatchObject({ status: "DELIVERED", providerMessageId: `p-${messageId}` });
    expect(await world.usage()).toMatchObject({ used: 1, reserved: 0 });
  });

  it("settles a submission in doubt, which is neither looked up nor sent again", async () => {
    provider.onSubmit = () => Promise.reject(new Error("connection reset"));
    const messageId = await send();
    await provider.tellReceipt(messageId, "SENT");
    expect((await world.message(messageId)).status).toBe("SENT");
    await world.clock.advanceBy(hourMs);
    expect(provider.lookups).toEqual([]);
    await provider.tellReceipt(messageId, "DELIVERED");
    expect((await world.message(messageId)).status).toBe("DELIVERED");
  });

  it.each(["DELIVERED", "UNDELIVERED", "EXPIRED"] as const)(
    "after 72 hours moves UNKNOWN to %s, charged once",
    async (status) => {
      const messageId = await send();
      await world.clock.advanceBy(73 * hourMs);
      expect((await world.message(messageId)).status).toBe("UNKNOWN");
      await provider.tellReceipt(messageId, status);
      expect((await world.message(messageId)).status).toBe(status);
      expect(await world.usage()).toMatchObject({ used: 1, reserved: 0 });
    },
  );

  it("for a submission that was never resolved charges the message once", async () => {
    provider.onSubmit = () => Promise.reject(new Error("connection reset"));
    const messageId = await send();
    await world.clock.advanceBy(73 * hourMs);
    expect((await world.message(messageId)).status).toBe("UNKNOWN");
    await provider.tellReceipt(messageId, "DELIVERED");
    expect((await world.message(messageId)).status).toBe("DELIVERED");
    expect(await world.usage()).toMatchObject({ used: 1, reserved: 0 });
  });

  it("does not revive a refused message", async () => {
    provider.onSubmit = async () => ({ outcome: "refused", reason: "BLOCKED", isOptOut: false });
    const messageId = await send();
    await provider.tellReceipt(messageId, "DELIVERED");
    expect(await world.message(messageId)).toMatchObject({ status: "FAILED", charge: "RELEASED" });
  });

  it("of a message that waits in a restored database is recorded after the message was looked up", async () => {
    await dispatcher.stop();
    const messageId = await world.accept("+12025550100");
    await world.store.write((tx) => restore(tx, world.clock.now()));
    const own = { clientReference: messageId, providerMessageId: "p-1" };
    const receipt = { ...own, kind: "receipt", eventId: "end", status: "DELIVERED", reason: null } as const;
    const moment = { now: world.clock.now(), prices: defaultPrices };
    const recording = world.store.write((tx) => recordReceipts({ ...moment, tx }, [{ provider: "scripted", receipt }]));
    await expect(recording).rejects.toThrow(ReportedTooEarly);
    provider.onFind = async () => ({ outcome: "taken", providerMessageId: "p-1" });
    await world.dispatcher().start();
    await world.clock.settle();
    expect(await world.statuses()).toEqual({ [messageId]: "SENT" });
    await provider.tell(receipt);
    expect(await world.statuses()).toEqual({ [messageId]: "DELIVERED" });
    expect(provider.submissions).toEqual([]);
  });

  it("of an unknown message is acknowledged and logged", async () => {
    await provider.tellReceipt("msg_unknown", "DELIVERED");
    expect(world.logged).toEqual(["a provider reported an unknown message"]);
  });
});

describe("a reply", () => {
  const reply = (clientReference: string, text: string, eventId = text) =>
    provider.tell({ kind: "reply", eventId, clientReference, text });

  it("counts once if it is reported twice", async () => {
    const messageId = await send();
    await reply(messageId, "HELP", "event-1");
    await reply(messageId, "HELP", "event-1");
    await world.clock.settle();
    expect(provider.submissions.map(({ automatic }) => automatic)).toEqual([false, true]);
  });

  it("is not confirmed again if it is reported after its event was pruned", async () => {
    const messageId = await send();
    await reply(messageId, "HELP");
    await world.clock.settle();
    await world.store.write((tx) => tx.run("DELETE FROM provider_events"));
    await reply(messageId, "HELP");
    await world.clock.settle();
    expect(provider.submissions.map(({ automatic }) => automatic)).toEqual([false, true]);
  });

  it("is confirmed after a look-up if its message is from before a restore, and otherwise at once", async () => {
    const before = await send();
    await dispatcher.stop();
    await world.store.write((tx) => restore(tx, world.clock.now() - 100 * hourMs));
    provider.onFind = async () => ({ outcome: "absent" });
    dispatcher = world.dispatcher();
    await dispatcher.start();
    await world.clock.advanceBy(1_000);
    const after = await send("+12025550101");
    await world.clock.advanceBy(hourMs);
    provider.lookups.length = 0;
    await reply(before, "HELP", "event-1");
    await reply(after, "HELP", "event-2");
    await world.clock.advanceBy(1_000);
    const confirmations = provider.submissions.filter(({ automatic }) => automatic);
    expect(confirmations.map((confirmation) => confirmation.to).toSorted()).toEqual(["+12025550100", "+12025550101"]);
    const first = confirmations.find((confirmation) => confirmation.to === "+12025550100");
    expect(provider.lookups).toEqual([first?.clientReference]);
  });

  it("to a confirmation that needed a look-up is also confirmed after a look-up", async () => {
    const before = await send();
    await dispatcher.stop();
    await world.clock.advanceBy(1_000);
    await world.store.write((tx) => restore(tx, world.clock.now()));
    provider.onFind = async () => ({ outcome: "absent" });
    dispatcher = world.dispatcher();
    await dispatcher.start();
    await world.clock.advanceBy(hourMs);
    provider.lookups.length = 0;
    await reply(before, "HELP", "event-1");
    await world.clock.advanceBy(1_000);
    const [first = ""] = provider.lookups;
    await reply(first, "HELP", "event-2");
    await world.clock.advanceBy(1_000);
    const second = provider.submissions.at(-1)?.clientReference ?? "";
    expect(provider.lookups).toEqual([first, second]);
    expect(second).not.toBe(first);
  });

  it("changes nothing if it is reported again after a newer consent", async () => {
    const messageId = await send();
    await reply(messageId, "STOP", "event-1");
    await world.setConsent("+12025550100", "OPT_IN");
    await reply(messageId, "STOP", "event-1");
    expect(await world.consent("+12025550100")).toMatchObject({ status: "OPT_IN" });
  });

  it("with STOP is confirmed although the recipient has now opted out, and the confirmation is free", async () => {
    const messageId = await send();
    await reply(messageId, "stop all.");
    await world.clock.settle();
    expect(await world.consent("+12025550100")).toEqual({ status: "OPT_OUT", source: "SMS_REPLY:STOPALL", changes: 1 });
    expect(provider.submissions[1]).toMatchObject({ to: "+12025550100", automatic: true });
    expect(provider.submissions[1]?.content).toContain("Shop");
    expect(await world.usage()).toEqual({ used: 1, reserved: 0, credits: 10 });
  });

  it("with a second STOP is recorded but not confirmed again", async () => {
    const messageId = await send();
    await reply(messageId, "STOP", "event-1");
    await reply(messageId, "QUIT", "event-2");
    await world.clock.settle();
    expect(await world.consent("+12025550100")).toEqual({ status: "OPT_OUT", source: "SMS_REPLY:QUIT", changes: 2 });
    expect(provider.submissions).toHaveLength(2);
  });

  it("with YES opts in only after an opt-out", async () => {
    const messageId = await send();
    await reply(messageId, "YES", "event-1");
    expect(await world.consent("+12025550100")).toBeUndefined();
    await reply(messageId, "STOP", "event-2");
    await reply(messageId, "YES", "event-3");
    expect(await world.consent("+12025550100")).toMatchObject({ status: "OPT_IN", source: "SMS_REPLY:YES" });
  });

  it("with free text changes nothing", async () => {
    const messageId = await send();
    await reply(messageId, "Thanks, see you then");
    await world.clock.settle();
    expect(await world.consent("+12025550100")).toBeUndefined();
    expect(provider.submissions).toHaveLength(1);
  });
});

describe("a complaint", () => {
  it("is recorded once if it is reported twice, and changes nothing if the recipient had already opted out", async () => {
    const messageId = await send("jane@example.com");
    const complain = (eventId: string) =>
      provider.tell({ kind: "opt-out", eventId, clientReference: messageId, cause: "COMPLAINT" });
    await complain("event-1");
    await complain("event-1");
    await complain("event-2");
    expect(await world.consent("jane@example.com")).toEqual({
      status: "OPT_OUT",
      source: "PROVIDER:COMPLAINT",
      changes: 1,
    });
  });
});

describe("an opt-out in the provider's answer", () => {
  it("is recorded, and the message fails", async () => {
    provider.onSubmit = async () => ({ outcome: "refused", reason: "OPTED_OUT", isOptOut: true });
    const messageId = await send();
    expect(await world.message(messageId)).toMatchObject({ status: "FAILED", deliveryReason: "OPTED_OUT" });
    expect(await world.consent("+12025550100")).toEqual({ status: "OPT_OUT", source: "PROVIDER:OPT_OUT", changes: 1 });
  });

  it("is not recorded if the answer arrived too late to count", async () => {
    let answer = () => {};
    provider.onSubmit = () =>
      new Promise((resolve) => {
        answer = () => resolve({ outcome: "refused", reason: "OPTED_OUT", isOptOut: true });
      });
    const messageId = await world.accept("+12025550100");
    dispatcher.notify();
    await world.clock.settle();
    await provider.tellReceipt(messageId, "DELIVERED");
    answer();
    await world.clock.settle();
    expect((await world.message(messageId)).status).toBe("DELIVERED");
    expect(await world.consent("+12025550100")).toBeUndefined();
  });
});
