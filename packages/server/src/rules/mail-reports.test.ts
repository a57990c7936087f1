import { describe, expect, it } from "vitest";
import { readDeliveryStatus, readFeedback } from "./mail-reports.ts";

const lines = (...texts: string[]) => texts.join("\r\n");
const aboutAll = [
  "Reporting-MTA: dns; mx.acme.example",
  "Original-Envelope-Id: msg_1",
  "Arrival-Date: Thu, 26 Nov 2026 10:00:00 +0000",
];
const report = (...fields: string[]) => readDeliveryStatus(lines(...aboutAll, "", ...fields, ""));

describe("a report of delivery", () => {
  it.each([
    ["5.1.1", "UNREACHABLE"],
    ["5.2.2", "UNREACHABLE"],
    ["5.7.1", "BLOCKED"],
    ["4.4.7", "UNREACHABLE"],
    ["nonsense", "UNREACHABLE"],
  ])("failed with %s: %s", (status, reason) => {
    expect(report("Final-Recipient: rfc822; ada@example.com", "Action: failed", `Status: ${status}`)).toEqual({
      kind: "undelivered",
      reason,
      detail: status,
    });
  });

  it("has the words of the server that refused, without what kind they are of, on one line", () => {
    expect(
      report(
        "Final-Recipient: rfc822; ada@example.com",
        "Action: failed",
        "Status: 5.1.1 (bad destination mailbox address)",
        "Remote-MTA: dns; mx.example.com",
        "Diagnostic-Code: smtp; 550 5.1.1 <ada@example.com>: user",
        "    unknown",
      ),
    ).toEqual({ kind: "undelivered", reason: "UNREACHABLE", detail: "550 5.1.1 <ada@example.com>: user unknown" });
  });

  it.each([
    ["delivered", "delivered"],
    ["Delivered (to mailbox)", "delivered"],
    ["relayed", "relayed"],
    ["Expanded", "relayed"],
  ])("%s is %s", (action, kind) => {
    expect(report(`Action: ${action}`, "Status: 2.0.0")).toEqual({ kind, detail: "2.0.0" });
  });

  it("of one passed on and another that failed is of the failure", () => {
    const groups = ["Action: expanded", "Status: 2.0.0", "", "Action: failed", "Status: 5.1.1"];
    expect(report(...groups)).toMatchObject({ kind: "undelivered" });
  });

  it("of a delay says nothing yet", () => {
    expect(report("Action: delayed", "Status: 4.4.1")).toBeUndefined();
  });

  it("is of the first recipient that it decides about", () => {
    const text = lines(...aboutAll, "", "Action: delayed", "Status: 4.0.0", "", "ACTION:failed", "STATUS:5.7.26", "");
    expect(readDeliveryStatus(text)).toMatchObject({ kind: "undelivered", reason: "BLOCKED" });
    expect(readDeliveryStatus(text.replaceAll("\r\n", "\n"))).toMatchObject({ kind: "undelivered" });
  });

  it.each(["", "\r\n\r\n", ":", "Action", "Action:", "Action: exploded", "\0".repeat(9)])("%j says nothing", (text) => {
    expect(readDeliveryStatus(text)).toBeUndefined();
  });
});

describe("a complaint", () => {
  it.each(["abuse", "Fraud", "opt-out"])("of %s counts", (type) => {
    expect(readFeedback(lines(`Feedback-Type: ${type}`, "User-Agent: x/1", "Version: 1"))).toEqual({
      kind: "complaint",
    });
  });

  it.each(["not-spam", "auth-failure", "virus", ""])("of %j does not", (type) => {
    expect(readFeedback(lines(`Feedback-Type: ${type}`, "Version: 1"))).toBeUndefined();
  });
});
