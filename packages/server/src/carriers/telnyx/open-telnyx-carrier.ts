// Sends texts over Telnyx's API, and receives its events and texts from phones. Telnyx has no key for repeated requests to
// send a message, so a message whose answer is lost is never sent again: its events name it by a token.

import type { KeyObject } from "node:crypto";
import type { EventsReply, EventsRequest } from "../../domain/carrier-events.ts";
import { createMessageTokens } from "../../domain/message-tokens.ts";
import { ApiTraffic, deferUnsent } from "../api-carrier.ts";
import { ApiClient } from "../api-client.ts";
import { readFields } from "../json-fields.ts";
import type { CarrierSurroundings } from "../kind.ts";
import type {
  AcceptedSubmission,
  Provider,
  ProviderEvent,
  Submission,
  SubmitCall,
  SubmitOutcome,
} from "../provider.ts";
import { readAnswer, readEvent, readMessage, readStatus, type TelnyxMessage } from "./answers.ts";
import type { TelnyxSettings } from "./settings.ts";
import { findSignatureFault, readPublicKey } from "./signature.ts";

/** Timeout of a request, from its connection to the end of its answer. */
const ANSWER_MS = 60_000;
const ASK_MS = 10_000;
/** Name of the query parameter with the message's token. */
const TOKEN = "message";

type TelnyxSurroundings = Pick<CarrierSurroundings, "name" | "pepper" | "clock" | "eventsUrl">;

export function openTelnyxCarrier(settings: TelnyxSettings, surroundings: TelnyxSurroundings): Provider {
  const { name, pepper, clock, eventsUrl } = surroundings;
  if (eventsUrl === undefined) {
    throw new Error("telnyx: expected the server's public URL, at which Telnyx reports: set --public-url");
  }
  const { apiKey, publicKey, from, messagingProfileId, answersKeywords, connections, baseUrl } = settings;
  const tokens = createMessageTokens(pepper, "carrier event");
  const client = new ApiClient(baseUrl, { connections, clock });
  const traffic = new ApiTraffic(clock);
  const headers = { authorization: `Bearer ${apiKey}`, accept: "application/json" };
  const key = readPublicKey(publicKey) as KeyObject;

  async function submit(submission: Submission, { signal, handOver }: SubmitCall): Promise<SubmitOutcome> {
    const { attempts, clientReference, sender, to, content: text } = submission;
    const message = {
      ...{ from: sender ?? from, to, text, type: "SMS", messaging_profile_id: messagingProfileId },
      webhook_url: `${eventsUrl}?${TOKEN}=${tokens.make(clientReference)}`,
      use_profile_webhooks: false,
    };
    try {
      const answer = await client.send({
        ...{ method: "POST", path: "/v2/messages", signal, timeoutMs: ANSWER_MS, beforeBody: handOver },
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify(message),
      });
      const outcome = readAnswer(answer, attempts);
      if (outcome === undefined) throw new Error(`Telnyx answered with status ${answer.status}`);
      return outcome;
    } catch (error) {
      return deferUnsent(error, { attempts, signal });
    }
  }

  /** Returns the event of a message's status; undefined if it says nothing that is reported. */
  function toReceipt(clientReference: string, message: TelnyxMessage): ProviderEvent | undefined {
    const { id: providerMessageId, status } = message;
    const report = readStatus(message);
    if (providerMessageId === "" || report === undefined) return undefined;
    const eventId = `${providerMessageId} ${status}`;
    return { kind: "receipt", eventId, clientReference, providerMessageId, ...report };
  }

  /** Reads the event of a request whose signature is valid; undefined if it reports nothing about a message. */
  function toEvent(query: string, body: Buffer): ProviderEvent | undefined {
    const event = readEvent(body.toString("utf8"));
    if (event === undefined) return undefined;
    const { type, message } = event;
    if (type === "message.received") {
      const { id: eventId, from: phone, to, text } = message;
      if (eventId === "" || phone === "" || to === "") return undefined;
      return { kind: "inbound", eventId, from: phone, to, text, isAnswered: answersKeywords };
    }
    if (type !== "message.sent" && type !== "message.finalized") return undefined;
    const clientReference = tokens.read(new URLSearchParams(query).get(TOKEN) ?? "");
    return clientReference === undefined ? undefined : toReceipt(clientReference, message);
  }

  async function receive({ query, headers: given, body }: EventsRequest): Promise<EventsReply> {
    const detail = findSignatureFault({ headers: given, body, now: clock.now() }, key);
    if (detail !== undefined) return { status: 403, detail };
    const event = toEvent(query, body);
    return event === undefined || (await traffic.record(event)) ? { status: 204 } : { status: 503 };
  }

  async function review({ clientReference, providerMessageId }: AcceptedSubmission, signal: AbortSignal) {
    const path = `/v2/messages/${encodeURIComponent(providerMessageId)}`;
    const { status, body } = await client.send({ method: "GET", path, headers, signal, timeoutMs: ASK_MS });
    if (status === 404) return;
    if (status !== 200) throw new Error(`Telnyx answered with status ${status}`);
    const event = toReceipt(clientReference, readMessage(readFields(body).data));
    if (event !== undefined && !(await traffic.record(event))) throw new Error("the carrier was stopped");
  }

  return {
    name,
    callTimeoutMs: ANSWER_MS,
    submit: (submission, call) => traffic.submit(() => submit(submission, call)),
    receive,
    review,
    capacity: () => connections,
    async probe() {
      const path = "/v2/messaging_profiles?page%5Bsize%5D=1";
      const { status } = await client.send({ method: "GET", path, headers, timeoutMs: ASK_MS });
      if (status !== 200) throw new Error(`Telnyx answered with status ${status}`);
    },
    isBusy: () => traffic.isRecording,
    start: (sink) => traffic.start(sink),
    async stop() {
      await traffic.stop();
      client.close();
    },
  };
}
