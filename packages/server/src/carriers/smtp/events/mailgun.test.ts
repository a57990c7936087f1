import { expect, it } from "vitest";
import { MailgunDouble } from "../../../testing/mail-provider-double.ts";
import { mailgunHeaders, readMailgunEvents, UsedTokens } from "./mailgun.ts";

const NOW = Date.UTC(2026, 0, 15, 12);
const HOUR_MS = 3_600_000;
const double = new MailgunDouble(() => NOW);
const read = (request: ReturnType<MailgunDouble["sign"]>, usedTokens = new UsedTokens()) =>
  readMailgunEvents(double.settings, request, { now: NOW, usedTokens });

it("a mail has its token as a variable", () => {
  expect(mailgunHeaders("01jd-5f")).toEqual({ "X-Mailgun-Variables": '{"msgd":"01jd-5f"}' });
});

const failed = (reason: string, message = "", severity = "permanent") => {
  return { event: "failed", severity, reason, "delivery-status": { code: 550, message } };
};
const undelivered = (reason: string, detail: string) => ({ kind: "undelivered", reason, detail });

it.each([
  [{ event: "accepted" }, [{ kind: "relayed", detail: "" }]],
  [{ event: "delivered", "delivery-status": { message: "OK" } }, [{ kind: "delivered", detail: "OK" }]],
  [failed("bounce", "5.1.1 no such user"), [undelivered("UNREACHABLE", "5.1.1 no such user")]],
  [failed("generic", "5.7.1 not you"), [undelivered("BLOCKED", "5.7.1 not you")]],
  [failed("espblock", "4.7.0 slow"), [undelivered("BLOCKED", "4.7.0 slow")]],
  [failed("suppress-bounce"), [{ ...undelivered("UNREACHABLE", "suppress-bounce"), isPermanent: true }]],
  [failed("suppress-unsubscribe"), [undelivered("OPTED_OUT", "suppress-unsubscribe"), { kind: "unsubscribed" }]],
  [failed("suppress-complaint"), [undelivered("OPTED_OUT", "suppress-complaint"), { kind: "complaint" }]],
  [failed("greylisted", "4.2.0 later", "temporary"), [{ kind: "relayed", detail: "4.2.0 later" }]],
  [{ event: "rejected", reject: { reason: "Sandbox" } }, [undelivered("CARRIER_UNKNOWN", "rejected: Sandbox")]],
  [{ event: "complained" }, [{ kind: "complaint" }]],
  [{ event: "unsubscribed" }, [{ kind: "unsubscribed" }]],
  [{ event: "opened" }, []],
])("%j is reported as %j", (event, reports) => {
  const events = reports.map((report) => ({ names: ["token"], report }));
  expect(read(double.sign({ ...event, "user-variables": { msgd: "token" } }))).toEqual({ events });
});

it("an event of a subaccount may be signed by its account", () => {
  const { signature, "event-data": data } = JSON.parse(double.sign({ event: "complained" }).body.toString());
  const own = { ...signature, signature: "0".repeat(64), "parent-signature": signature.signature };
  const body = Buffer.from(JSON.stringify({ signature: own, "event-data": data }));
  expect(read({ query: "", headers: {}, body })).toMatchObject({ events: [{ report: { kind: "complaint" } }] });
});

it("a request is refused if it is forged, old, or cut", () => {
  const forged = { refused: "the signature is not Mailgun's" };
  const genuine = double.sign({ event: "delivered" });
  const text = genuine.body.toString();
  const replace = (from: string, to: string) => ({ ...genuine, body: Buffer.from(text.replace(from, to)) });
  for (const request of [
    replace(`"timestamp":"${NOW / 1_000}"`, `"timestamp":"${NOW / 1_000 + 1}"`),
    replace('"token":"0', '"token":"1'),
    replace('"signature":{', '"other":{'),
    replace('"signature":"', '"signature":"0'),
    { ...genuine, body: Buffer.from("[]") },
    { ...genuine, body: Buffer.from("null") },
  ]) {
    expect(read(request)).toEqual(forged);
  }
  for (let end = 0; end < genuine.body.length; end += 1)
    expect(read({ ...genuine, body: genuine.body.subarray(0, end) })).toEqual(forged);
  const late = { refused: "the request was signed too long ago, or in the future" };
  for (const at of [NOW - 26 * HOUR_MS, NOW + HOUR_MS]) expect(read(double.sign({}, { at }))).toEqual(late);
});

it("a token is used for one event, which may be repeated", () => {
  const usedTokens = new UsedTokens();
  const genuine = double.sign({ event: "delivered" }, { token: "t" });
  for (let times = 0; times < 2; times += 1) expect(read(genuine, usedTokens)).toHaveProperty("events");
  const stolen = { ...genuine, body: Buffer.from(genuine.body.toString().replace("delivered", "complained")) };
  expect(read(stolen, usedTokens)).toEqual({ refused: "its token was used for another event" });
});

it("only the newest tokens are remembered", () => {
  const usedTokens = new UsedTokens(2);
  const [one, other] = [Buffer.from("1"), Buffer.from("2")];
  for (const token of ["a", "b", "c"]) expect(usedTokens.accepts(token, one)).toBe(true);
  expect(["c", "b", "a"].map((token) => usedTokens.accepts(token, other))).toEqual([false, false, true]);
});
