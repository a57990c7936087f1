import { type ProblemEntry, problems } from "@msgctl/contract";
import { describe, expect, it } from "vitest";
import {
  ApiError,
  AuthenticationError,
  ConflictError,
  ConsentError,
  IdempotencyError,
  MessagingError,
  NotFoundError,
  PermissionError,
  QuotaExceededError,
  RateLimitError,
  ServerError,
  ValidationError,
} from "./errors.ts";
import { answered, problem } from "./testing/answering.ts";

/** The error that a caller gets for a reply. */
async function errorFor(reply: Response): Promise<ApiError> {
  const { client } = answered(() => reply);
  const outcome = await client.merchants.get("m1").safe();
  if (outcome.ok || !(outcome.error instanceof ApiError)) throw new Error("The reply made no ApiError.");
  return outcome.error;
}

describe("the class of an error", () => {
  it.each([
    [400, "validation_error", ValidationError],
    [400, "invalid_phone_number", ValidationError],
    [400, "idempotency_key_invalid", IdempotencyError],
    [401, "credentials_revoked", AuthenticationError],
    [402, "quota_exceeded", QuotaExceededError],
    [403, "merchant_inactive", PermissionError],
    [404, "merchant_not_found", NotFoundError],
    [405, "method_not_allowed", ApiError],
    [408, "request_timeout", ApiError],
    [409, "illegal_transition", ConflictError],
    [409, "idempotency_in_progress", IdempotencyError],
    [413, "payload_too_large", ValidationError],
    [415, "unsupported_media_type", ValidationError],
    [431, "headers_too_large", ValidationError],
    [422, "consent_required", ConsentError],
    [422, "consent_opted_out", ConsentError],
    [422, "idempotency_key_reused", IdempotencyError],
    [422, "reply_not_supported", ValidationError],
    [429, "rate_limited", RateLimitError],
    [500, "internal_error", ServerError],
    [503, "unavailable", ServerError],
    [418, "code_of_a_newer_service", ApiError],
    [599, "code_of_a_newer_service", ServerError],
  ])("says what a caller can do after %i %s", async (status, code, kind) => {
    const error = await errorFor(problem(status, code));
    expect(error.constructor).toBe(kind);
    expect(error).toBeInstanceOf(MessagingError);
    expect(error).toMatchObject({ status, code, name: kind.name });
  });

  it("exists for every documented code", async () => {
    for (const [code, { status }] of Object.entries<ProblemEntry>(problems)) {
      const error = await errorFor(problem(status, code));
      const isUnacted = status === 405 || status === 406 || status === 408;
      expect.soft(error.constructor === ApiError, `${status} ${code}`).toBe(isUnacted);
    }
  });
});

it("an error has every field of the problem", async () => {
  const errors = [{ pointer: "/to", code: "invalid_phone_number", detail: "Write it in E.164." }];
  const error = await errorFor(
    problem(400, "validation_error", { detail: "1 fault.", errors, requestId: "body-id" }, { "x-request-id": "req-1" }),
  );
  expect(error.message).toBe("1 fault. /to: Write it in E.164. (validation_error, HTTP 400, request req-1)");
  expect(error.stack).toContain("ValidationError: 1 fault.");
  expect(error).toMatchObject({ errors, requestId: "req-1", attempts: 1 });
  expect(error.body).toMatchObject({ title: "validation_error", errors });
});

it("an error has the idempotency key of the write", async () => {
  const { client } = answered(() => problem(503, "unavailable"));
  const presence = { sipUsername: "u1", registered: true };
  await expect(client.provisioning.presence(presence, { idempotencyKey: "k1" })).rejects.toMatchObject({
    idempotencyKey: "k1",
  });
});

describe("a reply that is not the service's", () => {
  const html = { headers: { "content-type": "text/html" } };
  it.each([
    ["HTML", new Response("<h1>Bad gateway</h1>", { status: 502, ...html }), "<h1>Bad gateway</h1>"],
    ["an empty body", new Response("", { status: 502, ...html }), undefined],
    ["no body", new Response(null, { status: 502, headers: { "content-length": "0" } }), undefined],
    ["other JSON", Response.json({ code: 7, message: "no", errors: "none" }, { status: 502 }), { message: "no" }],
    ["a JSON null", Response.json(null, { status: 502 }), undefined],
    ["truncated JSON", new Response('{"code":"unav', { status: 502 }), '{"code":"unav'],
  ])("%s", async (_, reply, body) => {
    const error = await errorFor(reply);
    expect(error).toBeInstanceOf(ServerError);
    expect(error.message).toContain("not one of the service's own");
    expect(error.code).toBeUndefined();
    expect(error.errors).toEqual([]);
    if (typeof body === "object") expect(error.body).toMatchObject(body);
    else expect(error.body).toBe(body);
  });
});

it("an error says how long the service asks to wait", async () => {
  const error = await errorFor(problem(429, "rate_limited", {}, { "retry-after": "3" }));
  expect(error.retryAfterMs).toBe(3000);
});

describe("the message about refused fields", () => {
  const fault = (pointer: string, detail = "Expected a number.") => ({ pointer, code: "wrong_type", detail });
  const messageFor = async (errors: unknown) =>
    (await errorFor(problem(400, "validation_error", { detail: "The request has faults: see errors.", errors })))
      .message;

  it("names each field with its fault", async () => {
    expect(await messageFor([fault("/to", 'Received "1".'), fault("/type")])).toBe(
      'The request has faults: see errors. /to: Received "1". /type: Expected a number. (validation_error, HTTP 400)',
    );
  });

  it("has a maximum length, however many and long the fields are", async () => {
    const faults = Array.from({ length: 100 }, (_, index) => fault(`/toNumbers/${index}`, "x".repeat(10_000)));
    const message = await messageFor(faults);
    expect(message).toMatch(/\/toNumbers\/2: x+… And 97 more\. \(validation_error, HTTP 400\)$/);
    expect(message.length).toBeLessThan(700);
  });

  it.each([[[null]], [["/to"]], [{ pointer: "/to" }]])(
    "is also made from %o, which is not the service's",
    async (errors) => {
      expect(await messageFor(errors)).toContain("The request has faults: see errors.");
    },
  );
});
