// Hostile or very large bodies: their faults, the time that they take on the event loop, and the size of the reply.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type InMemoryService, openInMemoryService } from "../../testing/in-memory-service.ts";
import { BODY_LIMIT_BYTES } from "../bodies/body-check.ts";

const LARGEST_REPLY_BYTES = 64 * 1024;

let service: InMemoryService;
beforeAll(async () => {
  service = await openInMemoryService();
  await service.call("POST", "/api/v1/merchants", { body: { merchantId: "m1", displayName: "First", smsLimit: 10 } });
});
afterAll(() => service.close());

const json = { "content-type": "application/json" };
const sms = { merchantId: "m1", to: "+12025550100", message: "Hello", type: "OTP" };
const tts = { merchantId: "m1", messageText: "Hello", useCase: "OTP" };

interface Told {
  status: number;
  code: string;
  errors: { pointer: string; code: string; detail: string }[];
  moreFaults?: number;
  bytes: number;
}

async function post(path: string, body: string | object): Promise<Told> {
  const payload = typeof body === "string" ? body : JSON.stringify(body);
  const reply = await service.call("POST", `/api/v1${path}`, { body: payload, headers: json });
  return { ...reply.json(), status: reply.statusCode, bytes: reply.rawPayload.length };
}

/** Returns `open`, as many pieces as fit into 2 MiB, and `close`. */
function fill(open: string, piece: (index: number) => string, close: string): string {
  const pieces = [open];
  let bytes = open.length + close.length;
  for (let index = 0; ; index++) {
    const next = piece(index);
    bytes += next.length;
    if (bytes > BODY_LIMIT_BYTES) return pieces.join("") + close;
    pieces.push(next);
  }
}

const ttsOpen = JSON.stringify(tts).slice(0, -1);
const long = (length = 2_000_000) => "a".repeat(length);

describe("a body of 2 MiB", () => {
  const cases: [string, string, () => string, { pointer: string; code: string }][] = [
    [
      "300 000 items",
      "/voice/tts-calls",
      () => fill(`${ttsOpen},"toNumbers":[0`, () => ",0", "]}"),
      { pointer: "", code: "too_many" },
    ],
    [
      "objects in place of items",
      "/voice/tts-calls",
      () => fill(`${ttsOpen},"toNumbers":[{}`, () => ",{}", "]}"),
      { pointer: "", code: "too_many" },
    ],
    [
      "lists in place of items",
      "/voice/tts-calls",
      () => fill(`${ttsOpen},"toNumbers":[[]`, () => ",[[]]", "]}"),
      { pointer: "", code: "too_many" },
    ],
    [
      "a million nested lists",
      "/voice/tts-calls",
      () => `${ttsOpen},"toNumbers":${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}}`,
      { pointer: "", code: "too_many" },
    ],
    [
      "300 000 nested objects",
      "/messages/sms",
      () => `${'{"a":'.repeat(300_000)}0${"}".repeat(300_000)}`,
      { pointer: "", code: "too_many" },
    ],
    [
      "unknown members",
      "/messages/sms",
      () => fill('{"a":0', (index) => `,"a${index}":0`, "}"),
      { pointer: "", code: "too_many" },
    ],
    [
      "members named as indexes",
      "/messages/sms",
      () => fill('{"a":0', (index) => `,"${index}":0`, "}"),
      { pointer: "", code: "too_many" },
    ],
    [
      "1 900 long unknown names",
      "/messages/sms",
      () => `{"a":0${Array.from({ length: 1_900 }, (_, index) => `,"${index}${long(1_000)}":0`).join("")}}`,
      { pointer: expect.stringMatching(/^\/0a+…$/), code: "unknown_field" },
    ],
    [
      "a name of a million characters",
      "/messages/sms",
      () => `{"${long(1_000_000)}":0}`,
      { pointer: expect.stringMatching(/^\/a{199}…$/), code: "unknown_field" },
    ],
    [
      "a long text",
      "/messages/sms",
      () => JSON.stringify({ ...sms, message: long() }),
      { pointer: "/message", code: "too_long" },
    ],
    [
      "a long text of surrogate pairs",
      "/messages/sms",
      () => JSON.stringify({ ...sms, message: "😀".repeat(500_000) }),
      { pointer: "/message", code: "too_long" },
    ],
    [
      "a long phone number",
      "/messages/sms",
      () => JSON.stringify({ ...sms, to: `+${"1".repeat(2_000_000)}` }),
      { pointer: "/to", code: "invalid_phone_number" },
    ],
    [
      "a long item of an array",
      "/messages/sms",
      () => JSON.stringify({ ...sms, type: long() }),
      { pointer: "/type", code: "not_allowed" },
    ],
    [
      "a long URL",
      "/voice/tts-calls",
      () => JSON.stringify({ ...tts, toNumber: sms.to, callbackUrl: `https://a/${long()}` }),
      { pointer: "/callbackUrl", code: "too_long" },
    ],
    [
      "a long address",
      "/messages/email",
      () => JSON.stringify({ ...sms, to: `a@${long()}.com` }),
      { pointer: "/to", code: "invalid_email" },
    ],
    [
      "a long time zone",
      "/voice/tts-calls",
      () => JSON.stringify({ ...tts, toNumber: sms.to, customerTimezone: long() }),
      { pointer: "/customerTimezone", code: "invalid_timezone" },
    ],
    [
      "a long value for a field of two types",
      "/billing/upgrade",
      () => JSON.stringify({ merchantId: "m1", channel: "SMS", units: 5, paymentMethodId: long() }),
      { pointer: "/paymentMethodId", code: "wrong_type" },
    ],
    [
      "a long number",
      "/billing/upgrade",
      () => `{"merchantId":"m1","channel":"SMS","units":1${"0".repeat(2_000_000)}}`,
      { pointer: "/units", code: "wrong_type" },
    ],
    [
      "a long fraction",
      "/billing/upgrade",
      () => `{"merchantId":"m1","channel":"SMS","units":1.${"0".repeat(2_000_000)}1}`,
      { pointer: "/units", code: "wrong_type" },
    ],
    [
      "fractions that a double rounds off",
      "/voice/tts-calls",
      () => `${ttsOpen},"toNumbers":[0${",1.00000000000000000001".repeat(9_000)}]}`,
      { pointer: "/toNumbers/0", code: "wrong_type" },
    ],
    [
      "fractions that a double rounds off, under a long name",
      "/messages/sms",
      () => `{"${long(1_700_000)}":[0${",9007199254740991.4".repeat(2_000)}]}`,
      { pointer: expect.stringMatching(/^\/a{199}…$/), code: "unknown_field" },
    ],
    [
      "a fraction that a double rounds off, behind thousands in an unknown field",
      "/billing/upgrade",
      () => `{"x":[0${",1.00000000000000000001".repeat(9_000)}],"units":1.00000000000000000001}`,
      { pointer: "/units", code: "wrong_type" },
    ],
    [
      "control characters",
      "/voice/tts-calls",
      () =>
        `${ttsOpen},"toNumbers":[${Array(9_999)
          .fill(`"${"\\u0007".repeat(16)}"`)
          .join()}]}`,
      { pointer: "/toNumbers/0", code: "invalid_phone_number" },
    ],
    [
      "lone surrogates",
      "/messages/sms",
      () => fill('{"merchantId":"m1","type":"OTP","to":"', () => "\\ud800", '","message":"a"}'),
      { pointer: "/to", code: "invalid_characters" },
    ],
    [
      "bytes after the JSON",
      "/messages/sms",
      () => `${JSON.stringify(sms)}${"]".repeat(2_000_000)}`,
      { pointer: "", code: "" },
    ],
  ];

  it.each(cases)("with %s gets a short reply with its faults", async (_case, path, body, fault) => {
    const told = await post(path, body());
    expect(told.status).toBe(400);
    expect(told.bytes).toBeLessThanOrEqual(LARGEST_REPLY_BYTES);
    if (fault.code !== "") expect(told.errors).toContainEqual(expect.objectContaining(fault));
  });
});

describe("faults", () => {
  it("are listed up to 100, and further ones counted", async () => {
    const unknown = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`x${index}`, 0]));
    const told = await post("/messages/sms", { ...sms, ...unknown });
    expect([told.errors.length, told.moreFaults, told.bytes < LARGEST_REPLY_BYTES]).toEqual([100, 50, true]);
    expect(await post("/messages/sms", { ...sms, x: 0 })).not.toHaveProperty("moreFaults");
  });

  it("of 10 000 phone numbers are counted", async () => {
    const toNumbers = Array.from({ length: 10_000 }, (_, index) => `+1202555${String(index).padStart(4, "0")}0`);
    const told = await post("/voice/tts-calls", { ...tts, toNumbers });
    expect([told.status, told.code, told.errors.length, told.moreFaults]).toEqual([
      400,
      "invalid_phone_number",
      100,
      9_900,
    ]);
    expect(told.errors.at(-1)?.pointer).toBe("/toNumbers/99");
  });

  it("of many short items are also listed for a short body with escapes in its text", async () => {
    const toNumbers = Array(600).fill("+120255501001");
    const body = JSON.stringify({ ...tts, toNumbers }).replace("Hello", "\\ud83d\\ude00");
    expect(body.length).toBeLessThan(16 * 1024);
    const told = await post("/voice/tts-calls", body);
    expect([told.code, told.errors.length, told.moreFaults]).toEqual(["invalid_phone_number", 100, 500]);
  });

  it("of different codes in a long array give the reply the code validation_error, even far down the array", async () => {
    const toNumbers = [...Array(5_000).fill("+120255501001"), 0];
    const told = await post("/voice/tts-calls", { ...tts, toNumbers });
    expect([told.code, told.errors.length, told.moreFaults]).toEqual(["validation_error", 100, 4_901]);
  });

  it("of items that are too long or have lone surrogates point to their position in the list", async () => {
    const toNumbers = [...Array(600).fill("+12025550100"), `+${"1".repeat(500)}`, "\ud800"];
    const told = await post("/voice/tts-calls", JSON.stringify({ ...tts, toNumbers, x: long(16_000) }));
    expect(told.errors.map(({ pointer, code }) => `${pointer} ${code}`).sort()).toEqual([
      "/toNumbers/600 invalid_phone_number",
      "/toNumbers/601 invalid_characters",
      "/x unknown_field",
    ]);
  });

  it("of a long body are all listed in one reply", async () => {
    const toNumbers = [...Array(10_001).fill("+12025550100")];
    const told = await post("/voice/tts-calls", { messageText: long(5_000), useCase: "", x: long(20_000), toNumbers });
    expect(told.errors.map(({ pointer, code }) => `${pointer} ${code}`).sort()).toEqual([
      "/merchantId required",
      "/messageText too_long",
      "/toNumbers too_many",
      "/useCase too_short",
      "/x unknown_field",
    ]);
  });

  it("of each number in a batch are listed up to 100", async () => {
    const toNumbers = Array.from({ length: 1_000 }, (_, index) => `+1202555${String(index).padStart(4, "0")}`);
    const told = await post("/voice/tts-calls", { ...tts, useCase: "MARKETING", toNumbers });
    expect([told.status, told.code, told.errors.length, told.moreFaults]).toEqual([
      422,
      "all_recipients_refused",
      100,
      900,
    ]);
  });
});

describe("a batch of 10 000 numbers", () => {
  it("is accepted as it was sent, with the defaults of omitted fields", async () => {
    await service.call("POST", "/api/v1/merchants", {
      body: { merchantId: "m3", displayName: "Third", voiceMinutesLimit: 100_000 },
    });
    const toNumbers = Array.from({ length: 10_000 }, (_, index) => `+1202555${String(index).padStart(4, "0")}`);
    const told = await post("/voice/tts-calls", { ...tts, merchantId: "m3", toNumbers });
    expect(told).toMatchObject({ status: 200, totalCalls: 10_000, language: "en-US", voiceProfile: "default" });
  });
});
