import { describe, expect, it } from "vitest";
import { readDeliveryStatus, readFailedRecipients, readFeedback, readQmailBounce } from "./emails.ts";

const lines = (...texts: string[]) => texts.join("\r\n");
const aboutAll = [
  "Reporting-MTA: dns; mx.acme.example",
  "Original-Envelope-Id: msg_1",
  "Arrival-Date: Thu, 26 Nov 2026 10:00:00 +0000",
];
const report = (...fields: string[]) => readDeliveryStatus(lines(...aboutAll, "", ...fields, ""));

describe("a delivery report", () => {
  it.each([
    ["5.1.1", "UNREACHABLE", true],
    ["5.2.2", "UNREACHABLE", false],
    ["5.7.1", "BLOCKED", false],
    ["4.4.7", "UNREACHABLE", false],
    ["nonsense", "UNREACHABLE", false],
  ])("with status %s gives the reason %s, for good: %s", (status, reason, isPermanent) => {
    expect(report("Final-Recipient: rfc822; ada@example.com", "Action: failed", `Status: ${status}`)).toEqual({
      kind: "undelivered",
      reason,
      detail: status,
      isPermanent,
    });
  });

  it("has the refusing server's answer on one line, without its type", () => {
    expect(
      report(
        "Final-Recipient: rfc822; ada@example.com",
        "Action: failed",
        "Status: 5.1.1 (bad destination mailbox address)",
        "Remote-MTA: dns; mx.example.com",
        "Diagnostic-Code: smtp; 550 5.1.1 <ada@example.com>: user",
        "    unknown",
      ),
    ).toEqual({
      kind: "undelivered",
      reason: "UNREACHABLE",
      detail: "550 5.1.1 <ada@example.com>: user unknown",
      isPermanent: true,
    });
  });

  it.each([
    ["delivered", "delivered"],
    ["Delivered (to mailbox)", "delivered"],
    ["relayed", "relayed"],
    ["Expanded", "relayed"],
  ])("with the action %s is %s", (action, kind) => {
    expect(report(`Action: ${action}`, "Status: 2.0.0")).toEqual({ kind, detail: "2.0.0" });
  });

  it("reports the failure if one address was relayed and another failed", () => {
    const groups = ["Action: expanded", "Status: 2.0.0", "", "Action: failed", "Status: 5.1.1"];
    expect(report(...groups)).toMatchObject({ kind: "undelivered" });
  });

  it("about a delay has no outcome yet", () => {
    expect(report("Action: delayed", "Status: 4.4.1")).toBeUndefined();
  });

  it("counts for the first recipient with a final status", () => {
    const text = lines(...aboutAll, "", "Action: delayed", "Status: 4.0.0", "", "ACTION:failed", "STATUS:5.7.26", "");
    expect(readDeliveryStatus(text)).toMatchObject({ kind: "undelivered", reason: "BLOCKED" });
    expect(readDeliveryStatus(text.replaceAll("\r\n", "\n"))).toMatchObject({ kind: "undelivered" });
  });

  it.each(["", "\r\n\r\n", ":", "Action", "Action:", "Action: exploded", "\0".repeat(9)])(
    "has no outcome if it is %j",
    (text) => {
      expect(readDeliveryStatus(text)).toBeUndefined();
    },
  );
});

describe("a complaint", () => {
  it.each(["abuse", "Fraud", "opt-out"])("of type %s counts", (type) => {
    expect(readFeedback(lines(`Feedback-Type: ${type}`, "User-Agent: x/1", "Version: 1"))).toEqual({
      kind: "complaint",
    });
  });

  it.each(["not-spam", "auth-failure", "virus", ""])("of type %j does not count", (type) => {
    expect(readFeedback(lines(`Feedback-Type: ${type}`, "Version: 1"))).toBeUndefined();
  });
});

describe("a bounce from before RFC 3464", () => {
  const exim = lines(
    "The following address(es) failed:",
    "",
    "  ada@example.com",
    "    550 5.7.1 refused",
    "    by x",
    "",
    "--",
  );
  const opening = "Hi. This is the qmail-send program at mx.example.com.\nIt could not be delivered.";

  it("from Exim has the server's answer", () => {
    expect(readFailedRecipients("ada@example.com", exim)).toEqual({
      ...{ kind: "undelivered", reason: "BLOCKED", detail: "550 5.7.1 refused by x", isPermanent: false },
    });
    expect(readFailedRecipients("ada@example.com", "")).toEqual({
      ...{ kind: "undelivered", reason: "UNREACHABLE", detail: "", isPermanent: false },
    });
    expect(readFailedRecipients("none", exim)).toBeUndefined();
  });

  it("from qmail has a paragraph for the recipient, before the quoted email", () => {
    expect(readQmailBounce(`${opening}\n\n<ada@example.com>:\nSorry,\nno mailbox. (#5.1.1)\n\n--- Below\n\nx`)).toEqual(
      {
        ...{ kind: "undelivered", reason: "UNREACHABLE", detail: "Sorry, no mailbox. (#5.1.1)", isPermanent: true },
      },
    );
    expect(readQmailBounce(`${opening}\n\n--- Below\n\n<ada@example.com>:\nSorry`)).toBeUndefined();
    expect(readQmailBounce("Hi.\n\n<ada@example.com>:\nSorry")).toBeUndefined();
    expect(readQmailBounce("")).toBeUndefined();
  });
});
