import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createVirtualClock, type VirtualClock } from "../../development/clocks.ts";
import { openLedgerDatabase } from "../../engines.ts";
import { type TestDatabase, takeLastingDatabase } from "../../testing/engine.ts";
import { orderOf } from "../../testing/payments.ts";
import { unbounded } from "../../testing/scripted-provider.ts";
import type { MessageEvent, Submission } from "../provider.ts";
import { openSimulatedProvider, type SimulatedProvider } from "./simulated.ts";

const start = Date.parse("2025-06-02T12:00:00Z");
const never = new AbortController().signal;

function submission(to: string, clientReference = "msg_1", automatic = false): Submission {
  const channel = to.includes("@") ? "EMAIL" : "SMS";
  const owner = { tenantId: 1, merchantId: "m1" };
  const said = { type: "OTP", subject: null, content: "Hello", automatic } as const;
  return { clientReference, ...owner, channel, to, ...said, attempts: 0, giveUpAt: 0 };
}

let ledger: TestDatabase;
let clock: VirtualClock;
let provider: SimulatedProvider;
let told: { at: number; event: MessageEvent }[];

async function open(): Promise<SimulatedProvider> {
  const opened = await openSimulatedProvider({ clock, database: await openLedgerDatabase(ledger.location) });
  clock.watch(opened.isBusy);
  return opened;
}

/** Records each event in `told`. */
async function listen(event: MessageEvent): Promise<void> {
  told.push({ at: clock.now() - start, event });
}

function tellings(): string[] {
  return told.map(({ at, event }) => `${at} ${event.kind === "receipt" ? event.status : event.kind}`);
}

beforeEach(async () => {
  ledger = await takeLastingDatabase();
  clock = createVirtualClock(start);
  told = [];
  provider = await open();
  provider.start(listen);
});

afterEach(async () => {
  await provider.stop();
  await provider.close();
  await ledger.release();
});

describe("the simulated payment processor", () => {
  const order = orderOf({ paymentMethod: "7700" });
  const submit = async () => {
    const finding = await provider.payments.submit(order, never);
    return finding.outcome === "taken" ? finding.news : [];
  };

  it("counts the requests to charge a payment, and charges it once", async () => {
    expect(await provider.payments.countCharges("pay_1")).toBe(0);
    const news = await submit();
    expect(news.map(({ afterMs, status }) => `${afterMs} ${status}`)).toEqual(["2000 PROCESSING", "3600000 SUCCEEDED"]);
    await clock.advanceBy(3_000);
    const left = await submit();
    expect(left.map(({ afterMs, status }) => `${afterMs} ${status}`)).toEqual(["0 PROCESSING", "3597000 SUCCEEDED"]);
    expect(await provider.payments.find(order, never)).toEqual({ outcome: "taken", news: left });
    expect(await provider.payments.countCharges("pay_1")).toBe(2);
  });
});

describe("the simulated provider", () => {
  it("reports a delivery when due, and not again after it was recorded", async () => {
    await provider.submit(submission("+12025550100"), unbounded);
    await clock.advanceBy(299);
    expect(tellings()).toEqual([]);
    await clock.advanceBy(60_000);
    expect(tellings()).toEqual(["300 DELIVERED"]);
  });

  it("delivers to any address that is not in its tables", async () => {
    for (const to of ["+12025550199", "+447700900123", "jane@example.com", "toString@simulator.example"]) {
      expect(await provider.submit(submission(to, `msg_${to}`), unbounded)).toMatchObject({ outcome: "taken" });
    }
    await clock.advanceBy(1_000);
    expect(tellings()).toEqual(["300 DELIVERED", "300 DELIVERED", "300 DELIVERED", "300 DELIVERED"]);
  });

  it("ignores an email's label", async () => {
    await provider.submit(submission("bounced+newsletter@simulator.example"), unbounded);
    await clock.advanceBy(1_000);
    expect(tellings()).toEqual(["300 UNDELIVERED"]);
  });

  it("counts every accepted submission, even with the same reference", async () => {
    const [first, second] = await Promise.all([
      provider.submit(submission("+12025550100"), unbounded),
      provider.submit(submission("+12025550100"), unbounded),
    ]);
    expect(first).not.toEqual(second);
    expect(await provider.countSubmissions("msg_1")).toEqual({ attempts: 2, sends: 2 });
    expect(await provider.countSubmissions("msg_2")).toEqual({ attempts: 0, sends: 0 });
  });

  it.each([
    ["+12025550100", "taken"],
    ["+12025550103", "taken"],
    ["+12025550104", "absent"],
    ["+12025550105", "unknown"],
    ["+12025550117", "absent"],
    ["+12025550120", "absent"],
    ["timeout@simulator.example", "taken"],
  ])("answers a look-up of a submission to %s with %s", async (to, outcome) => {
    await provider.submit(submission(to), unbounded).catch(() => undefined);
    expect(await provider.find("msg_1", never)).toMatchObject({ outcome });
  });

  it("reports an unknown message as absent", async () => {
    expect(await provider.find("msg_1", never)).toEqual({ outcome: "absent" });
  });

  it("loses the first submission to +1 NPA 555 0104, and accepts the second", async () => {
    await expect(provider.submit(submission("+12025550104"), unbounded)).rejects.toThrow("did not answer");
    expect(await provider.submit(submission("+12025550104"), unbounded)).toMatchObject({ outcome: "taken" });
    expect(await provider.countSubmissions("msg_1")).toEqual({ attempts: 2, sends: 1 });
  });

  it("lists accepted submissions, newest first, but no lost ones", async () => {
    await provider.submit(submission("+12025550100", "msg_1"), unbounded);
    await provider.submit(submission("+12025550104", "msg_2"), unbounded).catch(() => undefined);
    await clock.advanceBy(1);
    await provider.submit(submission("+12025550100", "msg_3"), unbounded);
    expect(await provider.listNewest?.(10, never)).toEqual(["msg_3", "msg_1"]);
    await clock.advanceBy(1);
    await provider.submit(submission("+12025550104", "msg_2"), unbounded);
    expect(await provider.listNewest?.(2, never)).toEqual(["msg_2", "msg_3"]);
  });

  it("sends no reply to an automatic message", async () => {
    await provider.submit(submission("+12025550152", "msg_1"), unbounded);
    await provider.submit(submission("+12025550152", "msg_2", true), unbounded);
    await clock.advanceBy(10_000);
    expect(told.filter(({ event }) => event.kind === "reply").map(({ event }) => event.clientReference)).toEqual([
      "msg_1",
    ]);
  });

  it("repeats an event until it is recorded, under the same id", async () => {
    let failures = 2;
    provider.start(async (event) => {
      await listen(event);
      failures -= 1;
      if (failures >= 0) throw new Error("the disk is full");
    });
    await provider.submit(submission("+12025550100"), unbounded);
    await clock.advanceBy(60_000);
    expect(tellings()).toEqual(["300 DELIVERED", "1300 DELIVERED", "2300 DELIVERED"]);
    expect(new Set(told.map(({ event }) => event.eventId)).size).toBe(1);
  });

  it("keeps accepted messages after a crash, and reports events that were not recorded", async () => {
    const clockOfTheCrashed = createVirtualClock(start);
    const crashed = await openSimulatedProvider({
      clock: clockOfTheCrashed,
      database: await openLedgerDatabase(ledger.location),
    });
    crashed.start(() => new Promise(() => undefined));
    await crashed.submit(submission("+12025550160"), unbounded);
    await provider.stop();
    provider.start(listen);
    expect(await provider.find("msg_1", never)).toMatchObject({ outcome: "taken" });
    await expect
      .poll(async () => {
        await clock.advanceBy(1_000);
        return told.length;
      })
      .toBe(2);
    // an instance that shares a ledger reports another instance's events only after a grace period
    const earliest = "url" in ledger.location ? 5_300 : 300;
    expect(told.filter(({ at }) => at < earliest)).toEqual([]);
    await crashed.close();
  });
});
