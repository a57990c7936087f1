// Sends messages over an adapter, which speaks the protocol of carrier.openapi.yaml, and receives the adapter's events. A
// message whose answer is lost is looked up at the adapter.

import { signWebhook, verifyWebhook } from "../../domain/callbacks/rules.ts";
import type { EventsReply, EventsRequest } from "../../domain/carrier-events.ts";
import { createMessageTokens } from "../../domain/message-tokens.ts";
import { isHtml } from "../../domain/messages/emails.ts";
import { toUnsubscribeUrl } from "../../domain/public-paths.ts";
import type { Schemas } from "../../generated/carrier-adapter.ts";
import { defined } from "../../platform/defined.ts";
import { ApiTraffic, deferUnsent } from "../api-carrier.ts";
import { ApiClient } from "../api-client.ts";
import type { CarrierSurroundings } from "../kind.ts";
import { findOptOutKey } from "../marketing-calls.ts";
import type { Provider, Submission, SubmitCall, SubmitOutcome } from "../provider.ts";
import { readFinding, readOutcome } from "./answers.ts";
import { readEvent } from "./events.ts";
import type { HttpSettings } from "./settings.ts";

/** Timeout of a message, from its connection to the end of its answer. */
const ANSWER_MS = 60_000;
/** Timeout of a question to the adapter. */
const ASK_MS = 10_000;
/** The `webhook-id` of a question for the adapter's state. */
const HEALTH = "health";
/** Name of the query parameter with the message's token. */
const TOKEN = "message";
/** Terms of a test call. */
const trialTerms = { voice: "default", language: "en-US", ringSeconds: 30, isRecorded: false };

type HttpSurroundings = Pick<CarrierSurroundings, "name" | "pepper" | "clock" | "publicUrl" | "eventsUrl">;

export function openHttpCarrier(settings: HttpSettings, surroundings: HttpSurroundings): Provider {
  const { name, pepper, clock, publicUrl, eventsUrl } = surroundings;
  if (publicUrl === undefined || eventsUrl === undefined) {
    throw new Error("http: expected the server's public URL, at which the adapter reports: set --public-url");
  }
  const { url, secret, sender: ownSender, marketing, connections } = settings;
  const tokens = createMessageTokens(pepper, "carrier event");
  const unsubscribeTokens = createMessageTokens(pepper, "unsubscribe");
  const client = new ApiClient(url, { connections, clock });
  const traffic = new ApiTraffic(clock);

  const headersOf = (webhookId: string, body = "") => ({
    ...{ accept: "application/json", "content-type": "application/json" },
    ...signWebhook({ webhookId, body, now: clock.now() }, [secret]),
  });

  async function submit(submission: Submission, { signal, handOver }: SubmitCall): Promise<SubmitOutcome> {
    const { clientReference: id, attempts } = submission;
    const body = JSON.stringify(toMessage(submission));
    try {
      const answer = await client.send({
        ...{ method: "PUT", path: `/messages/${id}`, headers: headersOf(id, body), body },
        ...{ signal, timeoutMs: ANSWER_MS, beforeBody: handOver },
      });
      const outcome = readOutcome(answer, attempts);
      if (outcome === undefined) throw new Error(`the adapter answered with status ${answer.status}`);
      return outcome;
    } catch (error) {
      return deferUnsent(error, { attempts, signal });
    }
  }

  function toMessage(submission: Submission): Schemas["Message"] {
    const { clientReference, attempts, tenantId, merchantId, channel, type, to, content, automatic } = submission;
    const common = {
      ...{ attempt: attempts + 1, tenantId: String(tenantId), merchantId, type, to, content, automatic },
      giveUpAt: new Date(submission.giveUpAt).toISOString(),
      eventsUrl: `${eventsUrl}?${TOKEN}=${tokens.make(clientReference)}`,
    };
    switch (channel) {
      case "SMS": {
        const sender = submission.sender ?? ownSender;
        return { channel, ...common, ...(sender === undefined ? {} : { sender }) };
      }
      case "EMAIL": {
        const mail = { channel, ...common, subject: submission.subject ?? "", html: isHtml(content) };
        if (type !== "MARKETING") return mail;
        const token = unsubscribeTokens.make(clientReference);
        return { ...mail, unsubscribeUrl: toUnsubscribeUrl(publicUrl as string, token) };
      }
      case "VOICE": {
        const { call } = submission;
        const { voice, language, ringSeconds, isRecorded: record } = call ?? trialTerms;
        const optOutKey = findOptOutKey(submission, marketing);
        const terms = { voice, language, ringSeconds, record, ...defined({ speech: call?.speech, optOutKey }) };
        return { channel, ...common, ...terms };
      }
    }
  }

  async function receive({ query, headers, body }: EventsRequest): Promise<EventsReply> {
    const signed = verifyWebhook({ headers, body, now: clock.now() }, secret);
    if ("fault" in signed) return { status: 403, detail: signed.fault };
    const read = readEvent(body.toString("utf8"), signed.webhookId);
    if ("fault" in read) {
      return { status: 400, contentType: "text/plain; charset=utf-8", body: `${read.fault}\n`, detail: read.fault };
    }
    const { event, messageId } = read;
    const ofUrl = new URLSearchParams(query).get(TOKEN) ?? "";
    if (messageId !== undefined && tokens.read(ofUrl) !== messageId)
      return { status: 403, detail: "the URL is not the eventsUrl of the message" };
    return { status: (await traffic.record(event)) ? 204 : 503 };
  }

  return {
    name,
    callTimeoutMs: ANSWER_MS,
    ...defined({ marketing }),
    submit: (submission, call) => traffic.submit(() => submit(submission, call)),
    async find(id, signal) {
      const request = { method: "GET", path: `/messages/${id}`, headers: headersOf(id) } as const;
      return readFinding(await client.send({ ...request, signal, timeoutMs: ASK_MS }));
    },
    receive,
    capacity: () => connections,
    async probe() {
      const request = { method: "GET", path: "/health", headers: headersOf(HEALTH) } as const;
      const { status } = await client.send({ ...request, timeoutMs: ASK_MS });
      if (status !== 200 && status !== 204) throw new Error(`the adapter answered with status ${status}`);
    },
    isBusy: () => traffic.isRecording,
    start: (sink) => traffic.start(sink),
    async stop() {
      await traffic.stop();
      client.close();
    },
  };
}
