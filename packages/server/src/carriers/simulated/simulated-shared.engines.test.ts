// Several simulated providers that share a ledger, one per server instance.

import pg from "pg";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createVirtualClock, type VirtualClock } from "../../development/clocks.ts";
import { openLedgerDatabase } from "../../engines.ts";
import { type Clock, systemClock } from "../../platform/clock.ts";
import { type TestDatabase, takeDatabase } from "../../testing/engine.ts";
import { orderOf } from "../../testing/payments.ts";
import { unbounded } from "../../testing/scripted-provider.ts";
import type { MessageEvent, Submission } from "../provider.ts";
import { openSimulatedProvider, type SimulatedProvider } from "./simulated.ts";

const start = Date.parse("2025-06-02T12:00:00Z");
const never = new AbortController().signal;

let ledger: TestDatabase;
let clock: VirtualClock;
let opened: SimulatedProvider[];
/** Reported events, with the name of the provider that reported each. */
let told: { by: string; event: MessageEvent }[];

beforeEach(async () => {
  ledger = await takeDatabase();
  clock = createVirtualClock(start);
  [opened, told] = [[], []];
});

afterEach(async () => {
  for (const provider of opened) {
    await provider.stop();
    await provider.close();
  }
  await ledger.release();
});

/** Opens and starts a provider. */
async function open(name: string, itsClock: Clock = clock): Promise<SimulatedProvider> {
  const provider = await openSimulatedProvider({
    clock: itsClock,
    database: await openLedgerDatabase(ledger.location),
  });
  opened.push(provider);
  clock.watch(provider.isBusy);
  provider.start(async (event) => {
    told.push({ by: name, event });
  });
  return provider;
}

async function openTwo(): Promise<[SimulatedProvider, SimulatedProvider]> {
  return [await open("one"), await open("other")];
}

function submission(clientReference: string, to = "+12025550100"): Submission {
  const owner = { tenantId: 1, merchantId: "m1" };
  const said = { type: "OTP", subject: null, content: "Hello", automatic: false } as const;
  return { clientReference, ...owner, channel: "SMS", to, ...said, attempts: 0, giveUpAt: 0 };
}

async function runOnDatabase(statement: string): Promise<void> {
  if (!("url" in ledger.location)) throw new Error("these tests are of PostgreSQL");
  const client = new pg.Client({ connectionString: ledger.location.url });
  await client.connect();
  await client.query(statement);
  await client.end();
}

it("lets several providers create the missing ledger at once", async () => {
  await runOnDatabase("DROP SCHEMA simulated_carrier CASCADE");
  const providers = await Promise.all(Array.from({ length: 6 }, (_, index) => open(`${index}`)));
  for (const [index, provider] of providers.entries()) await provider.submit(submission(`msg_${index}`), unbounded);
  expect(await providers[0]?.listNewest?.(4, never)).toEqual(["msg_5", "msg_4", "msg_3", "msg_2"]);
});

it("lists accepted submissions, newest first, but no lost ones", async () => {
  const [one, other] = await openTwo();
  await one.submit(submission("msg_1"), unbounded);
  await one.submit(submission("msg_2", "+12025550104"), unbounded).catch(() => undefined);
  expect(await other.listNewest?.(10, never)).toEqual(["msg_1"]);
  await other.submit(submission("msg_2", "+12025550104"), unbounded);
  expect(await one.listNewest?.(10, never)).toEqual(["msg_2", "msg_1"]);
});

it("counts each submission of a message, whichever provider got it and when", async () => {
  const providers = await openTwo();
  const references = Array.from({ length: 7 }, (_, index) => `msg_${index}`);
  const answers = await Promise.all(
    Array.from({ length: 10 }).flatMap((_, round) =>
      // providers use different orders, because rows are locked in the order of their keys
      providers.flatMap((provider, which) =>
        (round + which) % 2 === 0
          ? references.map((reference) => provider.submit(submission(reference), unbounded))
          : references.toReversed().map((reference) => provider.submit(submission(reference), unbounded)),
      ),
    ),
  );
  const names = answers.map((answer) => answer.outcome === "taken" && answer.providerMessageId);
  expect(new Set(names).size).toBe(140);
  for (const reference of references) {
    for (const provider of providers) {
      expect(await provider.countSubmissions(reference)).toEqual({ attempts: 20, sends: 20 });
    }
  }
});

it("counts the submissions at all instances when it chooses the behaviour", async () => {
  const providers = await openTwo();
  const answers = await Promise.allSettled(
    [...providers, ...providers].map((provider) => provider.submit(submission("msg_1", "+12025550104"), unbounded)),
  );
  // the first submission is lost on the way
  expect(answers.map(({ status }) => status).sort()).toEqual(["fulfilled", "fulfilled", "fulfilled", "rejected"]);
  expect(await providers[0].countSubmissions("msg_1")).toEqual({ attempts: 4, sends: 3 });
});

it("shares the records of speeches and payments", async () => {
  const [one, other] = await openTwo();
  const order = orderOf({ paymentMethod: "7700" });
  const news = await Promise.all([one.payments.submit(order, never), other.payments.submit(order, never)]);
  expect(news[0]).toEqual(news[1]);
  expect([await one.payments.countCharges("pay_1"), await other.payments.countCharges("pay_1")]).toEqual([2, 2]);
  const speech = { reference: "speech_1", text: "Hello", language: "en-US", voice: "calm" };
  const made = one.speech.synthesize(speech, never);
  await clock.advanceBy(1_000);
  expect(await made).toEqual({ outcome: "made" });
  expect(await other.speech.find("speech_1", never)).toBe("made");
  expect(await other.speech.countSyntheses("speech_1")).toBe(1);
});

it("reports each event once, through the provider that got the message", async () => {
  const [one, other] = await openTwo();
  const references = Array.from({ length: 300 }, (_, index) => `msg_${index}`);
  for (const [which, provider] of [one, other].entries()) {
    const own = references.filter((_, index) => index % 2 === which);
    await Promise.all(own.map((reference) => provider.submit(submission(reference, "+12025550153"), unbounded)));
  }
  await clock.advanceBy(120_000);
  expect(told).toHaveLength(600);
  expect(new Set(told.map(({ event }) => event.eventId)).size).toBe(600);
  const byOther = told.filter(({ by }) => by === "other").map(({ event }) => event.clientReference);
  expect(new Set(byOther)).toEqual(new Set(references.filter((_, index) => index % 2 === 1)));
});

it("reports a much later event once, through any provider", async () => {
  const providers = await openTwo();
  for (const [index, provider] of providers.entries()) {
    await provider.submit(submission(`msg_${index}`, "+12025550101"), unbounded);
  }
  await clock.advanceBy(29_999);
  expect(told).toEqual([]);
  await clock.advanceBy(60_000);
  expect(told.map(({ event }) => event.clientReference).sort()).toEqual(["msg_0", "msg_1"]);
});

it("takes over the events of a dead provider after a grace period", async () => {
  const [gone] = await openTwo();
  await gone.submit(submission("msg_1"), unbounded);
  await gone.stop();
  await clock.advanceBy(5_299);
  expect(told).toEqual([]);
  await expect
    .poll(async () => {
      await clock.advanceBy(1_000);
      return told.map(({ by, event }) => `${by} ${event.clientReference}`);
    })
    .toEqual(["other msg_1"]);
  await clock.advanceBy(60_000);
  expect(told).toHaveLength(1);
});

it("reports no event that another provider took over during a stall", async () => {
  let now = start;
  const wakes: (() => void)[] = [];
  const paused = await open("paused", {
    ...systemClock,
    now: () => now,
    at: (_dueMs, wake) => () => void wakes.push(wake),
  });
  const wakeUp = () => {
    now = start + 60_000;
    for (const wake of wakes.splice(0)) wake();
  };
  await paused.submit(submission("msg_1"), unbounded);
  await clock.advanceBy(10_000);
  await open("other");
  await clock.settle();
  expect(told.map(({ by }) => by)).toEqual(["other"]);
  wakeUp();
  await clock.settle();
  expect(told.map(({ by }) => by)).toEqual(["other"]);
});

it("rejects a submission whose sender stalled for long", async () => {
  let stillMs = 0;
  const one = await open("one", { ...clock, elapsed: () => clock.elapsed() - stillMs });
  const other = await open("other");
  stillMs = 20_000;
  await expect(one.submit(submission("msg_1"), unbounded)).rejects.toThrow("too late");
  stillMs = 0;
  expect(await other.find("msg_1", never)).toEqual({ outcome: "absent" });
  expect(await one.submit(submission("msg_1"), unbounded)).toMatchObject({ outcome: "taken" });
});

it("deletes the records of all providers", async () => {
  const [one, other] = await openTwo();
  await one.submit(submission("msg_1"), unbounded);
  await one.forget();
  expect(await other.countSubmissions("msg_1")).toEqual({ attempts: 0, sends: 0 });
  expect(await other.listNewest?.(10, never)).toEqual([]);
  await clock.advanceBy(60_000);
  expect(told).toEqual([]);
});

it("continues after its connections were cut", async () => {
  const [one] = await openTwo();
  await Promise.all([one.submit(submission("msg_1"), unbounded), one.find("msg_0", never), one.find("msg_2", never)]);
  await runOnDatabase(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'msgd simulated carrier'`,
  );
  expect(await one.find("msg_1", never)).toMatchObject({ outcome: "taken" });
  await expect
    .poll(() => one.submit(submission("msg_2"), unbounded).catch(() => undefined))
    .toMatchObject({ outcome: "taken" });
  await clock.advanceBy(60_000);
  expect(new Set(told.map(({ event }) => event.clientReference))).toEqual(new Set(["msg_1", "msg_2"]));
});
