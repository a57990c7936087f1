import { expect, it } from "vitest";
import { readSesEvents } from "./ses.ts";

const mail = {
  messageId: "0100018",
  source: "bounces+01jd-5f@acme.example",
  headers: [
    { name: "From", value: "Acme <no-reply@acme.example>" },
    { name: "Message-ID", value: "<01jd-5f@acme.example>" },
  ],
  commonHeaders: { messageId: "<01je-60@acme.example>" },
};
const namesOf = (given: object) =>
  readSesEvents(JSON.stringify({ eventType: "Delivery", mail: given })).map(({ names }) => names);

it("a mail is named by the Message-ID that it had, and by the sender of its envelope", () => {
  expect(namesOf(mail)).toEqual([["01jd-5f", "01je-60", "bounces+01jd-5f"]]);
  // a notification may be without the headers of the mail
  expect(namesOf({ source: mail.source })).toEqual([["", "", "bounces+01jd-5f"]]);
});

const bounce = (bounceType: string, bounceSubType: string, recipient: object = {}) => {
  return { eventType: "Bounce", bounce: { bounceType, bounceSubType, bouncedRecipients: [recipient] } };
};
const dsn = { action: "failed", status: "5.7.1", diagnosticCode: "smtp; 554 5.7.1 not you" };
const undelivered = (reason: string, detail: string) => [{ kind: "undelivered", reason, detail }];
/** The address bounced for good. */
const bounced = (detail: string) => [{ kind: "undelivered", reason: "UNREACHABLE", detail, isPermanent: true }];

it.each([
  [{ eventType: "Send", send: {} }, [{ kind: "relayed", detail: "" }]],
  [
    { eventType: "DeliveryDelay", deliveryDelay: { delayType: "MailboxFull" } },
    [{ kind: "relayed", detail: "MailboxFull" }],
  ],
  [{ notificationType: "Delivery", delivery: { smtpResponse: "250 ok" } }, [{ kind: "delivered", detail: "250 ok" }]],
  [bounce("Permanent", "General", dsn), undelivered("BLOCKED", "554 5.7.1 not you")],
  [bounce("Permanent", "NoEmail", { status: "5.1.1" }), bounced("Permanent NoEmail 5.1.1")],
  [bounce("Permanent", "OnAccountSuppressionList"), bounced("Permanent OnAccountSuppressionList")],
  [bounce("Transient", "MailboxFull"), undelivered("UNREACHABLE", "Transient MailboxFull")],
  [bounce("Transient", "ContentRejected"), undelivered("CARRIER_FILTERED", "Transient ContentRejected")],
  // an out-of-office reply
  [bounce("Transient", "General"), [{ kind: "relayed", detail: "Transient General" }]],
  [bounce("Transient", "General", { ...dsn, status: "4.4.7" }), undelivered("BLOCKED", "554 5.7.1 not you")],
  [bounce("Undetermined", "Undetermined"), [{ kind: "relayed", detail: "Undetermined" }]],
  [{ eventType: "Complaint", complaint: {} }, [{ kind: "complaint" }]],
  [{ eventType: "Complaint", complaint: { complaintFeedbackType: "abuse" } }, [{ kind: "complaint" }]],
  [{ eventType: "Complaint", complaint: { complaintFeedbackType: "not-spam" } }, []],
  [
    { eventType: "Complaint", complaint: { complaintSubType: "OnAccountSuppressionList" } },
    [...undelivered("OPTED_OUT", "OnAccountSuppressionList"), { kind: "complaint" }],
  ],
  [{ eventType: "Reject", reject: { reason: "Bad content" } }, undelivered("CARRIER_FILTERED", "Bad content")],
  [{ eventType: "Open" }, []],
])("%j is reported as %j", (event, reports) => {
  expect(readSesEvents(JSON.stringify({ ...event, mail })).map(({ report }) => report)).toEqual(reports);
});

it("a text that is no event reports nothing", () => {
  for (const text of ["Successfully validated SNS topic for Amazon SES event publishing.", "[]", "null", ""]) {
    expect(readSesEvents(text)).toEqual([]);
  }
});
