// Texts and numbers that JSON can express. The server must not alter them on the way into the store or a reply.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type InMemoryService, openInMemoryService } from "../../testing/in-memory-service.ts";

let service: InMemoryService;
beforeAll(async () => {
  service = await openInMemoryService();
  await service.call("POST", "/api/v1/merchants", { body: { merchantId: "m1", displayName: "First", smsLimit: 10 } });
});
afterAll(() => service.close());

async function send(path: string, body: string, headers: Record<string, string> = {}) {
  const content = { "content-type": "application/json", ...headers };
  const reply = await service.call("POST", `/api/v1${path}`, { body, headers: content });
  return { ...reply.json(), status: reply.statusCode, text: reply.payload };
}

const sms = (message: string) => `{"merchantId":"m1","to":"+12025550100","type":"OTP","message":"${message}"}`;
const merchant = (fields: string) => `{"merchantId":"m1","displayName":"First",${fields}}`;

describe("a lone surrogate", () => {
  it.each([
    ["a text", "/messages/sms", sms("a\\ud800b"), "/message", "invalid_characters"],
    ["upper case", "/messages/sms", sms("\\uDFFF"), "/message", "invalid_characters"],
    ["two in the wrong order", "/messages/sms", sms("\\ude00\\ud83d"), "/message", "invalid_characters"],
    ["a name", "/merchants", '{"merchantId":"m1","displayName":"\\ud800"}', "/displayName", "invalid_characters"],
    ["an id", "/merchants", '{"merchantId":"\\ud800","displayName":"a"}', "/merchantId", "invalid_characters"],
    ["a known value", "/messages/sms", sms("a").replace("OTP", "\\ud800"), "/type", "invalid_characters"],
    ["a member's name", "/messages/sms", sms("a").replace("{", '{"\\ud800":1,'), "/\\ud800", "unknown_field"],
    [
      "an item",
      "/voice/tts-calls",
      '{"merchantId":"m1","messageText":"a","useCase":"OTP","toNumbers":["+12025550100","\\ud800"]}',
      "/toNumbers/1",
      "invalid_characters",
    ],
  ])("as %s is refused, with a pointer", async (_case, path, body, pointer, code) => {
    const told = await send(path, body);
    expect([told.status, told.code]).toEqual([400, "validation_error"]);
    expect(told.errors).toContainEqual(expect.objectContaining({ pointer, code }));
    expect(told.text).not.toContain("\ufffd");
    expect(told.text).not.toMatch(/(?<!\\)\\u[dD][89a-fA-F]/);
  });

  it("is not reported if both halves of a pair are escaped", async () => {
    const [first, second] = await Promise.all(
      [sms("\\ud83d\\ude00"), sms("\u{1f600}")].map((body) =>
        send("/messages/sms", body, { "idempotency-key": "pair" }),
      ),
    );
    expect([first.status, second.messageId]).toEqual([200, first.messageId]);
  });

  it.each(["%ff", "%ED%A0%80", "a%C3", "%zz"])("is refused in a query, like invalid UTF-8: %s", async (value) => {
    const reply = await service.call("GET", `/api/v1/voice/tts-calls?sourceSystem=${value}`);
    expect(reply.statusCode).toBe(400);
    expect(reply.json().errors).toEqual([
      { pointer: "/query/sourceSystem", code: "invalid_characters", detail: expect.stringContaining("Unicode") },
    ]);
  });

  it("in a parameter's name makes the parameter unknown", async () => {
    const reply = await service.call("GET", "/api/v1/voice/tts-calls?%ff=1&limit=5&sourceSystem=a%20b+c%C3%A9");
    expect(reply.json().errors).toMatchObject([{ pointer: "/query/\\udcff" }]);
  });
});

describe("a control character", () => {
  it.each([
    ["U+0000 in a text", "/messages/sms", sms("a\\u0000b"), "/message", "U+0000; received it as character 2"],
    [
      "U+0000 in a subject",
      "/messages/email",
      '{"merchantId":"m1","to":"a@b.example","type":"OTP","subject":"\\u0000","body":"a"}',
      "/subject",
      "U+0000",
    ],
    [
      "U+0000 in a name",
      "/merchants",
      '{"merchantId":"m1","displayName":"\u{1f600}\\u0000"}',
      "/displayName",
      "U+0000; received it as character 2",
    ],
    ["a line break in a name", "/merchants", '{"merchantId":"m1","displayName":"a\\nb"}', "/displayName", "U+000A"],
    [
      "U+0085 in a label",
      "/voice/tts-calls",
      '{"merchantId":"m1","messageText":"a","useCase":"OTP","toNumber":"+12025550100","campaignName":"\u0085"}',
      "/campaignName",
      "U+0085",
    ],
    [
      "U+007F in a reference",
      "/billing/upgrade",
      '{"merchantId":"m1","channel":"SMS","units":1,"referenceId":"\u007f"}',
      "/referenceId",
      "U+007F",
    ],
  ])("such as %s is refused, with a pointer", async (_case, path, body, pointer, words) => {
    const told = await send(path, body);
    expect([told.status, told.code]).toEqual([400, "validation_error"]);
    expect(told.errors).toEqual([{ pointer, code: "invalid_characters", detail: expect.stringContaining(words) }]);
  });

  it("is allowed in a message's text", async () => {
    expect(await send("/messages/sms", sms("a\\n\\tb\\u0007"))).toMatchObject({ status: 200 });
  });

  it("U+0000 is also refused in a query", async () => {
    const reply = await service.call("GET", "/api/v1/voice/tts-calls?useCase=%00");
    expect(reply.json().errors).toMatchObject([{ pointer: "/query/useCase", code: "invalid_characters" }]);
  });
});

describe("a number", () => {
  it.each([
    ["9007199254740991.4", "9007199254740991.4"],
    ["9007199254740990.6", "9007199254740990.6"],
    ["1.00000000000000000001", "1.00000000000000000001"],
    ["1e-400", "1e-400"],
    ["10000000000000000000001e-22", "10000000000000000000001e-22"],
    ["1.5", "1.5"],
    ["1e400", "a number larger than any double"],
  ])("%s is not a whole number", async (written, shown) => {
    const told = await send("/merchants", merchant(`"smsLimit":${written}`));
    expect([told.status, told.errors]).toEqual([
      400,
      [{ pointer: "/smsLimit", code: "wrong_type", detail: `Expected a whole number; received ${shown}.` }],
    ]);
  });

  it.each(["9007199254740992", "9007199254740993", "1e16", "-1", "-1.0"])("%s is out of range", async (written) => {
    const told = await send("/merchants", merchant(`"smsLimit":${written}`));
    expect([told.status, told.errors]).toMatchObject([400, [{ pointer: "/smsLimit", code: "out_of_range" }]]);
  });

  it.each([
    ["1.0", 1],
    ["1.0000000000000000000000", 1],
    ["10000000000000000000000e-22", 1],
    ["1E2", 100],
    ["-0", 0],
    ["-0.0", 0],
    ["0e-400", 0],
    ["9007199254740991", 9_007_199_254_740_991],
    ["9007199254740991.0", 9_007_199_254_740_991],
  ])("%s is a whole number", async (written, value) => {
    const told = await send("/merchants", merchant(`"smsLimit":${written}`));
    expect([told.status, told.limits?.smsLimit]).toEqual([200, value]);
  });

  it("in a field that accepts a number or a text follows the same rules", async () => {
    const body = '{"merchantId":"m1","channel":"SMS","units":1,"paymentMethodId":9007199254740991.4}';
    const told = await send("/billing/upgrade", body);
    expect([told.status, told.errors]).toMatchObject([400, [{ pointer: "/paymentMethodId", code: "wrong_type" }]]);
  });
});
