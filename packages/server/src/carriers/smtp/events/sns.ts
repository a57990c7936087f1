// Messages of Amazon SNS: https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html

import { type KeyObject, verify, X509Certificate } from "node:crypto";
import { fieldsOf, readJson, textOf } from "../../json-fields.ts";
import { isTimely } from "./event-request.ts";

/** A topic in the partitions aws and aws-us-gov. */
const TOPIC = /^arn:aws(?:-us-gov)?:sns:([a-z]{2}(?:-[a-z]+)+-\d):\d{12}:[\w-]{1,256}$/;

export function isTopicArn(text: string): boolean {
  return TOPIC.test(text);
}

/** The only host that certificates and links of a topic may have. */
export function hostOfTopic(topicArn: string): string {
  return `sns.${regionOf(topicArn)}.amazonaws.com`;
}

function regionOf(topicArn: string): string {
  return TOPIC.exec(topicArn)?.[1] ?? "";
}

/** Answer to a GET request to the topic's host. */
export type GetFromSns = (path: string) => Promise<{ readonly status: number; readonly body: string }>;

export type SnsMessage =
  | { readonly type: "Notification"; readonly message: string }
  /** `path` confirms the subscription if it is requested from the topic's host. */
  | { readonly type: "SubscriptionConfirmation"; readonly path: string }
  | { readonly type: "UnsubscribeConfirmation" };

/** Signed fields, in order. */
const signedFields: Readonly<Record<SnsMessage["type"], readonly string[]>> = {
  Notification: ["Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"],
  SubscriptionConfirmation: ["Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"],
  UnsubscribeConfirmation: ["Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"],
};
const digests: ReadonlyMap<string, string> = new Map([
  ["1", "sha1"],
  ["2", "sha256"],
]);
const CERTIFICATE = /^\/SimpleNotificationService-[\da-f]{32}\.pem$/;

/** Verifies messages of one topic. */
export class SnsVerifier {
  readonly #topicArn: string;
  readonly #certificates: SnsCertificates;

  constructor(topicArn: string, get: GetFromSns) {
    this.#topicArn = topicArn;
    this.#certificates = new SnsCertificates(regionOf(topicArn), get);
  }

  /** Reads a message. Returns why it is refused; rejects if its certificate cannot be fetched now. */
  async read(body: string, now: number): Promise<SnsMessage | { readonly refused: string }> {
    const fields = fieldsOf(readJson(body));
    const type = textOf(fields.Type) as SnsMessage["type"];
    const names = Object.hasOwn(signedFields, type) ? signedFields[type] : [];
    if (names.length === 0)
      return { refused: "the body is not a message of SNS; raw message delivery has no signature" };
    if (fields.TopicArn !== this.#topicArn) return { refused: `the topic is not ${this.#topicArn}` };
    if (!isTimely(Date.parse(textOf(fields.Timestamp)), now))
      return { refused: "the message was published too long ago, or in the future" };
    const digest = digests.get(textOf(fields.SignatureVersion));
    if (digest === undefined) return { refused: "the signature's version is not 1 or 2" };
    const path = this.#readPath(textOf(fields.SigningCertURL));
    if (path === undefined || !CERTIFICATE.test(path))
      return { refused: `the certificate is not at ${hostOfTopic(this.#topicArn)}` };
    const key = await this.#certificates.findKey(path, now);
    if (key === undefined) return { refused: "the certificate is not that of SNS, or not valid now" };
    const signed = names
      .filter((name) => typeof fields[name] === "string")
      .map((name) => `${name}\n${fields[name]}\n`)
      .join("");
    if (!verify(digest, Buffer.from(signed), key, Buffer.from(textOf(fields.Signature), "base64")))
      return { refused: "the signature is not that of SNS" };
    if (type === "Notification") return { type, message: textOf(fields.Message) };
    if (type === "UnsubscribeConfirmation") return { type };
    const confirmation = this.#readPath(textOf(fields.SubscribeURL));
    if (confirmation === undefined || !this.#isConfirmation(confirmation))
      return { refused: `the link does not confirm a subscription at ${hostOfTopic(this.#topicArn)}` };
    return { type, path: confirmation };
  }

  /** Returns path and query of a URL at the topic's host; undefined if the URL leads elsewhere. */
  #readPath(text: string): string | undefined {
    if (!URL.canParse(text)) return undefined;
    const { origin, username, password, pathname, search } = new URL(text);
    const isOurs = origin === `https://${hostOfTopic(this.#topicArn)}` && username === "" && password === "";
    return isOurs ? `${pathname}${search}` : undefined;
  }

  #isConfirmation(path: string): boolean {
    const { pathname, searchParams } = new URL(path, "https://sns");
    return (
      pathname === "/" &&
      searchParams.get("Action") === "ConfirmSubscription" &&
      searchParams.get("TopicArn") === this.#topicArn
    );
  }
}

const MOST_CERTIFICATES = 10;
const FIRST_CLIENT_ERROR = 400;
const FIRST_SERVER_ERROR = 500;

/** The certificates of a region, fetched when they are first needed. */
class SnsCertificates {
  readonly #names: readonly string[];
  readonly #get: GetFromSns;
  readonly #fetched = new Map<string, Promise<X509Certificate | undefined>>();

  constructor(region: string, get: GetFromSns) {
    // names as AWS's own SDK for Java expects them: SnsHostProvider in aws-sdk-java-v2
    this.#names = region.startsWith("us-gov-")
      ? ["sns-us-gov-west-1.amazonaws.com"]
      : ["sns.amazonaws.com", `sns-signing.${region}.amazonaws.com`];
    this.#get = get;
  }

  /** Finds the key of the certificate at a path. Returns undefined if it is not a certificate of SNS that is valid now. */
  async findKey(path: string, now: number): Promise<KeyObject | undefined> {
    let fetched = this.#fetched.get(path);
    if (fetched === undefined) {
      fetched = this.#fetch(path);
      this.#fetched.set(path, fetched);
      const [oldest = ""] = this.#fetched.keys();
      if (this.#fetched.size > MOST_CERTIFICATES) this.#fetched.delete(oldest);
    }
    const certificate = await fetched.catch((error: unknown) => {
      this.#fetched.delete(path);
      throw error;
    });
    if (certificate === undefined) {
      // SNS does not repeat what is refused: it must not be refused for longer than the certificate cannot be fetched
      this.#fetched.delete(path);
      return undefined;
    }
    const { validFrom, validTo, publicKey } = certificate;
    const isNamed = this.#names.some((name) => certificate.checkHost(name) !== undefined);
    return isNamed && Date.parse(validFrom) <= now && now <= Date.parse(validTo) ? publicKey : undefined;
  }

  async #fetch(path: string): Promise<X509Certificate | undefined> {
    const { status, body } = await this.#get(path);
    if (status >= FIRST_CLIENT_ERROR && status < FIRST_SERVER_ERROR) return undefined;
    if (status !== 200) throw new Error(`the certificate of SNS could not be fetched: status ${status}`);
    try {
      return new X509Certificate(body);
    } catch {
      return undefined;
    }
  }
}
