import { expect, it } from "vitest";
import { SendGridDouble } from "../../../testing/mail-provider-double.ts";
import { readSendGridEvents, readVerificationKey, sendGridHeaders } from "./sendgrid.ts";

const NOW = Date.UTC(2026, 0, 15, 12);
const HOUR_MS = 3_600_000;
const double = new SendGridDouble(() => NOW);
const read = (request: ReturnType<SendGridDouble["sign"]>) => readSendGridEvents(double.settings, request, NOW);
const reportsOf = (event: object) => {
  const result = read(double.sign([{ msgd: "token", ...event }]));
  if ("refused" in result) throw new Error(result.refused);
  return result.events.map(({ report }) => report);
};

it("a mail has its token as a unique argument", () => {
  expect(sendGridHeaders("01jd-5f")).toEqual({ "X-SMTPAPI": '{"unique_args":{"msgd":"01jd-5f"}}' });
});

const undelivered = (reason: string, detail: string) => ({ kind: "undelivered", reason, detail });
const dropped = (reason: string) => ({ event: "dropped", reason });

it.each([
  [{ event: "processed" }, [{ kind: "relayed", detail: "" }]],
  [{ event: "deferred", response: "450 later" }, [{ kind: "relayed", detail: "450 later" }]],
  [{ event: "delivered", response: "250 OK" }, [{ kind: "delivered", detail: "250 OK" }]],
  [
    { event: "bounce", type: "bounce", status: "5.1.1", reason: "550 5.1.1 no such user" },
    [undelivered("UNREACHABLE", "5.1.1 550 5.1.1 no such user")],
  ],
  [{ event: "bounce", type: "blocked", reason: "554 5.7.1 no" }, [undelivered("BLOCKED", "554 5.7.1 no")]],
  [
    { event: "bounce", type: "blocked", reason: "550 spam", bounce_classification: "Content" },
    [undelivered("CARRIER_FILTERED", "550 spam")],
  ],
  [
    { event: "bounce", reason: "550 bad IP", bounce_classification: "Reputation" },
    [undelivered("BLOCKED", "550 bad IP")],
  ],
  [
    { event: "bounce", reason: "550 no", bounce_classification: "Invalid Address" },
    [{ ...undelivered("UNREACHABLE", "550 no"), isPermanent: true }],
  ],
  [dropped("Bounced Address"), [{ ...undelivered("UNREACHABLE", "dropped: Bounced Address"), isPermanent: true }]],
  [dropped("Invalid"), [{ ...undelivered("UNREACHABLE", "dropped: Invalid"), isPermanent: true }]],
  [dropped("Spam Content"), [undelivered("CARRIER_FILTERED", "dropped: Spam Content")]],
  [
    dropped("Unsubscribed Address"),
    [undelivered("OPTED_OUT", "dropped: Unsubscribed Address"), { kind: "unsubscribed" }],
  ],
  [
    dropped("Spam Reporting Address"),
    [undelivered("OPTED_OUT", "dropped: Spam Reporting Address"), { kind: "complaint" }],
  ],
  [dropped("Recipient List over Package Quota"), [expect.objectContaining({ reason: "CARRIER_UNKNOWN" })]],
  [{ event: "spamreport" }, [{ kind: "complaint" }]],
  [{ event: "unsubscribe" }, [{ kind: "unsubscribed" }]],
  [{ event: "group_unsubscribe" }, [{ kind: "unsubscribed" }]],
  [{ event: "group_resubscribe" }, []],
  [{ event: "open" }, []],
  [{ event: { nested: true } }, []],
])("%j is reported as %j", (event, reports) => {
  expect(reportsOf(event)).toEqual(reports);
});

it("the events of a request keep their order and their names", () => {
  const events = [
    { event: "delivered", msgd: "a" },
    null,
    7,
    { event: "spamreport" },
    { event: "spamreport", msgd: 5 },
  ];
  expect(read(double.sign(events))).toEqual({
    events: [
      { names: ["a"], report: { kind: "delivered", detail: "" } },
      { names: [""], report: { kind: "complaint" } },
      { names: ["5"], report: { kind: "complaint" } },
    ],
  });
});

it("a request is refused if it is forged, old, or malformed", () => {
  const genuine = double.sign([{ event: "delivered", msgd: "a" }]);
  const { headers, body } = genuine;
  const [timestamp, signature] = [
    "x-twilio-email-event-webhook-timestamp",
    "x-twilio-email-event-webhook-signature",
  ] as const;
  const forged = { refused: "the signature is not SendGrid's" };
  for (const request of [
    { ...genuine, headers: {} },
    { ...genuine, headers: { ...headers, [signature]: "" } },
    { ...genuine, headers: { ...headers, [signature]: "not Base64 of DER" } },
    { ...genuine, headers: { ...headers, [timestamp]: String(NOW / 1_000 + 1) } },
    { ...genuine, body: Buffer.from(body.toString().replace("delivered", "spamreport")) },
    new SendGridDouble(() => NOW).sign([{ event: "delivered" }]),
  ]) {
    expect(read(request)).toEqual(forged);
  }
  for (let end = 0; end < body.length; end += 1)
    expect(read({ ...genuine, body: body.subarray(0, end) })).toEqual(forged);
  const late = { refused: "the request was signed too long ago, or in the future" };
  for (const at of [NOW - 26 * HOUR_MS, NOW + HOUR_MS]) expect(read(double.sign([], { at }))).toEqual(late);
  expect(read(double.sign([], { at: NOW - 24 * HOUR_MS }))).toEqual({ events: [] });
  expect(read(double.sign({ event: "delivered" }))).toEqual({ refused: "the body is not a JSON array of events" });
  expect(read(double.sign(Array(10_001).fill(0)))).toEqual({ refused: "the request has more than 10000 events" });
});

it("a verification key is a public key on P-256", () => {
  expect(readVerificationKey(double.settings.verificationKey).asymmetricKeyType).toBe("ec");
  for (const text of ["", "abc", double.settings.verificationKey.slice(0, 40)]) {
    expect(() => readVerificationKey(text)).toThrow();
  }
});
