// Two instances whose clocks differ by ten seconds, the most that docs/postgresql.md allows.

import { expect, it } from "vitest";
import { createVirtualClock } from "./development/clocks.ts";
import { type CallOptions, openInstances } from "./testing/instances.ts";

const MINUTE_MS = 60_000;
const BEHIND_MS = 10_000;
const startMs = Date.UTC(2026, 0, 15, 12);

it("instances serve requests, send each message and make each call once, and agree on the outcomes", async () => {
  const clocks = [createVirtualClock(startMs), createVirtualClock(startMs - BEHIND_MS)] as const;
  const options = { consentPolicy: "opt_out_only", pollIntervalMs: 5_000 } as const;
  const ahead = await openInstances(1, { ...options, clock: clocks[0] });
  const behind = await openInstances(1, { ...options, clock: clocks[1], database: ahead.location });
  const instances = [ahead, behind];
  for (const [index, { services }] of instances.entries()) {
    clocks[index]?.watch(() => services[0]?.isBusy() ?? false);
    await services[0]?.start();
  }
  const call = async (index: number, method: "GET" | "POST", path: string, options: CallOptions = {}) => {
    const of = instances[index] as typeof ahead;
    const reply = await of.call(0, method, `/api/v1/${path}`, { as: ahead.credential, ...options });
    expect([path, reply.statusCode, reply.body]).toEqual([path, 200, expect.any(String)]);
    return reply.json();
  };
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 5_000) {
      await Promise.all(clocks.map((clock) => clock.advanceBy(5_000)));
    }
  };
  const merchant = { merchantId: "m1", displayName: "One", smsLimit: 1_000, voiceMinutesLimit: 1_000 };
  await call(0, "POST", "merchants", { body: merchant });

  // delivered; answers lost before or after the carrier acted; throttled; duplicate and unordered receipts
  const digits = ["00", "03", "04", "20", "21", "60", "61"];
  const sent: { key: string; body: object; id: string }[] = [];
  for (const [index, last] of [...digits, ...digits].entries()) {
    const body = { merchantId: "m1", to: `+120255501${last}`, message: "Hello", type: "OTP" };
    const key = `key ${index}`;
    const { messageId } = await call(index % 2, "POST", "messages/sms", { body, key });
    sent.push({ key, body, id: messageId });
    await pass(5_000);
  }
  const numbers = { toNumbers: ["+12025550100", "+12025550103", "+12025550104"], useCase: "OTP", messageText: "Hi" };
  for (const index of [0, 1]) {
    await call(index, "POST", "voice/tts-calls", { body: { merchantId: "m1", ...numbers }, key: `batch ${index}` });
  }
  await pass(6 * MINUTE_MS);

  const store = ahead.services[0]?.store;
  const sends = await store?.read((tx) =>
    tx.all<{ reference: string; sends: number }>("SELECT reference, sends FROM simulated_carrier.submissions"),
  );
  expect(sends?.filter((row) => row.sends > 1)).toEqual([]);
  expect(sends?.map(({ reference }) => reference)).toEqual(expect.arrayContaining(sent.map(({ id }) => id)));
  for (const { key, body, id } of sent) {
    const shown = await Promise.all([0, 1].map((index) => call(index, "POST", "messages/sms", { body, key })));
    expect(shown.map(({ messageId, status }) => [messageId, status])).toEqual(
      [0, 1].map(() => [id, expect.stringMatching(/^(?:DELIVERED|UNDELIVERED|FAILED)$/)]),
    );
    expect(shown[0]).toEqual(shown[1]);
  }
  const calls: { status: string }[] = await call(1, "GET", "voice/tts-calls?limit=50");
  expect(calls.map(({ status }) => status)).toEqual(Array(6).fill("COMPLETED"));
  expect(await ahead.findFaults()).toEqual([]);
  await behind.close();
  await ahead.close();
});
