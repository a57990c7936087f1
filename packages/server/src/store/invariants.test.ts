import { describe, expect, it } from "vitest";
import { openInMemoryService } from "../testing/in-memory-service.ts";
import { checkInvariants } from "./invariants.ts";

const HOUR_MS = 60 * 60 * 1_000;

describe("invariants", () => {
  it("hold in every state of messages and calls, whatever their outcomes", async () => {
    const service = await openInMemoryService();
    const wrong = async () => (await service.store.read(checkInvariants)).filter(({ faults }) => faults.length > 0);
    await service.start();
    const limits = { smsLimit: 20, smsCredits: 10, voiceMinutesLimit: 20, voiceMinutesCredits: 30, emailLimit: 5 };
    await service.call("POST", "/api/v1/merchants", { body: { merchantId: "m1", displayName: "M", ...limits } });
    const last = ["00", "02", "03", "05", "10", "18", "20", "21", "30", "32", "33", "37", "39", "60", "61"];
    const numbers = last.map((digits) => `+120255501${digits}`);
    for (const to of numbers) {
      await service.call("POST", "/api/v1/messages/sms", {
        body: { merchantId: "m1", to, message: "Hi", type: "OTP" },
      });
    }
    const calls = { merchantId: "m1", messageText: "Your code is 1 2 3", useCase: "OTP", toNumbers: numbers };
    expect((await service.call("POST", "/api/v1/voice/tts-calls", { body: calls })).statusCode).toBe(200);
    for (const [channel, paymentMethodId] of [
      ["SMS", 4242],
      ["VOICE", 7700],
      ["EMAIL", 2],
    ] as const) {
      const upgrade = { merchantId: "m1", channel, units: 7, paymentMethodId };
      await service.call("POST", "/api/v1/billing/upgrade", { body: upgrade });
    }
    expect(await wrong()).toEqual([]);
    for (const ms of [500, 2_000, 10_000, 60_000, 5 * 60_000, HOUR_MS, 73 * HOUR_MS]) {
      await service.clock.advanceBy(ms);
      expect(await wrong(), `after ${ms} ms`).toEqual([]);
      const credits = { smsCredits: 3, voiceMinutesCredits: 40 };
      await service.call("POST", "/api/v1/merchants", { body: { merchantId: "m1", displayName: "M", ...credits } });
      expect(await wrong(), `credits set after ${ms} ms`).toEqual([]);
    }
    await service.close();
  });

  it("hold if more credits are returned than a double can count", async () => {
    const service = await openInMemoryService();
    const wrong = async () => (await service.store.read(checkInvariants)).filter(({ faults }) => faults.length > 0);
    const most = Number.MAX_SAFE_INTEGER;
    const give = (smsCredits: number, smsLimit = 0) =>
      service.call("POST", "/api/v1/merchants", { body: { merchantId: "m1", displayName: "M", smsCredits, smsLimit } });
    const merchant = async () => (await service.call("GET", "/api/v1/merchants/m1")).json();
    const send = async (to: string) => {
      const body = { merchantId: "m1", to, message: "a".repeat(161), type: "OTP" };
      return (await service.call("POST", "/api/v1/messages/sms", { body })).statusCode;
    };
    await give(most);
    // a carrier accepts the first message, and no carrier the others
    for (const last of ["00", "20", "20"]) expect(await send(`+120255501${last}`)).toBe(200);
    expect((await merchant()).credits.smsCredits).toBe(most - 6);
    // with the six units of these messages, more credits have been given than a double can count
    await give(most);
    expect(await wrong()).toEqual([]);
    await give(most - 1);
    await service.start();
    await service.clock.advanceBy(HOUR_MS);
    expect(await merchant()).toMatchObject({ credits: { smsCredits: most }, usage: { smsUsed: 2 } });
    expect(await wrong()).toEqual([]);
    await give(0, most);
    expect(await send("+12025550100")).toBe(200);
    await service.clock.advanceBy(HOUR_MS);
    expect(await merchant()).toMatchObject({ limits: { smsLimit: most }, usage: { smsUsed: 4 } });
    expect(await wrong()).toEqual([]);
    await service.close();
  });
});
