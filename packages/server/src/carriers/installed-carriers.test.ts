// Tests carriers that are set, replaced, removed, or cannot be opened while messages are being sent.

import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { discardWaiting, insertCarrier, noteTest, removeCarrier } from "../domain/carriers/rows.ts";
import { upsertMerchant } from "../domain/merchants/rows.ts";
import { enterQueue } from "../domain/messages/carrier-queue-rows.ts";
import { bindCarrier } from "../domain/tenancy/credentials.ts";
import { EVERY_TENANT, insertTenant, saveStanding } from "../domain/tenancy/rows.ts";
import { createSecretBox, SECRET_KEY_BYTES } from "../platform/secret-box.ts";
import { createWorld, hourMs, startMs, type World } from "../testing/dispatch-world.ts";
import { withElapsing } from "../testing/elapsing-clock.ts";
import { addMessage } from "../testing/messages.ts";
import { ScriptedProvider } from "../testing/scripted-provider.ts";
import { openTestStore } from "../testing/test-store.ts";
import { SimulatedTenants } from "./carriers.ts";
import { InstalledCarriers } from "./installed-carriers.ts";

const box = createSecretBox(() => [Buffer.alloc(SECRET_KEY_BYTES, 7)]);
/** Settings of the carriers that are set next. */
let settings: object;

let world: World<ScriptedProvider>;
let simulator: ScriptedProvider;
/** Opened carriers, by name. They have no `find`, like real carriers. */
let opened: Record<string, ScriptedProvider>;
let carriers: InstalledCarriers;
let notified: number;
let pollIntervalMs: number;
/** Called with each carrier that is opened. */
let onOpened: (provider: ScriptedProvider) => void;
/** Awaited before a carrier is opened. */
let opening: Promise<void>;
let openSecret: typeof box.open;

beforeEach(async () => {
  world = await createWorld({
    openStore: ({ now }) => openTestStore({ now }),
    openProvider: () => new ScriptedProvider("simulated"),
  });
  simulator = world.provider;
  opened = {};
  notified = 0;
  pollIntervalMs = 500;
  account = null;
  eventsId = null;
  settings = { kind: "smpp", host: "smsc.example", password: "canary-77" };
  opening = Promise.resolve();
  onOpened = () => {};
  openSecret = box.open;
  carriers = openCarriers({ includesLive: false });
});

function openCarriers({ includesLive }: { includesLive: boolean }): InstalledCarriers {
  return new InstalledCarriers({
    store: world.store,
    clock: withElapsing(world.clock),
    logger: {
      info: (_details, text) => void world.logged.push(text),
      warn: (_details, text) => void world.logged.push(text),
      error: (details, text) => void world.logged.push(`${text} ${JSON.stringify(details)}`),
    },
    simulator,
    simulated: new SimulatedTenants({ includesLive }),
    openSecret: (sealed, binding) => openSecret(sealed, binding),
    async open(given, { name }) {
      expect(given).toEqual(settings);
      await opening;
      const provider = new ScriptedProvider(name);
      delete provider.find;
      onOpened(provider);
      opened[name] = provider;
      return provider;
    },
    get pollIntervalMs() {
      return pollIntervalMs;
    },
    notify: () => {
      notified += 1;
    },
  });
}

afterEach(() => world.close());

/** Account digest for the carriers that are set next. Null, as for a kind without accounts. */
let account: string | null;
/** Events id of the carriers that are set next. Null, as for a kind without events. */
let eventsId: string | null;

async function set(name: string, tenantId = world.tenantId, isSecond: 0 | 1 = 0): Promise<void> {
  const slot = { name, tenantId, channel: "SMS" as const, isSecond };
  const [kind = ""] = name.split("-");
  const sealedSettings = box.seal(JSON.stringify(settings), bindCarrier(slot));
  await world.store.write(async (tx) => {
    await removeCarrier(tx, { ...slot, now: world.clock.now() });
    await insertCarrier(tx, { ...slot, kind, sealedSettings, setAt: world.clock.now(), account, eventsId });
  });
}

async function discard(tenantId = world.tenantId): Promise<void> {
  const slot = { name: "none-a", tenantId, channel: "SMS" as const, now: world.clock.now() };
  await world.store.write((tx) => discardWaiting(tx, slot));
}

async function remove(isSecond: 0 | 1 = 0): Promise<void> {
  const slot = { tenantId: world.tenantId, channel: "SMS" as const, isSecond, now: world.clock.now() };
  await world.store.write((tx) => removeCarrier(tx, slot));
}

async function start(): Promise<ReturnType<typeof world.dispatcher>> {
  const dispatcher = world.dispatcher({ carriers });
  await dispatcher.start();
  return dispatcher;
}

/** Advances the clock by a long time, in which the carriers are read once a minute: each reading takes as long as a query. */
async function passTime(ms: number): Promise<void> {
  const usual = pollIntervalMs;
  pollIntervalMs = 60_000;
  await world.clock.advanceBy(ms);
  pollIntervalMs = usual;
}

/** Accepts a message, and returns the name of the carrier that it is submitted to. */
async function sendNow(dispatcher: Awaited<ReturnType<typeof start>>): Promise<string | undefined> {
  const messageId = await world.accept("+12025550100");
  dispatcher.notify();
  await world.clock.settle();
  return [simulator, ...Object.values(opened)].find(({ submissions }) =>
    submissions.some(({ clientReference }) => clientReference === messageId),
  )?.name;
}

it("mail of a carrier with events is not settled by time, because its deliveries are reported", async () => {
  const slot = { tenantId: world.tenantId, channel: "EMAIL", kind: "smtp", setAt: startMs } as const;
  const sealedSettings = "";
  await world.store.write(async (tx) => {
    await insertCarrier(tx, { ...slot, name: "smtp-a", isSecond: 0, sealedSettings });
    await insertCarrier(tx, { ...slot, name: "smtp-b", isSecond: 1, sealedSettings, eventsId: "secret" });
  });
  await carriers.refresh();
  const names = ["smtp-a", "smtp-b", "unknown"];
  expect(names.map((name) => carriers.traitsOf(name).tellsOnlyFailures)).toEqual([true, false, false]);
});

describe("a tenant that is disabled", () => {
  const decide = (disabledAt: number | null) =>
    world.store.write((tx) =>
      saveStanding(tx, {
        ...{ tenantId: world.tenantId, disabledAt, disabledReason: "a loop", disabledBy: "Ann", rateLimit: null },
      }),
    );

  it("keeps its messages waiting until it is enabled", async () => {
    await set("smpp-a");
    const dispatcher = await start();
    expect(await sendNow(dispatcher)).toBe("smpp-a");
    await decide(1);
    expect(await sendNow(dispatcher)).toBeUndefined();
    await passTime(hourMs);
    expect(Object.values(await world.statuses()).sort()).toEqual(["QUEUED", "SENT"]);
    // no warning: the tenant is not missing a carrier
    expect(world.logged.filter((text) => text.includes("has no carrier"))).toEqual([]);
    await decide(null);
    await world.clock.advanceBy(1_000);
    expect(Object.values(await world.statuses())).toEqual(["SENT", "SENT"]);
  });

  it("is skipped in its carrier's queue", async () => {
    let capacity = 0;
    onOpened = (provider) => Object.assign(provider, { capacity: () => capacity });
    await set("smpp-a", EVERY_TENANT);
    const dispatcher = await start();
    expect(await sendNow(dispatcher)).toBeUndefined();
    expect(await world.outbox()).toMatchObject([{ state: "waiting" }]);
    await decide(1);
    await world.clock.advanceBy(1_000);
    capacity = 4;
    await passTime(hourMs);
    expect(Object.values(await world.statuses())).toEqual(["QUEUED"]);
    await decide(null);
    await world.clock.advanceBy(60_000);
    expect(Object.values(await world.statuses())).toEqual(["SENT"]);
  });

  it("is not served by the simulator either", async () => {
    carriers = openCarriers({ includesLive: true });
    const dispatcher = await start();
    await decide(1);
    expect(await sendNow(dispatcher)).toBeUndefined();
  });
});

describe("a tenant", () => {
  it("keeps its messages waiting without a carrier, and the log says so once", async () => {
    const dispatcher = await start();
    expect([await sendNow(dispatcher), await sendNow(dispatcher)]).toEqual([undefined, undefined]);
    expect(await world.outbox()).toMatchObject([{ state: "waiting" }, { state: "waiting" }]);
    expect(Object.values(await world.statuses())).toEqual(["QUEUED", "QUEUED"]);
    expect(world.logged.filter((text) => text.includes("has no carrier"))).toHaveLength(1);
  });

  it("uses the simulator in development if it has no carrier", async () => {
    carriers = openCarriers({ includesLive: true });
    expect(await sendNow(await start())).toBe("simulated");
  });

  it("uses the simulator if an operator has set it", async () => {
    const dispatcher = await start();
    await set("simulated-a");
    expect(await sendNow(dispatcher)).toBe("simulated");
  });

  it("uses a carrier that was set before the start", async () => {
    await set("smpp-a");
    expect(await sendNow(await start())).toBe("smpp-a");
  });

  it("notices within a second that its carrier was set, replaced or removed", async () => {
    const dispatcher = await start();
    await set("smpp-a");
    await world.clock.advanceBy(500);
    expect(await sendNow(dispatcher)).toBe("smpp-a");
    await set("smpp-b");
    await world.clock.advanceBy(500);
    expect(await sendNow(dispatcher)).toBe("smpp-b");
    await remove();
    await world.clock.advanceBy(500);
    expect(await sendNow(dispatcher)).toBeUndefined();
  });

  it("uses a carrier at once for messages accepted after it was set", async () => {
    const dispatcher = await start();
    await set("smpp-a");
    expect(await sendNow(dispatcher)).toBe("smpp-a");
    await set("smpp-b");
    expect(await sendNow(dispatcher)).toBe("smpp-b");
    await remove();
    expect(await sendNow(dispatcher)).toBeUndefined();
  });

  it("sends its waiting messages as soon as a carrier is set for it or for all tenants", async () => {
    const dispatcher = await start();
    await sendNow(dispatcher);
    await set("smpp-a");
    await world.clock.advanceBy(1_000);
    await remove();
    await sendNow(dispatcher);
    await set("smpp-all", EVERY_TENANT);
    await world.clock.advanceBy(1_000);
    expect([opened["smpp-a"]?.submissions.length, opened["smpp-all"]?.submissions.length]).toEqual([1, 1]);
    expect(await world.outbox()).toMatchObject([{ state: "awaiting" }, { state: "awaiting" }]);
  });

  it("sends a message that was queued without a carrier while a carrier was being set", async () => {
    await start();
    await set("smpp-a");
    await world.clock.advanceBy(1_000);
    const messageId = await world.accept("+12025550100");
    const row = { messageId, tenantId: world.tenantId, createdAt: world.clock.now() };
    const key = { carrier: "no_carrier-SMS", messageClass: 0, expiresAt: world.clock.now() + hourMs };
    await world.store.write((tx) => enterQueue(tx, { ...row, asks: 0, isQueued: 1, giveUpAt: null }, key));
    await world.clock.advanceBy(11_000);
    expect(notified).toBe(0);
    expect(opened["smpp-a"]?.submissions).toHaveLength(1);
  });

  it("is not charged for messages that expire because it has no carrier", async () => {
    const dispatcher = world.dispatcher({ carriers, otpValidityMs: 10 * 60_000 });
    await dispatcher.start();
    await sendNow(dispatcher);
    await passTime(10 * 60_000 - 1);
    expect(Object.values(await world.statuses())).toEqual(["QUEUED"]);
    await world.clock.advanceBy(1);
    expect(Object.values(await world.statuses())).toEqual(["EXPIRED"]);
    expect(await world.usage()).toMatchObject({ used: 0, reserved: 0 });
  });

  it("is not charged for discarded messages, while later messages wait", async () => {
    const dispatcher = await start();
    await set("smpp-a");
    await remove();
    await sendNow(dispatcher);
    await discard();
    await world.clock.advanceBy(1_000);
    expect(Object.values(await world.statuses())).toEqual(["FAILED"]);
    expect(await world.usage()).toMatchObject({ used: 0, reserved: 0 });
    await sendNow(dispatcher);
    await world.clock.advanceBy(60_000);
    expect(Object.values(await world.statuses())).toEqual(["FAILED", "QUEUED"]);
  });

  it.each([
    ["had a carrier", true],
    ["never had a carrier", false],
  ])("does not send messages discarded while no server ran if it %s, even with a carrier now", async (_which, had) => {
    if (had) await set("smpp-a");
    if (had) await remove();
    await world.accept("+12025550100");
    await discard();
    await world.clock.advanceBy(1);
    await set("smpp-b");
    const dispatcher = await start();
    await sendNow(dispatcher);
    expect(Object.values(await world.statuses())).toEqual(["FAILED", "SENT"]);
  });

  it.each([
    ["another carrier of its own", "smpp-b"],
    ["the carrier of all tenants", "smpp-all"],
  ])(
    "sends messages for its own carrier through %s, although those for the carrier of all tenants were discarded",
    async (_, heir) => {
      await set("smpp-a");
      await world.accept("+12025550100");
      await world.clock.advanceBy(1);
      await discard(EVERY_TENANT);
      await world.clock.advanceBy(1);
      if (heir === "smpp-all") await remove();
      await set(heir, heir === "smpp-all" ? EVERY_TENANT : world.tenantId);
      const dispatcher = await start();
      dispatcher.notify();
      await world.clock.settle();
      expect(Object.values(await world.statuses())).toEqual(["SENT"]);
      expect(opened[heir]?.submissions).toHaveLength(1);
    },
  );

  it("sends messages through its own new carrier if the carrier of all tenants is unreachable", async () => {
    onOpened = (carrier) => {
      carrier.capacity = () => (carrier.name === "smpp-all" ? 0 : 10);
    };
    await set("smpp-all", EVERY_TENANT);
    const dispatcher = await start();
    const messageId = await world.accept("+12025550100");
    dispatcher.notify();
    await world.clock.settle();
    expect(await world.outbox()).toMatchObject([{ state: "waiting" }]);
    await set("smpp-a");
    await world.clock.advanceBy(1_000);
    expect(opened["smpp-a"]?.submissions.map(({ clientReference }) => clientReference)).toEqual([messageId]);
  });

  it("keeps messages waiting for the carrier of all tenants after a switch to the simulator", async () => {
    onOpened = (carrier) => {
      carrier.capacity = () => 0;
    };
    await set("smpp-all", EVERY_TENANT);
    const dispatcher = await start();
    await sendNow(dispatcher);
    await set("simulated-a");
    await world.clock.advanceBy(60_000);
    expect([await world.outbox(), simulator.submissions]).toMatchObject([[{ state: "waiting" }], []]);
  });

  it("does not simulate messages that its carrier deferred before a switch to the simulator", async () => {
    await set("smpp-a");
    const dispatcher = await start();
    const first = opened["smpp-a"];
    if (first === undefined) throw new Error("no carrier was opened");
    first.onSubmit = async () => ({ outcome: "deferred", retryAfterMs: 5_000, detail: "ESME_RTHROTTLED (88)" });
    const messageId = await world.accept("+12025550100");
    dispatcher.notify();
    await world.clock.settle();
    expect(first.submissions).toHaveLength(1);
    await set("simulated-a");
    await passTime(600_000);
    expect([await world.statuses(), simulator.submissions]).toEqual([{ [messageId]: "QUEUED" }, []]);
    await set("smpp-b");
    await passTime(600_000);
    expect([await world.statuses(), simulator.submissions]).toEqual([{ [messageId]: "SENT" }, []]);
  });

  it("simulates nothing while its carrier is being replaced", async () => {
    await set("smpp-a");
    const dispatcher = await start();
    let finishOpening = () => {};
    opening = new Promise((resolve) => {
      finishOpening = resolve;
    });
    await set("smpp-b");
    const looked = world.clock.advanceBy(500);
    for (let count = 0; count < 3; count++) {
      await world.accept("+12025550100");
      dispatcher.notify();
      await setImmediate();
    }
    finishOpening();
    await looked;
    await world.clock.advanceBy(10_000);
    const given = ["smpp-a", "smpp-b"].flatMap((name) => opened[name]?.submissions ?? []);
    expect([simulator.submissions.length, given.length]).toEqual([0, 3]);
  });

  it("prefers its own carrier to the carrier of all tenants", async () => {
    await set("smpp-all", EVERY_TENANT);
    const dispatcher = await start();
    expect(await sendNow(dispatcher)).toBe("smpp-all");
    await set("smpp-own");
    await world.clock.advanceBy(500);
    expect(await sendNow(dispatcher)).toBe("smpp-own");
  });

  it("never uses another tenant's carrier", async () => {
    const other = await world.store.write((tx) => insertTenant(tx, { name: "Other", timezone: "UTC", now: 0 }));
    await set("smpp-other", other.tenantId);
    expect(await sendNow(await start())).toBeUndefined();
  });

  it("stays on the simulator if it is a test tenant, even with a carrier of all tenants", async () => {
    await set("smpp-all", EVERY_TENANT);
    const dispatcher = await start();
    await world.store.write(async (tx) => {
      const { tenantId } = await insertTenant(tx, { name: "Test", timezone: "UTC", mode: "test", now: 0 });
      const owner = { tenantId, merchantId: "m" };
      await upsertMerchant(tx, { ...owner, displayName: "M", active: true, now: 0 });
      await addMessage(tx, {
        ...{ ...owner, messageId: "msg_T", channel: "SMS", type: "OTP", purpose: "SEND", recipient: "+12025550100" },
        ...{ subject: null, content: "Hello", units: 0, creditUnits: 0, period: "2025-06-01", now: world.clock.now() },
      });
    });
    dispatcher.notify();
    await world.clock.settle();
    expect(simulator.submissions.map(({ clientReference }) => clientReference)).toEqual(["msg_T"]);
  });
});

describe("a second carrier", () => {
  const unreached = { outcome: "deferred", retryAfterMs: 5_000, detail: "refused", isUnreached: true } as const;
  /** Names of the carriers that got a message, each with the message's id. */
  let given: string[];
  let downs: Record<string, boolean>;

  beforeEach(async () => {
    given = [];
    downs = {};
    onOpened = (provider) => {
      const { name } = provider;
      provider.capacity = () => 4;
      provider.probe = async () => {
        if (downs[name] === true) throw new Error("still refused");
      };
      provider.onSubmit = async ({ clientReference }) => {
        if (downs[name] === true) return unreached;
        given.push(`${name} ${clientReference}`);
        return { outcome: "taken", providerMessageId: clientReference };
      };
    };
    await set("smpp-a");
    await set("smpp-b", world.tenantId, 1);
  });

  async function send(dispatcher: Awaited<ReturnType<typeof start>>): Promise<string> {
    const messageId = await world.accept("+12025550100");
    dispatcher.notify();
    await world.clock.settle();
    return messageId;
  }

  it("gets no messages while the first can be reached", async () => {
    const dispatcher = await start();
    const messageId = await send(dispatcher);
    expect(given).toEqual([`smpp-a ${messageId}`]);
  });

  it("gets waiting and new messages when the first is unreachable", async () => {
    const dispatcher = await start();
    downs = { "smpp-a": true };
    const messageIds = [await send(dispatcher), await send(dispatcher), await send(dispatcher)];
    await world.clock.advanceBy(6_000);
    messageIds.push(await send(dispatcher));
    expect(given.toSorted()).toEqual(messageIds.map((messageId) => `smpp-b ${messageId}`).toSorted());
  });

  it("gets no more messages when probes find that the first can be reached again", async () => {
    const dispatcher = await start();
    downs = { "smpp-a": true };
    await send(dispatcher);
    await passTime(10 * 60_000);
    downs = {};
    await world.clock.advanceBy(60_000);
    given = [];
    const messageId = await send(dispatcher);
    expect(given).toEqual([`smpp-a ${messageId}`]);
  });

  it("gets no more messages when the first answers again on a connection that never ended", async () => {
    const dispatcher = await start();
    const first = opened["smpp-a"];
    if (first === undefined) throw new Error("it was opened");
    delete first.probe;
    first.noteReach("no answer in time");
    await world.clock.settle();
    expect(carriers.of(undefined as never, world.tenantId, "SMS")).toBe(opened["smpp-b"]);
    await world.clock.advanceBy(1_000);
    const messageId = await send(dispatcher);
    expect(given).toEqual([`smpp-a ${messageId}`]);
  });

  it("gets the waiting messages while a probe of the first is running", async () => {
    const dispatcher = await start();
    downs = { "smpp-a": true };
    const first = opened["smpp-a"];
    if (first !== undefined) first.probe = () => new Promise(() => {});
    await send(dispatcher);
    await world.clock.advanceBy(10_000);
    const messageId = await send(dispatcher);
    expect(given).toContain(`smpp-b ${messageId}`);
  });

  it("gets no messages if it is unreachable too: they wait for the first", async () => {
    const dispatcher = await start();
    downs = { "smpp-a": true, "smpp-b": true };
    const messageIds = [await send(dispatcher), await send(dispatcher)];
    await passTime(10 * 60_000);
    expect(given).toEqual([]);
    downs = {};
    await world.clock.advanceBy(120_000);
    expect(given.map((line) => line.split(" ")[1]).toSorted()).toEqual(messageIds.toSorted());
  });

  it.each([
    ["that the first never answered", () => new Promise<never>(() => {})],
    ["that the first may have accepted", () => Promise.reject(new Error("the connection was lost"))],
  ])("never gets a message %s", async (_what, answer) => {
    const dispatcher = await start();
    const first = opened["smpp-a"];
    if (first === undefined) throw new Error("it was opened");
    first.onSubmit = async (_submission, { handOver }) => {
      await handOver();
      return answer();
    };
    await send(dispatcher);
    downs = { "smpp-a": true };
    first.noteReach("refused");
    await passTime(60 * 60_000);
    expect(given).toEqual([]);
  });

  it("never gets a message that the first refused or deferred", async () => {
    const dispatcher = await start();
    const first = opened["smpp-a"];
    if (first === undefined) throw new Error("it was opened");
    const answers = [
      { outcome: "refused", reason: "BLOCKED", isOptOut: false },
      { outcome: "deferred", retryAfterMs: 1_000, detail: "throttled" },
      { outcome: "taken", providerMessageId: "p" },
    ] as const;
    let count = 0;
    first.onSubmit = async () => answers[count++] ?? answers[2];
    await send(dispatcher);
    await send(dispatcher);
    await world.clock.advanceBy(10_000);
    expect([count, given]).toEqual([3, []]);
  });

  it("has its own namespace of message ids", async () => {
    await start();
    expect(carriers.ledgerOf("smpp-a")).not.toBe(carriers.ledgerOf("smpp-b"));
  });

  it("leaves its waiting messages to the first when it is removed", async () => {
    const dispatcher = await start();
    downs = { "smpp-a": true };
    await send(dispatcher);
    await remove(1);
    await world.clock.advanceBy(1_000);
    const messageId = await send(dispatcher);
    downs = {};
    await world.clock.advanceBy(120_000);
    expect(given).toContain(`smpp-a ${messageId}`);
  });
});

describe("a carrier that calls handOver and can look up messages", () => {
  it("is not asked about a message that did not leave, which is retried", async () => {
    onOpened = (provider) => {
      provider.find = async (messageId) => {
        provider.lookups.push(messageId);
        return { outcome: "unknown" };
      };
      provider.onSubmit = async (_submission, { handOver }) => {
        if (provider.submissions.length === 1) throw new Error("its speech could not be read");
        await handOver();
        throw new Error("the connection was lost");
      };
    };
    await set("smpp-a");
    const dispatcher = await start();
    await sendNow(dispatcher);
    const carrier = opened["smpp-a"];
    expect([carrier?.submissions.length, carrier?.lookups]).toEqual([1, []]);
    await passTime(60 * 60_000);
    expect(carrier?.submissions).toHaveLength(2);
    expect(carrier?.lookups).not.toEqual([]);
  });
});

describe("a carrier that is removed", () => {
  it("finishes its calls, and its receipts count while it stops", async () => {
    await set("smpp-a");
    const dispatcher = await start();
    let answer: () => void = () => {};
    const [carrier] = Object.values(opened);
    if (carrier === undefined) throw new Error("no carrier was opened");
    carrier.onSubmit = async (_submission, { handOver }) => {
      await handOver();
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      return { outcome: "taken", providerMessageId: "p-1" };
    };
    const messageId = await world.accept("+12025550100");
    dispatcher.notify();
    await world.clock.settle();
    await remove();
    await world.clock.advanceBy(500);
    answer();
    await world.clock.settle();
    expect(await world.message(messageId)).toMatchObject({ status: "SENT", attempts: 1 });
  });

  it("leaves messages not handed over before a crash to the next carrier, and the others in doubt", async () => {
    await set("smpp-a");
    const first = world.dispatcher({ carriers, isAlone: true });
    await first.start();
    const carrier = opened["smpp-a"];
    if (carrier === undefined) throw new Error("no carrier was opened");
    carrier.onSubmit = async ({ to }, { handOver }) => {
      if (to === "+12025550101") await handOver();
      return new Promise(() => undefined);
    };
    const [kept, lost] = [await world.accept("+12025550100"), await world.accept("+12025550101")];
    first.notify();
    await world.clock.settle();
    await set("smpp-b");
    await world.clock.advanceBy(500);
    const second = world.dispatcher({ carriers, isAlone: true });
    await second.start();
    await world.clock.advanceBy(1_000);
    expect(opened["smpp-b"]?.submissions.map(({ clientReference }) => clientReference)).toEqual([kept]);
    pollIntervalMs = hourMs;
    await world.clock.advanceBy(80 * hourMs);
    expect(await world.message(lost)).toMatchObject({ status: "UNKNOWN", attempts: 1 });
  });
});

describe("a removed carrier with events", () => {
  const delivered = (clientReference: string) => opened["twilio-a"]?.tellReceipt(clientReference, "DELIVERED");

  /** Lets twilio-a accept a message. */
  async function sendOverTwilio(): Promise<{ messageId: string; dispatcher: Awaited<ReturnType<typeof start>> }> {
    eventsId = "secret";
    await set("twilio-a");
    const dispatcher = await start();
    const messageId = await world.accept("+12025550100");
    dispatcher.notify();
    await world.clock.settle();
    eventsId = null;
    return { messageId, dispatcher };
  }

  it("records events for 30 days, and gets no messages", async () => {
    const { messageId, dispatcher } = await sendOverTwilio();
    await remove();
    await world.clock.advanceBy(1_000);
    expect(carriers.findReceiver("secret")).toBe(opened["twilio-a"]);
    expect(await sendNow(dispatcher)).toBeUndefined();
    await delivered(messageId);
    expect((await world.message(messageId)).status).toBe("DELIVERED");
    pollIntervalMs = hourMs;
    await world.clock.advanceBy(30 * 24 * hourMs - 2_000);
    expect(carriers.findReceiver("secret")).toBe(opened["twilio-a"]);
    await world.clock.advanceBy(hourMs);
    expect([carriers.findReceiver("secret"), carriers.named("twilio-a")]).toEqual([undefined, undefined]);
    await expect(delivered(messageId)).rejects.toThrow("was not started");
  });

  it("records events beside its successor of another kind, also after a restart", async () => {
    const { messageId, dispatcher } = await sendOverTwilio();
    await set("smpp-a");
    await dispatcher.stop();
    opened = {};
    carriers = openCarriers({ includesLive: false });
    const restarted = await start();
    expect(await sendNow(restarted)).toBe("smpp-a");
    expect(carriers.findReceiver("secret")).toBe(opened["twilio-a"]);
    await delivered(messageId);
    expect((await world.message(messageId)).status).toBe("DELIVERED");
    expect(opened["twilio-a"]?.submissions).toEqual([]);
  });

  it("leaves its URL to a successor of the same kind, so that a secret that was replaced is worthless", async () => {
    await sendOverTwilio();
    eventsId = "secret";
    await set("twilio-b");
    await world.clock.advanceBy(1_000);
    expect(carriers.findReceiver("secret")).toBe(opened["twilio-b"]);
    await remove();
    await world.clock.advanceBy(1_000);
    expect(carriers.findReceiver("secret")).toBe(opened["twilio-b"]);
  });

  it("is asked about messages that it accepted", async () => {
    onOpened = (provider) => {
      provider.review = ({ clientReference }) => provider.tellReceipt(clientReference, "UNDELIVERED");
    };
    const { messageId } = await sendOverTwilio();
    await remove();
    await passTime(hourMs);
    expect((await world.message(messageId)).status).toBe("UNDELIVERED");
  });

  it("leaves messages that it was about to get to its successor", async () => {
    let capacity = 0;
    onOpened = (provider) => {
      if (provider.name === "twilio-a") provider.capacity = () => capacity;
    };
    const { messageId, dispatcher } = await sendOverTwilio();
    expect(await world.outbox()).toMatchObject([{ state: "waiting" }]);
    await set("smpp-a");
    await carriers.refresh();
    capacity = 4;
    dispatcher.notify();
    await world.clock.advanceBy(1_000);
    expect(opened["twilio-a"]?.submissions).toEqual([]);
    expect(opened["smpp-a"]?.submissions.map(({ clientReference }) => clientReference)).toEqual([messageId]);
  });

  it("lets its provider repeat events if its settings cannot be opened, and says why", async () => {
    const { dispatcher } = await sendOverTwilio();
    await remove();
    await dispatcher.stop();
    openSecret = () => {
      throw new Error("a secret was sealed with another key");
    };
    carriers = openCarriers({ includesLive: false });
    await start();
    const receiver = carriers.findReceiver("secret");
    expect([receiver?.name, receiver?.receive]).toEqual(["twilio-a", undefined]);
    expect(world.logged.join("\n")).toContain("the events of a removed carrier cannot be recorded");
  });
});

describe("a carrier that cannot be opened", () => {
  it("keeps its messages waiting, and says why", async () => {
    openSecret = () => {
      throw new Error("a secret was sealed with another key");
    };
    await set("smpp-a");
    const dispatcher = await start();
    expect(await sendNow(dispatcher)).toBeUndefined();
    expect((await world.outbox()).map(({ state }) => state)).toEqual(["waiting"]);
    const words = await world.store.read((tx) => tx.all("SELECT down_words AS words FROM carriers"));
    expect(words).toEqual([{ words: "it cannot be used: a secret was sealed with another key" }]);
    expect(world.logged.join("\n")).not.toContain("canary-77");
    openSecret = box.open;
    await set("smpp-b");
    await world.clock.advanceBy(1_000);
    expect(opened["smpp-b"]?.submissions).toHaveLength(1);
  });
});

describe("an account shared by several carriers", () => {
  const receiptOf = (part: string) =>
    ({ kind: "part-receipt", eventId: `${part} end`, part, status: "DELIVERED", reason: null }) as const;
  let messageId: string;
  let answer: () => void;

  /** Submits a message through the carrier, which gives it an id that another account may use, too. */
  async function give(name: string): Promise<void> {
    const carrier = opened[name];
    if (carrier === undefined) throw new Error(`${name} was not opened`);
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    carrier.onSubmit = async (_submission, { handOver }) => {
      await handOver();
      await answered;
      return { outcome: "taken", providerMessageId: "a1", parts: ["a1"] };
    };
    messageId = await world.accept("+12025550100");
  }

  const addTenant = () =>
    world.store.write(async (tx) => (await insertTenant(tx, { name: "Other", timezone: "UTC", now: 0 })).tenantId);
  const statusOf = async () => (await world.message(messageId)).status;

  it.each([
    ["another tenant's carrier", 0],
    ["the tenant's second carrier", 1],
  ] as const)("may report a receipt through %s, before or after the answer", async (_whose, isSecond) => {
    account = "account a";
    await set("smpp-a");
    await set("smpp-b", isSecond === 1 ? world.tenantId : await addTenant(), isSecond);
    const dispatcher = await start();
    for (const isEarly of [true, false]) {
      await give("smpp-a");
      dispatcher.notify();
      await world.clock.settle();
      if (isEarly) await opened["smpp-b"]?.tell(receiptOf("a1"));
      answer();
      await world.clock.settle();
      if (!isEarly) {
        expect(await statusOf()).toBe("SENT");
        await opened["smpp-b"]?.tell({ ...receiptOf("a1"), eventId: "a1 once more" });
      }
      expect(await statusOf()).toBe("DELIVERED");
    }
  });

  it("does not report about a text to which another account gave the same id", async () => {
    account = "account a";
    await set("smpp-a");
    account = "account b";
    await set("smpp-b", await addTenant());
    const dispatcher = await start();
    await give("smpp-a");
    answer();
    dispatcher.notify();
    await world.clock.settle();
    await opened["smpp-b"]?.tell(receiptOf("a1"));
    expect(await statusOf()).toBe("SENT");
  });
});

it("a receipt is matched if its message was accepted before the carrier was set again", async () => {
  await set("smpp-a");
  const dispatcher = await start();
  const messageId = await world.accept("+12025550100");
  const first = opened["smpp-a"];
  if (first === undefined) throw new Error("no carrier was opened");
  first.onSubmit = async (_submission, { handOver }) => {
    await handOver();
    return { outcome: "taken", providerMessageId: "a1", parts: ["a1"] };
  };
  dispatcher.notify();
  await world.clock.settle();
  await set("smpp-b");
  await world.clock.advanceBy(500);
  const receipt = { kind: "part-receipt", eventId: "a1", part: "a1", status: "DELIVERED", reason: null } as const;
  await opened["smpp-b"]?.tell(receipt);
  expect((await world.message(messageId)).status).toBe("DELIVERED");
});

it("the start fails if the carriers cannot be read", async () => {
  const { read } = world.store;
  Object.assign(world.store, { read: () => Promise.reject(new Error("connection lost")) });
  await expect(start()).rejects.toThrow("connection lost");
  Object.assign(world.store, { read });
});

it("a test of a carrier notifies the dispatcher once", async () => {
  await set("smpp-a");
  await start();
  expect(notified).toBe(0);
  await world.store.write((tx) => noteTest(tx, "smpp-a", world.clock.now()));
  await world.clock.advanceBy(2_000);
  expect(notified).toBe(1);
});

it("reading the carriers is retried after a database error", async () => {
  const dispatcher = await start();
  const { read } = world.store;
  Object.assign(world.store, { read: () => Promise.reject(new Error("no disk")) });
  await world.clock.advanceBy(1_000);
  Object.assign(world.store, { read });
  await set("smpp-a");
  await world.clock.advanceBy(500);
  expect(await sendNow(dispatcher)).toBe("smpp-a");
  expect(world.logged.some((text) => text.includes("failed to read the carriers"))).toBe(true);
});
