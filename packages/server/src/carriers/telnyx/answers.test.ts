import { describe, expect, it } from "vitest";
import { readAnswer, readEvent, readMessage, readStatus } from "./answers.ts";

const read = (status: number, body: object | string, headers = {}, attempts = 0) =>
  readAnswer({ status, headers, body: typeof body === "string" ? body : JSON.stringify(body) }, attempts);
const errors = (code: string, title = "No") => ({ errors: [{ code, title }] });

describe("readAnswer()", () => {
  it("takes an accepted message's id", () => {
    expect(read(200, { data: { id: "a1" } })).toEqual({ outcome: "taken", providerMessageId: "a1" });
  });

  it.each([
    [200, "not JSON"],
    [200, { data: {} }],
    [200, { data: { id: null } }],
    [500, errors("10007")],
    [503, ""],
  ])("proves nothing with the status %j and the body %j", (status, body) => {
    expect(read(status, body)).toBeUndefined();
  });

  it.each([
    ["40012", "UNKNOWN_HANDSET"],
    ["40310", "UNKNOWN_HANDSET"],
    ["40001", "UNREACHABLE"],
    ["40010", "UNREGISTERED_SENDER"],
  ])("refuses the message with the code %s for the reason %s", (code, reason) => {
    const refused = { outcome: "refused", reason, isOptOut: false, detail: `${code}: No` };
    expect(read(400, errors(code))).toEqual(refused);
  });

  it("tells a recipient who opted out from a fault with the same code, whatever the status", () => {
    const stopped = errors("40300", "Blocked due to STOP message");
    const refused = { outcome: "refused", reason: "OPTED_OUT", isOptOut: true };
    for (const status of [400, 403, 409]) expect(read(status, stopped)).toMatchObject(refused);
    expect(read(400, errors("40300", "The from number is not assigned"))).toMatchObject({ outcome: "failed" });
  });

  it("puts the message off while there are too many requests, as long as Telnyx says", () => {
    const put = { outcome: "deferred", detail: "10011: Too many requests" };
    expect(read(429, errors("10011", "Too many requests"))).toEqual({ ...put, retryAfterMs: 1_000 });
    expect(read(429, errors("10011", "Too many requests"), { "retry-after": "9" })).toEqual({
      ...{ ...put, retryAfterMs: 9_000 },
    });
    expect(read(400, errors("40318", "Message queue full"))).toMatchObject({
      outcome: "deferred",
      retryAfterMs: 1_000,
    });
  });

  it.each([
    [401, "10009"],
    [402, "20100"],
    [403, "10010"],
    [400, "20100"],
  ])("makes messages wait while the account is refused with the status %d and the code %s", (status, code) => {
    expect(read(status, errors(code))).toMatchObject({ outcome: "deferred", isUnreached: true });
  });

  it("counts other refusals as faults of the account", () => {
    const failed = { outcome: "failed", detail: "40305: Invalid 'from' address" };
    expect(read(400, errors("40305", "Invalid 'from' address"))).toEqual(failed);
  });

  it.each([302, 400, 404, 407, 408])("lets all messages wait while a proxy answers with %d", (status) => {
    expect(read(status, "<html>")).toEqual({
      ...{ outcome: "deferred", retryAfterMs: 1_000, detail: `HTTP status ${status}`, isUnreached: true },
    });
  });
});

describe("readStatus()", () => {
  const message = (status: string, code?: string, lineType = "Wireless") =>
    readMessage({
      ...{ id: "a1", to: [{ phone_number: "+1", status, line_type: lineType }] },
      errors: code === undefined ? [] : [{ code, title: "No" }],
    });

  it.each(["queued", "sending", "sent", "delivery_unconfirmed"])("has no end for %s", (status) => {
    expect(readStatus(message(status))).toEqual({ status: "SENT", reason: null });
  });

  it("knows what was delivered", () => {
    expect(readStatus(message("delivered"))).toEqual({ status: "DELIVERED", reason: null });
  });

  it.each([
    ["delivery_failed", "40012", "UNDELIVERED", "UNKNOWN_HANDSET"],
    ["delivery_failed", "40002", "UNDELIVERED", "CARRIER_FILTERED"],
    ["delivery_failed", "40001", "UNDELIVERED", "UNREACHABLE"],
    ["delivery_failed", "40008", "UNDELIVERED", "CARRIER_UNKNOWN"],
    ["sending_failed", "40010", "UNDELIVERED", "UNREGISTERED_SENDER"],
    ["delivery_failed", "40005", "EXPIRED", "TTL_EXPIRED"],
    ["expired", undefined, "EXPIRED", "TTL_EXPIRED"],
    ["sending_failed", undefined, "UNDELIVERED", "CARRIER_UNKNOWN"],
  ])("reads %s with the code %s as %s, %s", (status, code, reported, reason) => {
    expect(readStatus(message(status, code))).toMatchObject({ status: reported, reason, detail: expect.any(String) });
  });

  it("knows a landline by its type of line", () => {
    expect(readStatus(message("delivery_failed", "40001", "Wireline"))).toMatchObject({ reason: "LANDLINE" });
  });

  it.each(["", "webhook_delivered", "DELIVERED"])("reports nothing of the status %j", (status) => {
    expect(readStatus(message(status))).toBeUndefined();
  });
});

it("reads no event from another body", () => {
  for (const body of ["", "[]", "null", '"x"', '{"data":null}', '{"data":{"event_type":7}}', "{"]) {
    expect(readEvent(body)).toBeUndefined();
  }
  expect(readEvent('{"data":{"event_type":"message.sent"}}')).toMatchObject({ message: { id: "", status: "" } });
});
