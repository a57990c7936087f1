import { expect, it } from "vitest";
import { PostmarkDouble } from "../../../testing/mail-provider-double.ts";
import { postmarkHeaders, readPostmarkEvents } from "./postmark.ts";

const double = new PostmarkDouble();
const read = (request: ReturnType<PostmarkDouble["authorize"]>) => readPostmarkEvents(double.settings, request);

it("a mail has its token as metadata", () => {
  expect(postmarkHeaders("01jd-5f")).toEqual({ "X-PM-Metadata-msgd": "01jd-5f" });
});

const bounce = (Type: string, Details = "550 5.1.1 no such user") => ({ RecordType: "Bounce", Type, Details });
const change = (SuppressionReason: string | null, Origin: string, SuppressSending = true) => {
  return { RecordType: "SubscriptionChange", SuppressSending, SuppressionReason, Origin };
};
const undelivered = (reason: string, detail = "550 5.1.1 no such user") => [{ kind: "undelivered", reason, detail }];
/** The address bounced for good. */
const bounced = undelivered("UNREACHABLE").map((report) => ({ ...report, isPermanent: true }));
const open = [{ kind: "relayed", detail: "550 5.1.1 no such user" }];

it.each([
  [{ RecordType: "Delivery", Details: "250 OK" }, [{ kind: "delivered", detail: "250 OK" }]],
  [bounce("HardBounce"), bounced],
  [bounce("HardBounce", "554 5.7.1 no"), undelivered("BLOCKED", "554 5.7.1 no")],
  [bounce("BadEmailAddress"), bounced],
  [bounce("ManuallyDeactivated"), undelivered("BLOCKED")],
  [bounce("Blocked"), undelivered("BLOCKED")],
  [bounce("DMARCPolicy"), undelivered("BLOCKED")],
  [bounce("SpamNotification"), undelivered("CARRIER_FILTERED")],
  [bounce("VirusNotification"), undelivered("CARRIER_FILTERED")],
  [bounce("SMTPApiError"), undelivered("CARRIER_UNKNOWN")],
  [bounce("Transient"), open],
  [bounce("SoftBounce"), open],
  [bounce("DnsError"), open],
  [bounce("AutoResponder"), open],
  [bounce("Unknown"), open],
  [bounce("SpamComplaint"), [{ kind: "complaint" }]],
  [bounce("Unsubscribe"), [{ kind: "unsubscribed" }]],
  [{ RecordType: "SpamComplaint" }, [{ kind: "complaint" }]],
  [change("ManualSuppression", "Recipient"), [{ kind: "unsubscribed" }]],
  [change("ManualSuppression", "Customer"), []],
  [change("SpamComplaint", "Recipient"), [{ kind: "complaint" }]],
  [change("HardBounce", "Recipient"), []],
  [change(null, "Recipient", false), []],
  [{ RecordType: "Open" }, []],
])("%j is reported as %j", (event, reports) => {
  const events = reports.map((report) => ({ names: ["token"], report }));
  expect(read(double.authorize({ ...event, Metadata: { msgd: "token" } }))).toEqual({ events });
});

it("a request is refused without the user and the password", () => {
  const genuine = double.authorize({ RecordType: "Delivery" });
  const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;
  for (const authorization of [
    undefined,
    "",
    "Basic",
    basic("postmark:"),
    basic("postmark:double-password-1"),
    "Bearer x",
  ]) {
    const headers = authorization === undefined ? {} : { authorization };
    expect(read({ ...genuine, headers })).toEqual({ refused: "the user or password is not Postmark's" });
  }
});

it("a request is refused if its body is cut", () => {
  const genuine = double.authorize({ RecordType: "Delivery" });
  for (let end = 0; end < genuine.body.length; end += 1) {
    expect(read({ ...genuine, body: genuine.body.subarray(0, end) })).toEqual({
      refused: "the body is not a JSON object",
    });
  }
});
