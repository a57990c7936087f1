import { inspect } from "node:util";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MessagingError, UnsafeIntegerError, UsageError } from "../errors.ts";
import { stringifyJson } from "../int64.ts";
import { signWebhook, type VerifyOptions, verifyWebhook, WebhookVerificationError } from "./index.ts";
import { signaturesOf } from "./signature.ts";

// The vector of the Standard Webhooks libraries' own tests
const vector = {
  secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
  timestamp: "1614265330",
  body: '{"test": 2432232314}',
  signature: "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
};
const another = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";
const unmatched = "v1,Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc=";
const now = 1_772_463_872_500;
const minute = 60_000;
const event = { type: "voice.none", timestamp: "2026-03-02T15:04:31.905Z", data: { requestId: "48211" } };
const encode = (text: string) => new TextEncoder().encode(text);

const signed = await signWebhook(event, vector.secret, { id: "evt_1", now });
const { "webhook-signature": signature } = signed.headers;
const verify = (options?: VerifyOptions) =>
  verifyWebhook(signed.body, signed.headers, vector.secret, { now, ...options });

async function reasonOf(verified: Promise<unknown>): Promise<string> {
  const error = await verified.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(WebhookVerificationError);
  expect(error).toBeInstanceOf(MessagingError);
  const shown = `${inspect(error, { depth: null, showHidden: true })} ${JSON.stringify(error)}`;
  for (const secret of [vector.secret, another]) expect(shown).not.toContain(secret.slice("whsec_".length));
  for (const mac of [vector.signature, signature]) expect(shown).not.toContain(mac.slice("v1,".length));
  return (error as WebhookVerificationError).reason;
}

describe("the vector of Standard Webhooks", () => {
  const { id, timestamp, body } = vector;
  const headers = { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": vector.signature };
  const then = Number(timestamp) * 1000;

  it("produces its signature", async () => {
    expect(await signaturesOf({ id, timestamp, body: encode(body) }, vector.secret)).toEqual([vector.signature]);
  });

  it("has a valid signature, but is not an event of this service", async () => {
    const verifyVector = (secret: string, given = headers) => verifyWebhook(body, given, secret, { now: then });
    expect(await reasonOf(verifyVector(vector.secret))).toBe("not_an_event");
    expect(await reasonOf(verifyVector(vector.secret.slice("whsec_".length)))).toBe("not_an_event");
    const several = [unmatched, unmatched.replace("v1,", "v2,"), vector.signature, unmatched].join(" ");
    expect(await reasonOf(verifyVector(vector.secret, { ...headers, "webhook-signature": several }))).toBe(
      "not_an_event",
    );
    expect(await reasonOf(verifyVector(vector.secret, { ...headers, "webhook-signature": unmatched }))).toBe(
      "no_matching_signature",
    );
  });
});

describe("a signed callback", () => {
  it("returns its event with its id", async () => {
    expect(await verify()).toEqual({ id: "evt_1", ...event });
  });

  it("has the current time and a new id by default", async () => {
    const first = await signWebhook({ type: "voice.none", data: null }, vector.secret);
    const second = await signWebhook({ type: "voice.none", data: null }, vector.secret);
    expect(first.headers["webhook-id"]).toMatch(/^evt_[0-9a-f]{32}$/);
    expect(second.headers["webhook-id"]).not.toBe(first.headers["webhook-id"]);
    const verified = await verifyWebhook(first.body, first.headers, vector.secret);
    expect(Math.floor(Date.parse(verified.timestamp) / 1000)).toBe(Number(first.headers["webhook-timestamp"]));
  });

  it("keeps whole numbers exact that a double would round", async () => {
    const data = { callSessionId: 9_223_372_036_854_775_807n, small: 7 };
    const { body, headers } = await signWebhook({ type: "voice.none", data }, vector.secret, { now });
    expect(body).toContain('"callSessionId":9223372036854775807');
    const event = await verifyWebhook(body, headers, vector.secret, { now, exactIntegers: true });
    expect(event.data).toEqual(data);
  });

  it("reports a whole number that a double would round, with the event", async () => {
    const data = { callSessionId: 9_223_372_036_854_775_807n };
    const { body, headers } = await signWebhook({ type: "voice.none", data }, vector.secret, { id: "evt_1", now });
    const error = await verifyWebhook(body, headers, vector.secret, { now }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UnsafeIntegerError);
    expect(error).toMatchObject({
      pointer: "/data/callSessionId",
      digits: "9223372036854775807",
      data: { id: "evt_1", type: "voice.none", data },
    });
    await expect(verifyWebhook(body, headers, another, { now })).rejects.toThrow(WebhookVerificationError);
  });

  it("keeps an id in its body as part of the body", async () => {
    const body = JSON.stringify({ ...event, id: "evt_other" });
    const [made = ""] = await signaturesOf(
      { id: "evt_1", timestamp: signed.headers["webhook-timestamp"], body: encode(body) },
      vector.secret,
    );
    const verified = verifyWebhook(body, { ...signed.headers, "webhook-signature": made }, vector.secret, { now });
    expect(await verified).toMatchObject({ id: "evt_1" });
  });

  const { buffer } = encode(signed.body);
  it.each<[string, Parameters<typeof verifyWebhook>[0]]>([
    ["text", signed.body],
    ["an ArrayBuffer", buffer],
    [
      "an ArrayBuffer of another realm",
      runInNewContext("Uint8Array.from(bytes).buffer", { bytes: encode(signed.body) }),
    ],
    ["a DataView", new DataView(buffer)],
    ["bytes", encode(signed.body)],
    ["a Buffer that is part of a larger one", Buffer.from(`..${signed.body}..`).subarray(2, -2)],
  ])("may be given as %s", async (_, body) => {
    expect(await verifyWebhook(body, signed.headers, vector.secret, { now })).toMatchObject(event);
  });

  const shouted = Object.entries(signed.headers).map(([name, value]) => [name.toUpperCase(), value] as const);
  it.each<[string, Parameters<typeof verifyWebhook>[1]]>([
    ["of fetch", new Headers(signed.headers)],
    ["in upper case", Object.fromEntries(shouted)],
    ["as lists", Object.fromEntries(shouted.map(([name, value]) => [name, [value]]))],
    ["with a list of signatures", { ...signed.headers, "webhook-signature": [signature, unmatched] }],
    ["with signatures that a proxy joined", { ...signed.headers, "webhook-signature": `${signature}, ${unmatched}` }],
    ["beside undefined ones", { ...signed.headers, cookie: undefined }],
  ])("has headers %s", async (_, headers) => {
    expect(await verifyWebhook(signed.body, headers, vector.secret, { now })).toMatchObject({ id: "evt_1" });
  });

  it.each<[string, string | string[]]>([
    ["without its prefix", vector.secret.slice("whsec_".length)],
    ["with the line end of a file", `${vector.secret}\n`],
    ["that is the first of two", [vector.secret, another]],
    ["that is the second of two", [another, vector.secret]],
  ])("is verified with a secret %s", async (_, secrets) => {
    expect(await verifyWebhook(signed.body, signed.headers, secrets, { now })).toMatchObject({ id: "evt_1" });
  });

  it("is verified with either of two secrets", async () => {
    const both = await signWebhook(event, [another, vector.secret], { now });
    for (const secret of [another, vector.secret]) {
      expect(await verifyWebhook(both.body, both.headers, secret, { now })).toMatchObject(event);
    }
  });
});

describe("a callback's age", () => {
  it.each<[string, number, VerifyOptions, string | undefined]>([
    ["may be 5 minutes", 5 * minute, {}, undefined],
    ["may not be 5 minutes and a second", 5 * minute + 1000, {}, "too_old"],
    ["may be minus 5 minutes", -5 * minute, {}, undefined],
    ["may not be minus 5 minutes and a second", -5 * minute - 1000, {}, "too_new"],
    ["may not be a minute if half a minute is tolerated", minute, { toleranceMs: 30_000 }, "too_old"],
    ["may be 0 if nothing is tolerated", 0, { toleranceMs: 0 }, undefined],
    ["may be many years if any age is tolerated", 1e12, { toleranceMs: Number.POSITIVE_INFINITY }, undefined],
  ])("%s", async (_, ageMs, options, reason) => {
    const verified = verify({ now: now + ageMs, ...options });
    if (reason === undefined) expect(await verified).toMatchObject({ id: "evt_1" });
    else expect(await reasonOf(verified)).toBe(reason);
  });

  it.each<VerifyOptions>([{ toleranceMs: Number.NaN }, { toleranceMs: -1 }, { now: Number.NaN }])(
    "is always checked: the options %o are refused",
    async (options) => {
      await expect(verify(options)).rejects.toThrow(UsageError);
    },
  );
});

describe("a callback is refused", () => {
  it.each<[string, Record<string, string | undefined>, string]>([
    ["another id", { "webhook-id": "evt_2" }, "no_matching_signature"],
    ["another second", { "webhook-timestamp": "1772463871" }, "no_matching_signature"],
    ["no id", { "webhook-id": undefined }, "missing_header"],
    ["no time", { "webhook-timestamp": undefined }, "missing_header"],
    ["no signature", { "webhook-signature": undefined }, "missing_header"],
    ["an empty signature header", { "webhook-signature": "" }, "missing_header"],
    ["a time in words", { "webhook-timestamp": "hello" }, "bad_timestamp"],
    ["a time with a fraction", { "webhook-timestamp": "1772463872.5" }, "bad_timestamp"],
    ["a negative time", { "webhook-timestamp": "-1" }, "bad_timestamp"],
    ["a time with too many digits", { "webhook-timestamp": "9".repeat(400) }, "bad_timestamp"],
    ["an empty signature", { "webhook-signature": "v1," }, "no_matching_signature"],
    ["a part of the signature", { "webhook-signature": signature.slice(0, 12) }, "no_matching_signature"],
    ["a signature with an extra character", { "webhook-signature": `${signature}A` }, "no_matching_signature"],
    [
      "a signature of another version",
      { "webhook-signature": signature.replace("v1,", "v2,") },
      "no_matching_signature",
    ],
    [
      "a signature of the asymmetric version",
      { "webhook-signature": signature.replace("v1,", "v1a,") },
      "no_matching_signature",
    ],
    ["a signature without a version", { "webhook-signature": signature.replace("v1,", "") }, "no_matching_signature"],
    ["a signature that is not base64", { "webhook-signature": "v1,%%%%" }, "no_matching_signature"],
    ["a signature without its padding", { "webhook-signature": signature.replace("=", "") }, "no_matching_signature"],
  ])("with %s", async (_, headers, reason) => {
    const verified = verifyWebhook(signed.body, { ...signed.headers, ...headers }, vector.secret, { now });
    expect(await reasonOf(verified)).toBe(reason);
  });

  it.each<[string, string]>([
    ["a changed body", signed.body.replace("48211", "48212")],
    ["a body that was serialized again", JSON.stringify(JSON.parse(signed.body), null, 1)],
    ["an empty body", ""],
  ])("with %s", async (_, body) => {
    expect(await reasonOf(verifyWebhook(body, signed.headers, vector.secret, { now }))).toBe("no_matching_signature");
  });

  it("with another secret", async () => {
    expect(await reasonOf(verifyWebhook(signed.body, signed.headers, another, { now }))).toBe("no_matching_signature");
  });

  it.each<[string, unknown]>([
    ["an object", JSON.parse(signed.body)],
    ["a list", []],
    ["nothing", undefined],
    ["null", null],
  ])("with %s as its body, and the error says how to get the raw body", async (_, body) => {
    const verified = verifyWebhook(body as string, signed.headers, vector.secret, { now });
    expect(await reasonOf(verified)).toBe("body_not_raw");
    await expect(verified).rejects.toThrow(/express\.raw.*parseAs: "buffer".*request\.text\(\)/);
  });

  const base64 = Buffer.from(signed.body).toString("base64");
  it.each([base64, encode(base64)])("that is still base64, as AWS Lambda gives it", async (body) => {
    const verified = verifyWebhook(body, signed.headers, vector.secret, { now });
    expect(await reasonOf(verified)).toBe("body_not_raw");
    await expect(verified).rejects.toThrow('event.isBase64Encoded ? Buffer.from(event.body, "base64") : event.body');
  });

  it.each([undefined, null, "webhook-id: evt_1"])("if the receiver passes %o as its headers", async (headers) => {
    const verified = verifyWebhook(signed.body, headers as never, vector.secret, { now });
    await expect(verified).rejects.toThrow(UsageError);
    await expect(verified).rejects.toThrow(
      /headers is .*It must be the headers of the request, such as request\.headers/,
    );
  });

  it.each<[string, string | Uint8Array, string]>([
    ["text that is not JSON", "+12025550100 was called", "not_json"],
    ["bytes that are not UTF-8", Uint8Array.of(0x22, 0xff, 0x22), "not_json"],
    ["null", "null", "not_an_event"],
    ["an event without a type", '{"timestamp":"2026-03-02T15:04:31.905Z","data":{}}', "not_an_event"],
    ["an event without a time", '{"type":"voice.none","data":{}}', "not_an_event"],
    ["an event without data", '{"type":"voice.none","timestamp":"2026-03-02T15:04:31.905Z"}', "not_an_event"],
  ])("that contains %s, and the error does not quote it", async (_, body, reason) => {
    const bytes = typeof body === "string" ? encode(body) : body;
    const { "webhook-id": id, "webhook-timestamp": timestamp } = signed.headers;
    const [made = ""] = await signaturesOf({ id, timestamp, body: bytes }, vector.secret);
    const verified = verifyWebhook(body, { ...signed.headers, "webhook-signature": made }, vector.secret, { now });
    expect(await reasonOf(verified)).toBe(reason);
    await expect(verified).rejects.not.toThrow("2025550100");
  });
});

describe("a secret", () => {
  it.each<[string, unknown]>([
    ["that is empty", ""],
    ["that is only its prefix", "whsec_"],
    ["that is absent", undefined],
    ["that is not base64", "whsec_not+base64!"],
    ["with a length that is impossible in base64", "whsec_AAAAA"],
    ["of 23 bytes", `whsec_${Buffer.alloc(23, 1).toString("base64")}`],
    ["in a list with a short one", [vector.secret, "whsec_AAAA"]],
    ["in an empty list", []],
    ["in a list with an invalid one", [vector.secret, "whsec_not+base64!"]],
  ])("%s is reported as a mistake of the receiver, and the error does not show it", async (_, secret) => {
    const secrets = secret as string;
    for (const made of [
      verifyWebhook(signed.body, signed.headers, secrets, { now }),
      signWebhook(event, secrets, { now }),
    ]) {
      await expect(made).rejects.toThrow(UsageError);
      await expect(made).rejects.not.toThrow(/not\+base64!|AAAAA|MfKQ9r8/);
    }
  });
});

describe("for any event", () => {
  const events = fc.record({
    type: fc.string({ unit: "grapheme", minLength: 1 }),
    timestamp: fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    data: fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n - 1n })),
  });
  const keys = fc.uint8Array({ minLength: 24, maxLength: 64 }).map((key) => Buffer.from(key).toString("base64"));
  const ids = fc.stringMatching(/^evt_[0-9a-f]{1,32}$/);

  it("verifies signed callbacks, unchanged", async () => {
    await fc.assert(
      fc.asyncProperty(events, keys, ids, fc.nat({ max: 2 ** 45 }), async (given, secret, id, moment) => {
        const { body, headers } = await signWebhook(given, secret, { id, now: moment });
        const verified = await verifyWebhook(body, headers, `whsec_${secret}`, { now: moment, exactIntegers: true });
        expect(verified).toMatchObject({ id, type: given.type, timestamp: given.timestamp });
        // as text: a double of 2^53 or more is a bigint when it is parsed again
        expect(stringifyJson(verified.data)).toBe(stringifyJson(given.data));
      }),
      { numRuns: 1000 },
    );
  });

  it("is refused if a byte is changed, in the body or a header", async () => {
    const places = ["body", "webhook-id", "webhook-timestamp", "webhook-signature"] as const;
    await fc.assert(
      fc.asyncProperty(
        ...[events, keys, ids, fc.constantFrom(...places), fc.nat(), fc.integer({ min: 1, max: 127 })],
        async (given, secret, id, place, at, change) => {
          const { body, headers } = await signWebhook(given, secret, { id, now });
          const bytes = Buffer.from(place === "body" ? body : headers[place]);
          const index = at % bytes.length;
          bytes[index] = (bytes[index] ?? 0) ^ change;
          const verified =
            place === "body"
              ? verifyWebhook(bytes, headers, secret, { now })
              : verifyWebhook(body, { ...headers, [place]: bytes.toString("latin1") }, secret, { now });
          await expect(verified).rejects.toThrow(WebhookVerificationError);
        },
      ),
      { numRuns: 1000 },
    );
  });
});
