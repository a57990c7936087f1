// Events of Mailgun: https://documentation.mailgun.com/docs/mailgun/user-manual/events/event-types
// The signature covers a time and a token, but not the event. So a token is accepted for one event only:
// https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/securing-webhooks

import { createHmac, hash } from "node:crypto";
import type { EventsRequest } from "../../../domain/carrier-events.ts";
import type { MailReport } from "../../../domain/messages/emails.ts";
import { readReason } from "../../../domain/messages/rules.ts";
import { isSameSecret } from "../../../platform/same-secret.ts";
import { type Fields, fieldsOf, readJson, textOf } from "../../json-fields.ts";
import { isTimely, joinWords, type ReadEvents, readSeconds, TOKEN_FIELD, toMailEvents } from "./event-request.ts";

export interface MailgunSettings {
  readonly provider: "mailgun";
  /** The account's HTTP webhook signing key. */
  readonly signingKey: string;
}

/** Variables are returned in the mail's events. */
export function mailgunHeaders(token: string): Record<string, string> {
  return { "X-Mailgun-Variables": JSON.stringify({ [TOKEN_FIELD]: token }) };
}

/** Remembers which event each of the newest tokens came with. */
export class UsedTokens {
  readonly #most: number;
  readonly #digests = new Map<string, string>();

  constructor(most = 10_000) {
    this.#most = most;
  }

  /** Returns whether the token is new, or came with the same body before: Mailgun repeats what was not acknowledged. */
  accepts(token: string, body: Buffer): boolean {
    const digest = hash("sha256", body, "base64");
    const known = this.#digests.get(token);
    if (known !== undefined) return known === digest;
    this.#digests.set(token, digest);
    const [oldest = ""] = this.#digests.keys();
    if (this.#digests.size > this.#most) this.#digests.delete(oldest);
    return true;
  }
}

export function readMailgunEvents(
  { signingKey }: MailgunSettings,
  { body }: Pick<EventsRequest, "body">,
  { now, usedTokens }: { now: number; usedTokens: Pick<UsedTokens, "accepts"> },
): ReadEvents {
  const { signature: signed, "event-data": data } = fieldsOf(readJson(body.toString("utf8")));
  const fields = fieldsOf(signed);
  const [timestamp, token] = [textOf(fields.timestamp), textOf(fields.token)];
  const expected = createHmac("sha256", signingKey).update(`${timestamp}${token}`).digest("hex");
  // events of a subaccount are also signed with the key of its account
  const given = [textOf(fields.signature), textOf(fields["parent-signature"])];
  if (!given.some((signature) => isSameSecret(signature, expected)))
    return { refused: "the signature is not Mailgun's" };
  if (!isTimely(readSeconds(timestamp), now))
    return { refused: "the request was signed too long ago, or in the future" };
  if (!usedTokens.accepts(token, body)) return { refused: "its token was used for another event" };
  const event = fieldsOf(data);
  const names = [textOf(fieldsOf(event["user-variables"])[TOKEN_FIELD])];
  return { events: toMailEvents(readReports(event), { names, happenedAt: textOf(event.timestamp) }) };
}

function readReports(event: Fields): MailReport[] {
  const status = fieldsOf(event["delivery-status"]);
  const words = joinWords(textOf(status["enhanced-code"]), textOf(status.message), textOf(status.description));
  switch (event.event) {
    case "accepted":
      return [{ kind: "relayed", detail: "" }];
    case "delivered":
      return [{ kind: "delivered", detail: words }];
    case "failed":
      return event.severity === "permanent"
        ? readFailure(textOf(event.reason), words)
        : [{ kind: "relayed", detail: words }];
    case "rejected": {
      const detail = textOf(fieldsOf(event.reject).reason);
      return [{ kind: "undelivered", reason: "CARRIER_UNKNOWN", detail: `rejected: ${detail}` }];
    }
    case "complained":
      return [{ kind: "complaint" }];
    case "unsubscribed":
      return [{ kind: "unsubscribed" }];
    default:
      return [];
  }
}

/**
 * Reads why Mailgun gave a mail up, from the reasons that its statistics count:
 * https://documentation.mailgun.com/docs/mailgun/api-reference/send/mailgun/stats
 */
function readFailure(reason: string, words: string): MailReport[] {
  const detail = words === "" ? reason : words;
  switch (reason) {
    case "suppress-unsubscribe":
      return [{ kind: "undelivered", reason: "OPTED_OUT", detail }, { kind: "unsubscribed" }];
    case "suppress-complaint":
      return [{ kind: "undelivered", reason: "OPTED_OUT", detail }, { kind: "complaint" }];
    case "suppress-bounce":
      return [{ kind: "undelivered", reason: "UNREACHABLE", detail, isPermanent: true }];
    case "espblock":
      return [{ kind: "undelivered", reason: "BLOCKED", detail }];
    default:
      return [{ kind: "undelivered", reason: readReason(words), detail }];
  }
}
