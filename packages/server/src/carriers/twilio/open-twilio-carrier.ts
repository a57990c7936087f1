// Sends texts over Twilio's API, and receives its status callbacks and texts from phones. Twilio has no key for repeated
// requests, so a message whose answer is lost is never sent again: its status callback names it by a token.

import type { EventsReply, EventsRequest } from "../../domain/carrier-events.ts";
import { createMessageTokens } from "../../domain/message-tokens.ts";
import { ApiClient, NotSent } from "../api-client.ts";
import type { CarrierSurroundings } from "../kind.ts";
import { endWithin } from "../link.ts";
import type { EventSink, Provider, ProviderEvent, Submission, SubmitCall, SubmitOutcome } from "../provider.ts";
import { readAnswer, readStatus } from "./answers.ts";
import type { TwilioSettings } from "./settings.ts";
import { isSignature, readForm, signForm } from "./signature.ts";

/** Timeout of a request, from its connection to the end of its answer. */
const ANSWER_MS = 60_000;
const PROBE_MS = 10_000;
/** How long a stop waits for the answers of requests in progress. */
const DRAIN_MS = 10_000;
/** Longest time that a text may wait at Twilio: https://www.twilio.com/docs/messaging/api/message-resource */
const LONGEST_VALIDITY_SECONDS = 36_000;
const FIRST_UNREACHED_MS = 1_000;
const LONGEST_UNREACHED_MS = 5 * 60_000;
/** Name of the query parameter with the message's token. */
const TOKEN = "message";

type TwilioSurroundings = Pick<CarrierSurroundings, "name" | "pepper" | "clock" | "eventsUrl">;

export function openTwilioCarrier(settings: TwilioSettings, surroundings: TwilioSurroundings): Provider {
  const { name, pepper, clock, eventsUrl } = surroundings;
  if (eventsUrl === undefined) {
    throw new Error("twilio: expected the server's public URL, at which Twilio reports: set --public-url");
  }
  const { accountSid, authToken, connections, baseUrl } = settings;
  const tokens = createMessageTokens(pepper, "carrier event");
  const client = new ApiClient(baseUrl, { connections, clock });
  const authorization = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString("base64")}`;
  const account = `/2010-04-01/Accounts/${accountSid}`;
  let sink: EventSink | undefined;
  const recording = new Set<Promise<void>>();
  const submitting = new Set<Promise<SubmitOutcome>>();

  async function submit(submission: Submission, { signal, handOver }: SubmitCall): Promise<SubmitOutcome> {
    const { attempts } = submission;
    try {
      const answer = await client.send({
        ...{ method: "POST", path: `${account}/Messages.json`, signal, timeoutMs: ANSWER_MS, beforeBody: handOver },
        headers: { authorization, accept: "application/json", "content-type": "application/x-www-form-urlencoded" },
        body: toForm(submission).toString(),
      });
      const outcome = readAnswer(answer, attempts);
      if (outcome === undefined) throw new Error(`Twilio answered with status ${answer.status}`);
      return outcome;
    } catch (error) {
      if (!(error instanceof NotSent) || signal.aborted) throw error;
      const retryAfterMs = Math.min(FIRST_UNREACHED_MS * 2 ** attempts, LONGEST_UNREACHED_MS);
      return { outcome: "deferred", retryAfterMs, detail: error.message, isUnreached: true };
    }
  }

  function toForm({ clientReference, sender, to, content, giveUpAt }: Submission): URLSearchParams {
    const seconds = Math.floor((giveUpAt - clock.now()) / 1_000);
    const form = new URLSearchParams({
      ...{ To: to, From: sender ?? settings.from, Body: content },
      StatusCallback: `${eventsUrl}?${TOKEN}=${tokens.make(clientReference)}`,
      ValidityPeriod: String(Math.min(Math.max(seconds, 1), LONGEST_VALIDITY_SECONDS)),
    });
    if (settings.messagingServiceSid !== undefined) form.set("MessagingServiceSid", settings.messagingServiceSid);
    return form;
  }

  /** Reads the event of a request whose signature is valid; undefined if it reports nothing about a message. */
  function readEvent(query: string, fields: ReadonlyMap<string, string>): ProviderEvent | undefined {
    const sid = fields.get("MessageSid") ?? "";
    const status = fields.get("MessageStatus");
    if (status === undefined) {
      const [from, to, text] = [fields.get("From"), fields.get("To"), fields.get("Body")];
      if (sid === "" || from === undefined || to === undefined || text === undefined) return undefined;
      return { kind: "inbound", eventId: sid, from, to, text, isAnswered: settings.answersKeywords };
    }
    const clientReference = tokens.read(new URLSearchParams(query).get(TOKEN) ?? "");
    const report = readStatus(status, Number(fields.get("ErrorCode") ?? 0));
    if (sid === "" || clientReference === undefined || report === undefined) return undefined;
    return { kind: "receipt", eventId: `${sid} ${status}`, clientReference, providerMessageId: sid, ...report };
  }

  async function receive({ query, headers, body }: EventsRequest): Promise<EventsReply> {
    const fields = readForm(body.toString("utf8"));
    const url = query === "" ? `${eventsUrl}` : `${eventsUrl}?${query}`;
    const given = headers["x-twilio-signature"];
    if (fields === undefined || !isSignature(String(given ?? ""), signForm(authToken, url, fields))) {
      return { status: 403, detail: "the signature is not Twilio's" };
    }
    const event = readEvent(query, fields);
    if (event === undefined) return { status: 204 };
    if (sink === undefined) return { status: 503 };
    const recorded = sink(event);
    recording.add(recorded);
    try {
      await recorded;
    } finally {
      recording.delete(recorded);
    }
    // an empty answer to a text from a phone sends nothing
    return event.kind === "inbound" ? { status: 200, contentType: "text/xml", body: "<Response/>" } : { status: 204 };
  }

  return {
    name,
    callTimeoutMs: ANSWER_MS,
    async submit(submission, call) {
      const outcome = submit(submission, call);
      submitting.add(outcome);
      try {
        return await outcome;
      } finally {
        submitting.delete(outcome);
      }
    },
    receive,
    capacity: () => connections,
    async probe() {
      const { status } = await client.send({
        ...{ method: "GET", path: `${account}.json`, headers: { authorization, accept: "application/json" } },
        timeoutMs: PROBE_MS,
      });
      if (status !== 200) throw new Error(`Twilio answered with status ${status}`);
    },
    isBusy: () => recording.size > 0,
    start(given) {
      sink = given;
    },
    async stop() {
      sink = undefined;
      // until its answer has arrived, a text is in doubt
      await endWithin(clock, DRAIN_MS, Promise.allSettled(submitting));
      await Promise.allSettled(recording);
      client.close();
    },
  };
}
