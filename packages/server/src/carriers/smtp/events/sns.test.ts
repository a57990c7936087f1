import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { CERTIFICATE_PATH, SesDouble, TOPIC_ARN } from "../../../testing/mail-provider-double.ts";
import { isTopicArn, SnsVerifier } from "./sns.ts";

const HOUR_MS = 3_600_000;
const SNS = "https://sns.us-east-1.amazonaws.com";

let now: number;
let double: SesDouble;
let verifier: SnsVerifier;
let certificate: string;
beforeAll(() => {
  now = Date.now();
  double = new SesDouble(() => now);
  certificate = double.answers.get(CERTIFICATE_PATH) ?? "";
});
beforeEach(() => {
  now = Date.now();
  double.requested.length = 0;
  double.answers.clear();
  double.answers.set(CERTIFICATE_PATH, certificate);
  verifier = new SnsVerifier(TOPIC_ARN, double.getFromSns);
});

const read = ({ body }: { body: Buffer }) => verifier.read(body.toString(), now);

it("the names of topics", () => {
  for (const arn of [TOPIC_ARN, "arn:aws-us-gov:sns:us-gov-west-1:123456789012:a_b-c"])
    expect(isTopicArn(arn)).toBe(true);
  for (const arn of ["", "arn:aws:sqs:us-east-1:123456789012:mail", "arn:aws:sns:evil.example/:123456789012:mail"])
    expect(isTopicArn(arn)).toBe(false);
});

describe("a notification", () => {
  it.each(["1", "2"])("with a signature of version %s is genuine", async (SignatureVersion) => {
    const message = { type: "Notification", message: "a\nb" };
    expect(await read(double.publish("a\nb", { SignatureVersion }))).toEqual(message);
    expect(await read(double.publish("a\nb", { SignatureVersion, Subject: "s" }))).toEqual(message);
  });

  it("needs its certificate only once, even if many arrive at the same time", async () => {
    await Promise.all(Array.from({ length: 20 }, () => read(double.publish("a"))));
    await read(double.publish("b"));
    expect(double.requested).toEqual([CERTIFICATE_PATH]);
  });

  it("is refused if any signed field is changed", async () => {
    const { body } = double.publish("a", { Subject: "s" });
    const fields = JSON.parse(body.toString());
    for (const name of ["Message", "MessageId", "Subject", "Timestamp", "Signature"]) {
      const value = name === "Timestamp" ? new Date(now - 1_000).toISOString() : "changed";
      const changed = Buffer.from(JSON.stringify({ ...fields, [name]: value }));
      expect(await read({ body: changed }), name).toEqual({ refused: "the signature is not that of SNS" });
    }
  });

  it("is refused before its certificate is fetched", async () => {
    const { body } = double.publish("a");
    const topic = { TopicArn: TOPIC_ARN.replace("mail", "other") };
    const late = { refused: "the message was published too long ago, or in the future" };
    const at = (ms: number) => double.publish("a", { Timestamp: new Date(ms).toISOString() });
    expect(await read(double.publish("a", topic))).toEqual({ refused: `the topic is not ${TOPIC_ARN}` });
    for (const ms of [now - 26 * HOUR_MS, now + HOUR_MS]) expect(await read(at(ms))).toEqual(late);
    expect(await read(double.publish("a", { Timestamp: "yesterday" }))).toEqual(late);
    expect(await read(double.publish("a", { SignatureVersion: "3" }))).toEqual({
      refused: "the signature's version is not 1 or 2",
    });
    for (let end = 0; end < body.length; end += 1)
      expect(await read({ body: body.subarray(0, end) })).toHaveProperty("refused");
    expect(await read(double.publish("a", { Type: "toString" }))).toHaveProperty("refused");
    expect(double.requested).toEqual([]);
  });

  it.each([
    `https://sns.eu-west-1.amazonaws.com${CERTIFICATE_PATH}`,
    `https://sns.us-east-1.amazonaws.com.evil.example${CERTIFICATE_PATH}`,
    `https://evil.example${CERTIFICATE_PATH}`,
    `http://sns.us-east-1.amazonaws.com${CERTIFICATE_PATH}`,
    `https://sns.us-east-1.amazonaws.com:8443${CERTIFICATE_PATH}`,
    `https://user@sns.us-east-1.amazonaws.com${CERTIFICATE_PATH}`,
    `${SNS}/other${CERTIFICATE_PATH}`,
    `${SNS}${CERTIFICATE_PATH}?a=1`,
    `${SNS}/SimpleNotificationService-x.pem`,
    "no URL",
  ])("is refused with a certificate at %s", async (SigningCertURL) => {
    const refused = "the certificate is not at sns.us-east-1.amazonaws.com";
    expect(await read(double.publish("a", { SigningCertURL }))).toEqual({ refused });
    expect(double.requested).toEqual([]);
  });

  it("is refused with a certificate that is not that of SNS, or is not valid now", async () => {
    const refused = "the certificate is not that of SNS, or not valid now";
    const foreign = new SesDouble(() => now, { host: "evil.example" });
    verifier = new SnsVerifier(TOPIC_ARN, foreign.getFromSns);
    expect(await read(foreign.publish("a"))).toEqual({ refused });
    verifier = new SnsVerifier(TOPIC_ARN, double.getFromSns);
    expect(await read(double.publish("a"))).toHaveProperty("message");
    now += 24 * HOUR_MS;
    expect(await read(double.publish("a"))).toEqual({ refused });
    for (const answer of ["", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----"]) {
      verifier = new SnsVerifier(TOPIC_ARN, async () => ({ status: 200, body: answer }));
      expect(await read(double.publish("a"))).toEqual({ refused });
    }
    verifier = new SnsVerifier(TOPIC_ARN, async () => ({ status: 404, body: "" }));
    expect(await read(double.publish("a"))).toEqual({ refused });
  });

  it("is repeated if its certificate cannot be fetched now", async () => {
    double.answers.clear();
    double.status = 503;
    await expect(read(double.publish("a"))).rejects.toThrow("status 503");
    double.answers.set(CERTIFICATE_PATH, certificate);
    expect(await read(double.publish("a"))).toHaveProperty("message");
  });

  it("is refused only as long as SNS says that there is no such certificate", async () => {
    double.answers.clear();
    double.status = 404;
    const published = double.publish("{}");
    expect(await read(published)).toHaveProperty("refused");
    double.answers.set(CERTIFICATE_PATH, certificate);
    expect(await read(published)).toMatchObject({ type: "Notification" });
  });

  it("keeps the certificates of ten paths", async () => {
    const paths = Array.from({ length: 11 }, (_none, index) =>
      CERTIFICATE_PATH.replace(/0{4}/, index.toString(16).padStart(4, "0")),
    );
    for (const path of paths) double.answers.set(path, certificate);
    const ask = (path = "") => read(double.publish("a", { SigningCertURL: `${SNS}${path}` }));
    for (const path of paths) await ask(path);
    await ask(paths[10]);
    expect(double.requested).toHaveLength(11);
    await ask(paths[0]);
    expect(double.requested).toHaveLength(12);
  });
});

describe("a confirmation of a subscription", () => {
  it("has the path that confirms it", async () => {
    const query = new URLSearchParams({ Action: "ConfirmSubscription", TopicArn: TOPIC_ARN, Token: "t" });
    expect(await read(double.confirmation())).toEqual({ type: "SubscriptionConfirmation", path: `/?${query}` });
  });

  it.each([
    `https://evil.example/?Action=ConfirmSubscription&TopicArn=${TOPIC_ARN}`,
    `http://sns.us-east-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=${TOPIC_ARN}`,
    `${SNS}/?Action=Publish&TopicArn=${TOPIC_ARN}`,
    `${SNS}/?Action=ConfirmSubscription&TopicArn=${TOPIC_ARN}2`,
    `${SNS}/x?Action=ConfirmSubscription&TopicArn=${TOPIC_ARN}`,
  ])("is refused with the link %s", async (SubscribeURL) => {
    const refused = "the link does not confirm a subscription at sns.us-east-1.amazonaws.com";
    expect(await read(double.confirmation({ SubscribeURL }))).toEqual({ refused });
    expect(double.requested).toEqual([CERTIFICATE_PATH]);
  });

  it("that ends a subscription is told apart", async () => {
    const ended = double.confirmation({ Type: "UnsubscribeConfirmation" });
    expect(await read(ended)).toEqual({ type: "UnsubscribeConfirmation" });
  });
});
