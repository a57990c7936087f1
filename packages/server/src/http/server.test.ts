import { randomInt } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeApiKey } from "../domain/tenancy/credentials.ts";
import { type InMemoryService, openInMemoryService } from "../testing/in-memory-service.ts";

const sms = { merchantId: "m1", to: "+12025550100", message: "Hello", type: "OTP" };
const json = { "content-type": "application/json" };

let service: InMemoryService;
beforeAll(async () => {
  service = await openInMemoryService();
  await service.call("POST", "/api/v1/merchants", { body: { merchantId: "m1", displayName: "First", smsLimit: 10 } });
});
afterAll(() => service.close());

describe("refusals before a body is read", () => {
  const { stringify } = JSON;
  const cases: [string, number, string, Parameters<InMemoryService["call"]>][] = [
    ["an unknown path", 404, "route_not_found", ["GET", "/api/v1/nothing"]],
    ["a path outside of the contract", 404, "route_not_found", ["GET", "/"]],
    ["a broken escape in the path", 404, "route_not_found", ["GET", "/api/v1/merchants/%zz"]],
    ["an escaped slash in an id", 400, "validation_error", ["GET", "/api/v1/merchants/a%2fb"]],
    ["another method", 405, "method_not_allowed", ["GET", "/api/v1/messages/sms"]],
    [
      "invalid JSON to an unknown path",
      404,
      "route_not_found",
      ["POST", "/api/v1/nothing", { body: "{", headers: json }],
    ],
    [
      "invalid JSON with another method",
      405,
      "method_not_allowed",
      ["POST", "/api/v1/merchants/m1", { body: "{", headers: json }],
    ],
    ["no credential", 401, "credentials_missing", ["GET", "/api/v1/merchants", { as: null }]],
    [
      "half a credential",
      401,
      "credentials_missing",
      ["GET", "/api/v1/merchants", { as: null, headers: { "x-api-key": "k" } }],
    ],
    [
      "the other half",
      401,
      "credentials_missing",
      ["GET", "/api/v1/merchants", { as: null, headers: { "x-api-secret": "s" } }],
    ],
    [
      "a reply that the caller does not accept",
      406,
      "not_acceptable",
      ["GET", "/api/v1/merchants", { headers: { accept: "text/html" } }],
    ],
    [
      "a media type other than JSON",
      415,
      "unsupported_media_type",
      ["POST", "/api/v1/messages/sms", { body: "a=b", headers: { "content-type": "text/plain" } }],
    ],
    ["invalid JSON", 400, "malformed_json", ["POST", "/api/v1/messages/sms", { body: '{"to": ', headers: json }]],
    ["no body at all", 400, "malformed_json", ["POST", "/api/v1/messages/sms", { body: "", headers: json }]],
    [
      "a body of 3 MiB",
      413,
      "payload_too_large",
      ["POST", "/api/v1/messages/sms", { body: stringify({ ...sms, message: "x".repeat(3 << 20) }), headers: json }],
    ],
    [
      "JSON in another charset",
      415,
      "unsupported_media_type",
      ["POST", "/api/v1/messages/sms", { body: "{}", headers: { "content-type": "application/json; charset=latin1" } }],
    ],
    ["an array as the body", 400, "validation_error", ["POST", "/api/v1/messages/sms", { body: "[]", headers: json }]],
    ["null as the body", 400, "validation_error", ["POST", "/api/v1/messages/sms", { body: "null", headers: json }]],
  ];

  it.each(cases)("%s: %i %s", async (_case, status, code, [method, url, request]) => {
    const reply = await service.call(method, url, request);
    expect(reply.statusCode).toBe(status);
    expect(reply.headers["content-type"]).toContain("application/problem+json");
    expect(reply.json()).toMatchObject({
      type: expect.stringContaining(code),
      title: expect.any(String),
      status,
      detail: expect.any(String),
      instance: url.split("?")[0],
      code,
      requestId: reply.headers["x-request-id"],
    });
  });

  it.each([
    ["", 200],
    ["*/*", 200],
    ["application/*;q=0.2, text/html", 200],
    ["Application/JSON ; charset=utf-8", 200],
    ["*/*;q=0.0, application/json", 200],
    ["application/json;q=0, */*", 406],
    ["application/xml, text/*", 406],
  ])("answer the Accept header %s with %i", async (accept, status) => {
    const reply = await service.call("GET", "/api/v1/merchants", { headers: { accept } });
    expect(reply.statusCode).toBe(status);
  });

  it.each(["application/json;charset=UTF-8", 'application/json; charset="utf-8"', "Application/Json"])(
    "do not include a body of type %s",
    async (type) => {
      const headers = { "content-type": type };
      const reply = await service.call("POST", "/api/v1/messages/sms", { headers, body: JSON.stringify(sms) });
      expect(reply.statusCode).toBe(200);
    },
  );

  it("name the allowed methods of a path", async () => {
    const reply = await service.call("GET", "/api/v1/billing/upgrade");
    expect(reply.headers.allow).toBe("POST");
    const removal = await service.app.inject({ method: "DELETE", url: "/api/v1/merchants" });
    expect([removal.statusCode, removal.headers.allow]).toEqual([405, "POST, GET, HEAD"]);
    const health = await service.app.inject({ method: "POST", url: "/healthz" });
    expect([health.statusCode, health.headers.allow]).toEqual([405, "GET, HEAD"]);
  });

  it("ask for a credential with the same text, whether the key or the secret is wrong", async () => {
    const other = await service.issue({ tenant: "Other" });
    const { credential } = service;
    const wrongSecret = { ...credential, apiSecret: other.apiSecret };
    const unknownKey = { ...credential, apiKey: makeApiKey("tenant", "test", randomInt) };
    const replies = await Promise.all(
      [wrongSecret, unknownKey].map((as) => service.call("GET", "/api/v1/merchants", { as })),
    );
    const problems = replies.map((reply) => ({ ...reply.json(), requestId: undefined }));
    expect(problems[0]).toEqual(problems[1]);
    expect(problems[0]).toMatchObject({ status: 401, code: "credentials_invalid" });
    expect(replies[0]?.headers["www-authenticate"]).toMatch(/^ApiKey /);
  });

  it("include a body that is not UTF-8", async () => {
    const body = Buffer.from('{"merchantId":"m1","to":"+12025550100","type":"OTP","message":"\xff"}', "latin1");
    const reply = await service.call("POST", "/api/v1/messages/sms", { body, headers: json });
    expect(reply.json()).toMatchObject({ status: 400, code: "malformed_json" });
  });
});

describe("the order of checks", () => {
  it("is as documented: if the first fault of a request is corrected, the next is reported", async () => {
    const marketing = { ...sms, merchantId: "m3", type: "MARKETING" };
    await service.call("POST", "/api/v1/merchants", { body: { merchantId: "m3", displayName: "3", active: false } });
    const other = await service.issue({ merchantId: "m1" });
    const headers: Record<string, string> = {
      accept: "text/html",
      "content-type": "text/plain",
      "idempotency-key": "é",
    };
    let [method, url, body, as]: ["GET" | "POST", string, unknown, typeof other | null] = [
      "GET",
      "/api/v1/messages/nothing",
      "x".repeat(3 << 20),
      null,
    ];
    const mend: [code: string, mend: () => unknown][] = [
      ["route_not_found", () => (url = "/api/v1/messages/sms")],
      ["method_not_allowed", () => (method = "POST")],
      ["credentials_missing", () => (as = other)],
      ["not_acceptable", () => delete headers.accept],
      ["payload_too_large", () => (body = '{"merchantId":')],
      ["unsupported_media_type", () => (headers["content-type"] = "application/json")],
      ["malformed_json", () => (body = JSON.stringify({ ...marketing, merchantId: "nobody", to: "1" }))],
      ["invalid_phone_number", () => (body = JSON.stringify({ ...marketing, merchantId: "nobody" }))],
      ["idempotency_key_invalid", () => delete headers["idempotency-key"]],
      ["merchant_scope_denied", () => (as = service.credential)],
      ["merchant_not_found", () => (body = JSON.stringify(marketing))],
      [
        "merchant_inactive",
        () => service.call("POST", "/api/v1/merchants", { body: { merchantId: "m3", displayName: "3", active: true } }),
      ],
      ["consent_required", () => (body = JSON.stringify({ ...marketing, type: "OTP" }))],
      [
        "quota_exceeded",
        () => service.call("POST", "/api/v1/merchants", { body: { merchantId: "m3", displayName: "3", smsLimit: 1 } }),
      ],
    ];
    for (const [code, step] of mend) {
      const reply = await service.call(method, url, { as, headers, body });
      expect(reply.json()).toMatchObject({ code });
      await step();
    }
    expect((await service.call(method, url, { as, headers, body })).statusCode).toBe(200);
  });
});

describe("the validation of a request", () => {
  const faultsOf = async (body: unknown, url = "/api/v1/messages/sms") => {
    const reply = await service.call("POST", url, { body: JSON.stringify(body), headers: json });
    const { status, code, errors } = reply.json();
    return {
      status,
      code,
      errors: Object.fromEntries(
        (errors ?? []).map((fault: { pointer: string; code: string }) => [fault.pointer, fault.code]),
      ),
    };
  };

  it("reports all faults of a body at once, each with its pointer", async () => {
    expect(await faultsOf({ merchantId: "m 1", to: 12025550100, type: "otp", colour: "red" })).toEqual({
      status: 400,
      code: "validation_error",
      errors: {
        "/merchantId": "wrong_pattern",
        "/to": "wrong_type",
        "/type": "not_allowed",
        "/colour": "unknown_field",
        "/message": "required",
      },
    });
  });

  it.each([
    ["+1202555010", "too short for its country"],
    ["12025550100", "without +"],
    ["+12025550100;ext=5", "with an extension"],
    ["+99912345678", "without a country"],
  ])("refuses %s (%s) as an invalid phone number", async (to) => {
    expect(await faultsOf({ ...sms, to })).toMatchObject({
      code: "invalid_phone_number",
      errors: { "/to": "invalid_phone_number" },
    });
  });

  it("distinguishes null from an omitted field", async () => {
    const merchant = { merchantId: "m2", displayName: "Second", smsLimit: null };
    expect(await faultsOf(merchant, "/api/v1/merchants")).toMatchObject({ errors: { "/smsLimit": "wrong_type" } });
  });

  it("does not coerce the values of a body", async () => {
    const merchant = { merchantId: "m2", displayName: "Second", smsLimit: "10", active: "true" };
    expect(await faultsOf(merchant, "/api/v1/merchants")).toMatchObject({
      errors: { "/smsLimit": "wrong_type", "/active": "wrong_type" },
    });
  });

  it.each(["0", "-1", "1e0", "0x1", "%201", "+1", "1.0", "9007199254740990.6", "9007199254740992", "9".repeat(400)])(
    "refuses %s as the id of a call",
    async (requestId) => {
      const reply = await service.call("GET", `/api/v1/voice/tts-calls/${requestId}`);
      expect(reply.json()).toMatchObject({ code: "validation_error", errors: [{ pointer: "/path/requestId" }] });
    },
  );

  it.each([
    ["5", 200],
    ["500", 200],
    ["501", 400],
    ["1e2", 400],
    ["", 400],
    ["5&limit=5", 400],
  ])("answers a limit of %j with %i", async (limit, status) => {
    expect((await service.call("GET", `/api/v1/voice/tts-calls?limit=${limit}`)).statusCode).toBe(status);
  });

  it("refuses an int64 that a double cannot hold", async () => {
    const body = '{"merchantId":"m2","displayName":"Second","smsLimit":9007199254740993}';
    const reply = await service.call("POST", "/api/v1/merchants", { body, headers: json });
    expect(reply.json()).toMatchObject({ status: 400, errors: [{ pointer: "/smsLimit", code: "out_of_range" }] });
  });

  it("refuses an array nested a hundred thousand levels deep, at any position", async () => {
    const deep = "[".repeat(100_000) + "]".repeat(100_000);
    for (const body of [deep, JSON.stringify(sms).replace('"OTP"', deep), `{"x":${deep}}`]) {
      const reply = await service.call("POST", "/api/v1/messages/sms", { body, headers: json });
      expect(reply.json()).toMatchObject({ status: 400, code: "validation_error" });
    }
  });

  it("reports __proto__ as an unknown field", async () => {
    const body = `{"__proto__": {"admin": true}, "constructor": 1, ${JSON.stringify(sms).slice(1)}`;
    const reply = await service.call("POST", "/api/v1/messages/sms", { body, headers: json });
    expect(reply.json().errors.map((fault: { pointer: string }) => fault.pointer)).toEqual([
      "/__proto__",
      "/constructor",
    ]);
  });

  it("checks a consent's contact by its channel", async () => {
    const consent = { merchantId: "m1", status: "OPT_IN" };
    expect(await faultsOf({ ...consent, channel: "EMAIL", contact: "+12025550100" }, "/api/v1/consents")).toMatchObject(
      {
        code: "invalid_email",
        errors: { "/contact": "invalid_email" },
      },
    );
    expect(
      await faultsOf({ ...consent, channel: "SMS", contact: "ada@example.com" }, "/api/v1/consents"),
    ).toMatchObject({
      code: "invalid_phone_number",
    });
  });

  it("reports a wrong contact before the merchant is looked up", async () => {
    const consent = { merchantId: "nobody", channel: "SMS", contact: "+1202", status: "MAYBE" };
    expect(await faultsOf(consent, "/api/v1/consents")).toEqual({
      status: 400,
      code: "validation_error",
      errors: { "/contact": "invalid_phone_number", "/status": "not_allowed" },
    });
    expect(await faultsOf({ ...consent, contact: "1" }, "/api/v1/consents")).toMatchObject({
      errors: { "/contact": "too_short" },
    });
    const as = await service.issue({ merchantId: "m1" });
    const body = { ...consent, status: "OPT_IN" };
    const reply = await service.call("POST", "/api/v1/consents", { as, body });
    expect(reply.json()).toMatchObject({ status: 400, code: "invalid_phone_number" });
  });

  it.each([["x".repeat(256)], ["naïve"], ["tab\tkey"]])("refuses the Idempotency-Key %j", async (key) => {
    const reply = await service.call("POST", "/api/v1/messages/sms", {
      body: sms,
      headers: { "idempotency-key": key },
    });
    expect(reply.json()).toMatchObject({ status: 400, code: "idempotency_key_invalid" });
  });
});
