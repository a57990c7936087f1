import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { type InMemoryService, openInMemoryService } from "../../testing/in-memory-service.ts";
import { addMessage } from "../../testing/messages.ts";
import { addToDay, reserveUsage } from "../billing/rows.ts";
import { localDate } from "../calendar.ts";
import { lowestMessageId } from "../messages/rules.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
let service: InMemoryService;
afterEach(() => service.close());

async function open(options: Parameters<typeof openInMemoryService>[0] = {}) {
  service = await openInMemoryService(options);
  await service.start();
  const body = { merchantId: "m1", displayName: "One", smsLimit: 100_000, emailLimit: 100_000 };
  await service.call("POST", "/api/v1/merchants", { body });
}

async function report(query = "") {
  return (await service.call("GET", `/api/v1/reports/usage${query}`)).json();
}

function sms(to = "+12025550100", message = "Hi") {
  const body = { merchantId: "m1", to, message, type: "OTP" };
  return service.call("POST", "/api/v1/messages/sms", { body });
}

function email(to = "delivered@simulator.example") {
  const body = { merchantId: "m1", to, subject: "s", body: "b", type: "OTP" };
  return service.call("POST", "/api/v1/messages/email", { body });
}

describe("a usage report", () => {
  it("counts the charges exactly", async () => {
    await open();
    for (let count = 0; count < 3; count += 1) await sms();
    await sms("+12025550110");
    await sms("+12025550100", "a".repeat(161));
    await sms("+12025550120");
    await email();
    await email("suppressed@simulator.example");
    await service.clock.advanceBy(10_000);
    expect(await report()).toEqual({
      from: "2026-01-01",
      to: "2026-01-15",
      totalSmsCount: 6,
      totalEmailCount: 1,
      providerCost: 0.0475,
      hqMarkup: 0.0095,
      finalCharges: 0.057,
      freshnessState: "PROVISIONAL",
      freshnessReason: "PERIOD_OPEN",
    });
  });

  it("is refused if a sum would have to be rounded", async () => {
    await open();
    const { tenantId } = service.credential;
    const charged = { units: 1, providerCostMicros: 2 ** 52, markupMicros: 0 };
    const charge = (day: string) =>
      service.store.write((tx) => addToDay(tx, { tenantId, channel: "SMS", day }, charged));
    await charge("2026-01-01");
    expect(await report()).toMatchObject({ finalCharges: 4503599627.370496 });
    await charge("2026-01-02");
    expect(await report()).toMatchObject({ status: 400, errors: [{ pointer: "/query/from", code: "out_of_range" }] });
    expect(await report("?from=2026-01-02")).toMatchObject({ finalCharges: 4503599627.370496 });
  });

  it("uses the operator's own prices, like a call", async () => {
    const prices = { smsSegmentMicros: 10_000, emailMicros: 2_000, callMinuteMicros: 30_000, ttsCharacterMicros: 5 };
    await open({ prices: { ...prices, markupPercent: 12.5 } });
    const merchant = { merchantId: "m1", displayName: "One", voiceMinutesLimit: 10 };
    await service.call("POST", "/api/v1/merchants", { body: merchant });
    await sms();
    await email();
    const body = { merchantId: "m1", messageText: "Code 1234!", useCase: "OTP", toNumber: "+12025550100" };
    const submitted = (await service.call("POST", "/api/v1/voice/tts-calls", { body })).json();
    const costs = { estimatedTtsCost: 0.000056, estimatedCallCost: 0.03375 };
    expect(submitted).toMatchObject(costs);
    await service.clock.advanceBy(10_000);
    expect(await report()).toMatchObject({ providerCost: 0.012, hqMarkup: 0.0015, finalCharges: 0.0135 });
    const call = (await service.call("GET", `/api/v1/voice/tts-calls/${submitted.requestId}`)).json();
    expect(call).toMatchObject({ ...costs, actualTtsCost: 0.000056, actualCallCost: 0.03375 });
  });

  it("counts a message on the day of its acceptance in the tenant's time zone, whenever it is charged", async () => {
    // half an hour before midnight in New York
    await open({ timezone: "America/New_York", now: Date.UTC(2026, 0, 15, 4, 30) });
    await sms("+12025550105");
    await service.clock.advanceBy(hourMs);
    await sms();
    await service.clock.advanceBy(10_000);
    expect(await report("?from=2026-01-14&to=2026-01-14")).toMatchObject({
      totalSmsCount: 0,
      freshnessReason: "PROVIDER_FINALIZATION_PENDING",
    });
    expect(await report()).toMatchObject({ from: "2026-01-01", to: "2026-01-15", totalSmsCount: 1 });
    await service.clock.advanceBy(72 * hourMs);
    expect(await report("?from=2026-01-14&to=2026-01-14")).toMatchObject({
      totalSmsCount: 1,
      freshnessState: "FINAL",
      freshnessReason: "SETTLED",
    });
    expect(await report("?from=2026-01-15&to=2026-01-15")).toMatchObject({ totalSmsCount: 1 });
  });

  it("is PROVISIONAL while a message of the range is open, and then FINAL", async () => {
    await open({ now: Date.UTC(2026, 0, 15, 23, 59, 50) });
    await sms("+12025550102");
    await service.clock.advanceBy(20_000);
    const yesterday = "?from=2026-01-15&to=2026-01-15";
    const pending = { freshnessState: "PROVISIONAL", freshnessReason: "PROVIDER_FINALIZATION_PENDING" };
    expect(await report(yesterday)).toMatchObject({ totalSmsCount: 1, ...pending });
    expect(await report("?from=2026-01-14&to=2026-01-14")).toMatchObject({
      freshnessState: "FINAL",
      freshnessReason: "NO_USAGE",
    });
    await service.clock.advanceBy(72 * hourMs - 30_000);
    expect(await report(yesterday)).toMatchObject(pending);
    await service.clock.advanceBy(30_000);
    expect(await report(yesterday)).toMatchObject({ freshnessState: "FINAL", freshnessReason: "SETTLED" });
  });

  it("is PROVISIONAL while a message of its own tenant or merchant is queued", async () => {
    await open({ now: Date.UTC(2026, 0, 15, 23, 59) });
    const other = await service.issue({ tenant: "Other" });
    const now = service.clock.now();
    const key = {
      tenantId: service.credential.tenantId,
      merchantId: "m1",
      channel: "SMS",
      period: "2026-01-01",
    } as const;
    const message = { type: "OTP", purpose: "SEND", recipient: "+12025550100", subject: null, content: "Hi" } as const;
    // queued without notifying the dispatcher, as if the server stopped at that moment
    await service.store.write(async (tx) => {
      await reserveUsage(tx, key, { units: 1, creditUnits: 0 });
      const messageId = `${lowestMessageId(now)}0000000000000000`;
      await addMessage(tx, { ...key, ...message, messageId, units: 1, creditUnits: 0, now });
    });
    await service.clock.advanceBy(2 * 60_000);
    const range = "?from=2026-01-15&to=2026-01-15";
    const pending = { freshnessState: "PROVISIONAL", freshnessReason: "PROVIDER_FINALIZATION_PENDING" };
    expect(await report(range)).toMatchObject({ totalSmsCount: 0, ...pending });
    const theirs = await service.call("GET", `/api/v1/reports/usage${range}`, { as: other });
    expect(theirs.json()).toMatchObject({ freshnessReason: "NO_USAGE" });
    // even after 72 hours it may still be charged or given up, so the figures may change
    await service.clock.advanceBy(75 * hourMs);
    expect(await report(range)).toMatchObject(pending);
    await sms();
    await service.clock.advanceBy(10_000);
    expect(await report(range)).toMatchObject({ totalSmsCount: 0, freshnessState: "FINAL" });
  });

  it("does not count free messages", async () => {
    await open();
    const { messageId } = (await sms()).json();
    await service.clock.advanceBy(10_000);
    const tenantId = String(service.credential.tenantId);
    await service.call("POST", "/api/v1/simulator/reply", { body: { tenantId, messageId, replyBody: "STOP" } });
    await service.clock.advanceBy(10_000);
    expect(await report()).toMatchObject({ totalSmsCount: 1 });
  });

  it.each([
    ["?from=2026-01-10&to=2026-01-09", "invalid_date_range", "from"],
    ["?from=2026-01-16", "invalid_date_range", "from"],
    ["?from=2026-02-30", "invalid_date_range", "from"],
    ["?to=2026-13-01", "invalid_date_range", "to"],
  ])("for %s is refused with %s at %s", async (query, code, name) => {
    await open();
    expect(await report(query)).toMatchObject({ status: 400, code, errors: [{ pointer: `/query/${name}` }] });
  });

  it.each([
    ["?to=2025-11-20", "2025-11-01", "2025-11-20", "FINAL"],
    ["?from=2026-01-15", "2026-01-15", "2026-01-15", "PROVISIONAL"],
    ["?from=0001-01-01&to=0001-01-02", "0001-01-01", "0001-01-02", "FINAL"],
    ["?from=0001-01-01&to=2026-01-14", "0001-01-01", "2026-01-14", "FINAL"],
    ["?from=2026-01-01&to=9999-12-31", "2026-01-01", "9999-12-31", "PROVISIONAL"],
  ])("for %s covers %s to %s and is %s", async (query, from, to, freshnessState) => {
    await open();
    expect(await report(query)).toMatchObject({ from, to, freshnessState });
  });
});

describe("reports after a random run", () => {
  it("equal the sum of the messages, day by day", async () => {
    const send = fc.record({
      isEmail: fc.boolean(),
      digits: fc.constantFrom("00", "01", "02", "03", "04", "05", "10", "17", "18", "20", "21", "50", "60"),
      local: fc.constantFrom("delivered", "bounced", "suppressed", "delayed", "timeout"),
      characters: fc.integer({ min: 1, max: 400 }),
      pauseMs: fc.integer({ min: 0, max: 20 * hourMs }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(send, { minLength: 1, maxLength: 15 }), async (sends) => {
        const timezone = "Pacific/Auckland";
        await open({ timezone });
        for (const { isEmail, digits, local, characters, pauseMs } of sends) {
          if (isEmail) await email(`${local}@simulator.example`);
          else await sms(`+12025550${"1"}${digits}`, "a".repeat(characters));
          await service.clock.advanceBy(pauseMs);
        }
        const rows = await service.store.read((tx) =>
          tx.all<{ at: number; channel: string; units: number; cost: number; markup: number }>(
            `SELECT created_at AS at, channel, units, provider_cost_micros AS cost, markup_micros AS markup
               FROM messages WHERE charge = 'SETTLED'`,
          ),
        );
        const days = [...new Set([...rows.map(({ at }) => localDate(at, timezone)), "2026-01-16"])];
        for (const day of days) {
          const own = rows.filter(({ at }) => localDate(at, timezone) === day);
          const sum = (pick: (row: (typeof rows)[number]) => number) =>
            own.reduce((total, row) => total + pick(row), 0);
          const shown = await report(`?from=${day}&to=${day}`);
          expect(shown).toMatchObject({
            totalSmsCount: sum(({ channel, units }) => (channel === "SMS" ? units : 0)),
            totalEmailCount: sum(({ channel, units }) => (channel === "EMAIL" ? units : 0)),
          });
          const micros = (amount: number) => Math.round(amount * 1_000_000);
          expect(micros(shown.providerCost)).toBe(sum(({ cost }) => cost));
          expect(micros(shown.hqMarkup)).toBe(sum(({ markup }) => markup));
          expect(micros(shown.finalCharges)).toBe(sum(({ cost, markup }) => cost + markup));
        }
        await service.clock.advanceBy(8 * dayMs);
        const [first, last] = [days.toSorted()[0], localDate(service.clock.now() - 4 * dayMs, timezone)];
        expect(await report(`?from=${first}&to=${last}`)).toMatchObject({ freshnessState: "FINAL" });
        await service.close();
      }),
      { numRuns: 5 },
    );
    await open();
  });
});
