// docs/simulator.md lists the outcome of a message or a call to each test number and address: every row is checked.

import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type InMemoryService, openInMemoryService } from "../../server/src/testing/in-memory-service.ts";

const page = readFileSync(new URL("../../../docs/simulator.md", import.meta.url), "utf8");
const numberRows = [...page.matchAll(/^\| `(\d\d)` \| ([A-Z_ ]+) \| ([A-Z_ ]+) \|/gm)].map(
  ([, digits = "", sms = "", call = ""]) => ({ digits, sms, call }),
);
const emailRows = [...page.matchAll(/^\| `([a-z]+)` \| ([A-Z_ ]+) \|/gm)].map(([, name = "", email = ""]) => ({
  address: `${name}+label@simulator.example`,
  email,
}));
const merchantId = "shop";
const smsNumber = (digits: string) => `+120255501${digits}`;
const callNumber = (digits: string) => `+131255501${digits}`;

let service: InMemoryService;
beforeAll(async () => {
  service = await openInMemoryService({ isDevelopment: true });
  await service.start();
  const limits = { smsLimit: 1_000, voiceMinutesLimit: 1_000, emailLimit: 1_000 };
  await post("merchants", { merchantId, displayName: "Shop", ...limits });
  for (const { digits } of numberRows) {
    await post("messages/sms", { merchantId, to: smsNumber(digits), message: "Hello", type: "OTP" });
  }
  for (const { address } of emailRows) {
    await post("messages/email", { merchantId, to: address, subject: "Hello", body: "Hello", type: "OTP" });
  }
  const toNumbers = numberRows.map(({ digits }) => callNumber(digits));
  await post("voice/tts-calls", { merchantId, messageText: "Hello", useCase: "OTP", toNumbers });
  await service.clock.advanceBy(73 * 3_600_000);
});
afterAll(() => service.close());

async function post(path: string, body: object): Promise<void> {
  const reply = await service.call("POST", `/api/v1/${path}`, { body });
  expect(reply.statusCode, reply.body).toBe(200);
}

/** The outcome in the page's words: the state, and the reason if there is one. */
function words(state: string, reason: string | null): string {
  return reason === null ? state : `${state} ${reason}`;
}

async function endOfMessage(to: string): Promise<string> {
  const url = `/control/messages?to=${encodeURIComponent(to)}`;
  const reply = await service.app.inject({ url, headers: { host: "127.0.0.1" } });
  // the oldest message: a newer one may be the confirmation of a reply
  const { status, deliveryReason } = reply.json().at(-1);
  return words(status, deliveryReason);
}

it("docs/simulator.md has a row for each test number and address", () => {
  expect([numberRows.length, emailRows.length]).toEqual([33, 6]);
});

describe("a test number", () => {
  it.each(numberRows)("$digits: an SMS ends $sms", async ({ digits, sms }) => {
    expect(await endOfMessage(smsNumber(digits))).toBe(sms);
  });

  it.each(numberRows)("$digits: a call ends $call", async ({ digits, call }) => {
    const calls = (await service.call("GET", "/api/v1/voice/tts-calls?limit=500")).json();
    const made = calls.find(({ toNumber }: { toNumber: string }) => toNumber === callNumber(digits));
    expect(words(made.finalStatus, made.deliveryReason)).toBe(call);
  });
});

it.each(emailRows)("an email to $address ends $email", async ({ address, email }) => {
  expect(await endOfMessage(address)).toBe(email);
});
