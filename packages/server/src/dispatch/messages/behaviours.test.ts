// Messages to every address in the simulated provider's tables, from acceptance to the final state.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openSimulatedProvider, type SimulatedProvider } from "../../carriers/simulated/simulated.ts";
import { alertsQuery } from "../../domain/merchants/alert-rows.ts";
import { openLedgerDatabase } from "../../engines.ts";
import { readRows } from "../../store/store.ts";
import { createWorld, hourMs, startMs, type World } from "../../testing/dispatch-world.ts";
import { openTestStore } from "../../testing/test-store.ts";

let world: World<SimulatedProvider>;

beforeEach(async () => {
  world = await createWorld({
    openStore: ({ now }) => openTestStore({ now }),
    openProvider: async (clock) =>
      openSimulatedProvider({ clock, database: await openLedgerDatabase({ file: ":memory:" }) }),
  });
});

afterEach(async () => {
  await world.close();
  await world.provider.close();
});

interface Expected {
  status: string;
  reason?: string;
  /** Time of the final state, in seconds after acceptance. @default within the first second */
  afterSeconds?: number;
  attempts?: number;
  sends?: number;
}

const delivered: Expected = { status: "DELIVERED" };
const undelivered = (reason: string): Expected => ({ status: "UNDELIVERED", reason });
const failed = (reason: string): Expected => ({ status: "FAILED", reason, sends: 0 });

const table: Record<string, Expected> = {
  "+12025550100": delivered,
  "+12025550101": { status: "DELIVERED", afterSeconds: 30 },
  "+12025550102": { status: "UNKNOWN", afterSeconds: 72 * 3_600 },
  "+12025550103": { status: "DELIVERED", sends: 1, attempts: 1 },
  "+12025550104": { status: "DELIVERED", sends: 1, attempts: 2 },
  "+12025550105": { status: "UNKNOWN", afterSeconds: 72 * 3_600, sends: 0 },
  "+13125550110": undelivered("UNREACHABLE"),
  "+13125550111": undelivered("BLOCKED"),
  "+13125550112": undelivered("UNKNOWN_HANDSET"),
  "+13125550113": undelivered("LANDLINE"),
  "+13125550114": undelivered("CARRIER_FILTERED"),
  "+13125550115": undelivered("CARRIER_UNKNOWN"),
  "+13125550116": undelivered("UNREGISTERED_SENDER"),
  "+13125550117": failed("OPTED_OUT"),
  "+13125550118": { status: "EXPIRED", reason: "TTL_EXPIRED" },
  "+14155550120": failed("CARRIER_UNKNOWN"),
  "+14155550121": { status: "DELIVERED", sends: 1, attempts: 2 },
  ...Object.fromEntries(Array.from({ length: 10 }, (_, digit) => [`+1415555013${digit}`, delivered])),
  "+14155550150": delivered,
  "+14155550151": delivered,
  "+14155550152": delivered,
  "+14155550153": delivered,
  "+14155550160": delivered,
  "+14155550161": delivered,
  "+447700900123": delivered,
  "delivered@simulator.example": delivered,
  "delivered+label@simulator.example": delivered,
  "bounced@simulator.example": undelivered("UNREACHABLE"),
  "complained+x@simulator.example": delivered,
  "suppressed@simulator.example": failed("BLOCKED"),
  "delayed@simulator.example": { status: "DELIVERED", afterSeconds: 30 },
  "timeout@simulator.example": { status: "DELIVERED", sends: 1 },
  "jane@example.com": delivered,
};

describe("a message through the simulated provider", () => {
  it.each(Object.entries(table))("to %s ends %o", async (to, expected) => {
    const { status, reason = null, afterSeconds = 0, attempts = 1, sends = 1 } = expected;
    const dispatcher = world.dispatcher();
    await dispatcher.start();
    const messageId = await world.accept(to);
    dispatcher.notify();

    if (afterSeconds > 0) {
      await world.clock.advanceTo(startMs + afterSeconds * 1_000 - 1);
      expect((await world.message(messageId)).status).not.toBe(status);
    }
    // slightly later, because the 30 s and 72 h count from the submission
    await world.clock.advanceTo(startMs + afterSeconds * 1_000 + 1_000);
    const ended = await world.message(messageId);
    expect(ended).toMatchObject({ status, deliveryReason: reason, attempts });
    expect(await world.provider.countSubmissions(messageId)).toEqual({ attempts, sends });

    const isCharged = status !== "FAILED";
    expect(ended.charge).toBe(isCharged ? "SETTLED" : "RELEASED");
    const channel = to.includes("@") ? "EMAIL" : "SMS";
    expect(await world.usage(channel)).toEqual({ used: isCharged ? 1 : 0, reserved: 0, credits: 10 });
    const costMicros = channel === "EMAIL" ? 100 : 7_900;
    expect(ended).toMatchObject(
      isCharged ? { costMicros, markupMicros: costMicros / 5 } : { costMicros: 0, markupMicros: 0 },
    );

    await world.clock.advanceBy(100 * hourMs);
    expect((await world.message(messageId)).status).toBe(status);
    expect(await world.provider.countSubmissions(messageId)).toEqual({ attempts, sends });
    expect(await world.outbox()).toEqual([]);
  });

  it.each([
    ["+12025550117", "OPT_OUT", "PROVIDER:OPT_OUT"],
    ["complained@simulator.example", "OPT_OUT", "PROVIDER:COMPLAINT"],
    ["+12025550150", "OPT_OUT", "SMS_REPLY:STOP"],
    ["+12025550151", "OPT_IN", "SMS_REPLY:START"],
  ])("to %s changes the recipient's consent to %s, once, with the source %s", async (to, status, source) => {
    const dispatcher = world.dispatcher();
    await dispatcher.start();
    await world.accept(to);
    dispatcher.notify();
    await world.clock.advanceBy(5_000);
    expect(await world.consent(to)).toEqual({ status, source, changes: 1 });
  });

  it.each([
    ["+12025550150", 1],
    ["+12025550151", 1],
    ["+12025550152", 1],
    ["+12025550153", 0],
  ])("is answered from %s, and %i free confirmation is sent", async (to, confirmations) => {
    const dispatcher = world.dispatcher();
    await dispatcher.start();
    const messageId = await world.accept(to);
    dispatcher.notify();
    await world.clock.advanceBy(60_000);
    const { [messageId]: status, ...others } = await world.statuses();
    expect(status).toBe("DELIVERED");
    expect(Object.values(others)).toEqual(Array.from({ length: confirmations }, () => "DELIVERED"));
    expect(await world.usage()).toEqual({ used: 1, reserved: 0, credits: 10 });
  });

  it("raises one alert when its provider starts to fail, and another when it fails again", async () => {
    const dispatcher = world.dispatcher();
    await dispatcher.start();
    const sendTo = async (to: string, count: number) => {
      for (let sent = 0; sent < count; sent += 1) {
        await world.accept(to);
        dispatcher.notify();
        await world.clock.settle();
      }
      const alerts = await world.store.read((tx) => readRows(tx, alertsQuery(world.tenantId, "shop")));
      return alerts.filter(({ alertType }) => alertType === "PROVIDER_FAILURE");
    };
    expect(await sendTo("+12025550120", 4)).toEqual([]);
    const alert = {
      merchantId: "shop",
      channel: "SMS",
      alertType: "PROVIDER_FAILURE",
      severity: "CRITICAL",
      message: "The SMS provider failed 5 times in a row.",
      thresholdPercent: null,
      createdAt: startMs,
    };
    expect(await sendTo("+12025550120", 6)).toEqual([alert]);
    expect(await sendTo("+12025550100", 20)).toEqual([alert]);
    expect(await sendTo("delivered@simulator.example", 1)).toEqual([alert]);
    await sendTo("+12025550120", 3);
    await sendTo("+12025550100", 1);
    const another = { ...alert, message: "The SMS provider failed 4 of the last 20 times." };
    expect(await sendTo("+12025550120", 1)).toEqual([another, alert]);
  });

  it.each([
    ["4 failures in a row", "1111", undefined],
    ["5 failures in a row", "11111", "The SMS provider failed 5 times in a row."],
    ["more failures in a row than the window holds", "1".repeat(25), "The SMS provider failed 5 times in a row."],
    ["5 failures, one success between them", "1111010", undefined],
    ["4 failures in 19 answers", "1000100010001000000", undefined],
    [
      "4 failures in 20 answers, the last one a success",
      "10001000100010000000",
      "The SMS provider failed 4 of the last 20 times.",
    ],
    [
      "4 failures in 20 answers, the last one a failure",
      "10001000100000000001",
      "The SMS provider failed 4 of the last 20 times.",
    ],
    ["3 failures in 20 answers", "10001000100000000000", undefined],
    ["4 failures in 21 answers, 3 of them among the last 20", "100010001000000000001", undefined],
    [
      "5 failures in a row, long before the window is full",
      "111110000000000000000000",
      "The SMS provider failed 5 times in a row.",
    ],
  ])("raises the right alerts after %s", async (_what, answers, message) => {
    const dispatcher = world.dispatcher();
    await dispatcher.start();
    for (const hasFailed of answers) {
      await world.accept(hasFailed === "1" ? "+12025550120" : "+12025550100");
      dispatcher.notify();
      await world.clock.settle();
    }
    const alerts = await world.store.read((tx) => readRows(tx, alertsQuery(world.tenantId, "shop")));
    const raised = alerts.filter(({ alertType }) => alertType === "PROVIDER_FAILURE").map((alert) => alert.message);
    expect(raised).toEqual(message === undefined ? [] : [message]);
  });
});
