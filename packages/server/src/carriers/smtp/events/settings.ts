// The part of a mail carrier's settings that describes the events of its provider.

import { type DocumentFault, type DocumentObject, fault, objectOf } from "../../../domain/document-checks.ts";
import { isParsed, isPrintableAscii, oneOf, text } from "../../settings-document.ts";
import type { MailEventsSettings } from "./mail-events.ts";
import { readVerificationKey } from "./sendgrid.ts";
import { isTopicArn } from "./sns.ts";

interface EventsField {
  readonly isAllowed: (text: string) => boolean;
  readonly expected: string;
  readonly isSecret?: boolean;
}

const LEAST_PASSWORD = 16;

/** The fields of each provider. All are required. */
const fieldsOf: Readonly<Record<MailEventsSettings["provider"], Readonly<Record<string, EventsField>>>> = {
  ses: {
    topicArn: {
      isAllowed: isTopicArn,
      expected: "the ARN of an SNS topic, such as arn:aws:sns:us-east-1:123456789012:mail",
    },
  },
  sendgrid: {
    verificationKey: {
      isAllowed: (given) => isParsed(() => readVerificationKey(given)),
      expected: "the verification key of the signed event webhook, as SendGrid shows it",
    },
  },
  mailgun: {
    signingKey: {
      isAllowed: isPrintableAscii,
      expected: "the account's HTTP webhook signing key",
      isSecret: true,
    },
  },
  postmark: {
    user: {
      isAllowed: (given) => isPrintableAscii(given) && !given.includes(":"),
      expected: "a user name of your choice, in printable ASCII without a colon",
    },
    password: {
      isAllowed: (given) => isPrintableAscii(given) && given.length >= LEAST_PASSWORD,
      expected: `a password of your choice, in printable ASCII, of ${LEAST_PASSWORD} characters or more`,
      isSecret: true,
    },
  },
};

const allFields = Object.assign({}, ...Object.values(fieldsOf)) as Record<string, EventsField>;

export const mailEventsSchema = {
  type: "object",
  additionalProperties: false,
  required: ["provider"],
  properties: {
    provider: oneOf(...Object.keys(fieldsOf)),
    ...Object.fromEntries(Object.keys(allFields).map((name) => [name, text()])),
  },
};

/** Names of the fields that are never shown. */
export const mailEventsSecrets: readonly string[] = Object.keys(allFields).filter((name) => allFields[name]?.isSecret);

/** Reports fields that the provider needs and that are missing, malformed, or another provider's. */
export function checkMailEvents(root: DocumentObject): DocumentFault[] {
  const { events } = root.fields;
  if (typeof events !== "object" || events === null || Array.isArray(events)) return [];
  const object = objectOf(events, `${root.pointer}/events`);
  const { provider } = object.fields;
  if (typeof provider !== "string" || !Object.hasOwn(fieldsOf, provider)) return [];
  const own = fieldsOf[provider as MailEventsSettings["provider"]];
  const faults = Object.entries(own).flatMap(([name, field]) => checkField(object, name, field));
  const others = Object.keys(allFields).filter((name) => object.fields[name] !== undefined && !(name in own));
  const names = Object.keys(own).join(" and ");
  return [...faults, ...others.map((name) => fault(object, name, `expected only ${names} beside ${provider}`))];
}

function checkField(object: DocumentObject, name: string, { isAllowed, expected, isSecret }: EventsField) {
  const given = object.fields[name];
  if (given === undefined) return [fault(object, name, `expected ${expected}`)];
  if (typeof given !== "string" || isAllowed(given)) return [];
  return [fault(object, name, `expected ${expected}${isSecret ? "" : `, received ${JSON.stringify(given)}`}`)];
}
