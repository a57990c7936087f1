import { describe, expect, it } from "vitest";
import { readAnswer, readStatus } from "./answers.ts";

const read = (status: number, body: object | string, headers = {}, attempts = 0) =>
  readAnswer({ status, headers, body: typeof body === "string" ? body : JSON.stringify(body) }, attempts);

describe("readAnswer()", () => {
  it("takes an accepted message's id", () => {
    expect(read(201, { sid: "SM1", status: "queued" })).toEqual({ outcome: "taken", providerMessageId: "SM1" });
  });

  it.each([
    [201, "not JSON"],
    [201, { status: "queued" }],
    [204, ""],
    [500, { code: 20500, message: "Internal Server Error" }],
    [503, ""],
    [599, ""],
  ])("proves nothing with the status %j and the body %j", (status, body) => {
    expect(read(status, body)).toBeUndefined();
  });

  it.each([
    [21211, "UNKNOWN_HANDSET", false],
    [21614, "UNKNOWN_HANDSET", false],
    [13224, "INVALID_NUMBER", false],
    [21214, "UNREACHABLE", false],
    [21217, "INVALID_NUMBER", false],
    [21635, "LANDLINE", false],
    [21610, "OPTED_OUT", true],
    [21612, "CARRIER_UNKNOWN", false],
  ])("refuses the message with the code %d for the reason %s", (code, reason, isOptOut) => {
    expect(read(400, { code, message: "No" })).toEqual({ outcome: "refused", reason, isOptOut, detail: `${code}: No` });
  });

  it("counts other refusals as faults of the account", () => {
    expect(read(400, { code: 21606, message: "Not your number" })).toEqual({
      ...{ outcome: "failed", detail: "21606: Not your number" },
    });
  });

  it.each([302, 400, 404, 407, 408])("lets all messages wait while a proxy answers with %d", (status) => {
    expect(read(status, "<html>")).toEqual({
      ...{ outcome: "deferred", retryAfterMs: 1_000, detail: `HTTP status ${status}`, isUnreached: true },
    });
  });

  it("puts the message off while there are too many requests, as long as Twilio says", () => {
    const refused = { code: 20429, message: "Too many requests" };
    const put = { outcome: "deferred", detail: "20429: Too many requests" };
    expect(read(429, refused)).toEqual({ ...put, retryAfterMs: 1_000 });
    expect(read(429, refused, {}, 3)).toEqual({ ...put, retryAfterMs: 8_000 });
    expect(read(429, refused, {}, 30)).toEqual({ ...put, retryAfterMs: 300_000 });
    expect(read(429, refused, { "retry-after": "7" })).toEqual({ ...put, retryAfterMs: 7_000 });
    for (const odd of ["-1", "soon", "Sun, 29 Nov 2026 12:00:00 GMT"]) {
      expect(read(429, refused, { "retry-after": odd })).toEqual({ ...put, retryAfterMs: 1_000 });
    }
    expect(read(429, refused, { "retry-after": "86400" })).toEqual({ ...put, retryAfterMs: 300_000 });
  });

  it.each([401, 403])("lets all messages wait while the account is refused with %d", (status) => {
    expect(read(status, { code: 20003, message: "Authenticate" })).toMatchObject({
      ...{ outcome: "deferred", detail: "20003: Authenticate", isUnreached: true },
    });
  });
});

describe("readStatus()", () => {
  it.each(["accepted", "scheduled", "queued", "sending", "sent"])(
    "reads %j as a proof that Twilio has it",
    (status) => {
      expect(readStatus(status, 0)).toEqual({ status: "SENT", reason: null });
    },
  );

  it.each([
    ["delivered", 0, { status: "DELIVERED", reason: null }],
    ["undelivered", 30003, { status: "UNDELIVERED", reason: "UNREACHABLE", detail: "Twilio's error 30003" }],
    ["undelivered", 30005, { status: "UNDELIVERED", reason: "UNKNOWN_HANDSET", detail: "Twilio's error 30005" }],
    ["undelivered", 30034, { status: "UNDELIVERED", reason: "UNREGISTERED_SENDER", detail: "Twilio's error 30034" }],
    ["failed", 30036, { status: "EXPIRED", reason: "TTL_EXPIRED", detail: "Twilio's error 30036" }],
    ["failed", 30999, { status: "UNDELIVERED", reason: "CARRIER_UNKNOWN", detail: "Twilio's error 30999" }],
    ["canceled", 0, { status: "UNDELIVERED", reason: "CARRIER_UNKNOWN", detail: "Twilio's status is canceled" }],
  ])("reads %j with the code %d", (status, code, report) => {
    expect(readStatus(status, code)).toEqual(report);
  });

  it.each(["receiving", "received", "", "constructor"])("ignores %j", (status) => {
    expect(readStatus(status, 0)).toBeUndefined();
  });
});
