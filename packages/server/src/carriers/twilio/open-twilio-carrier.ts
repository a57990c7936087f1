// Sends texts and places calls over Twilio's API, and receives its status callbacks and texts from phones. Twilio has no key
// for repeated requests, so a message whose answer is lost is never sent again: its status callback names it by a token.

import { createSpeechLinks } from "../../domain/calls/speech-links.ts";
import type { EventsReply, EventsRequest } from "../../domain/carrier-events.ts";
import { createMessageTokens } from "../../domain/message-tokens.ts";
import { toSpeechUrl } from "../../domain/public-paths.ts";
import { defined } from "../../platform/defined.ts";
import { isSameSecret } from "../../platform/same-secret.ts";
import { ApiTraffic, deferUnsent } from "../api-carrier.ts";
import { ApiClient } from "../api-client.ts";
import { readFields } from "../json-fields.ts";
import type { CarrierSurroundings } from "../kind.ts";
import { findOptOutKey } from "../marketing-calls.ts";
import type {
  AcceptedSubmission,
  Provider,
  ProviderEvent,
  Submission,
  SubmitCall,
  SubmitOutcome,
} from "../provider.ts";
import { readAnswer, readStatus } from "./answers.ts";
import { type CallState, hangUp, readCall, type Spoken, writeCall, writeTwiml } from "./calls.ts";
import type { TwilioSettings } from "./settings.ts";
import { readForm, signForm } from "./signature.ts";
import { writeText } from "./texts.ts";

/** Timeout of a request, from its connection to the end of its answer. */
const ANSWER_MS = 60_000;
const PROBE_MS = 10_000;
/** Longest time from the request for a call until its speech is fetched: calls wait at Twilio for the account's rate. */
const LONGEST_UNPLAYED_MS = 24 * 60 * 60_000;
const TWIML = "text/xml";
/**
 * Names of the query parameters with the message's token, of the request that follows the whole speech of a call, and with
 * the key that opts out, of the request that follows a key.
 */
const TOKEN = "message";
const PLAYED = "played";
const KEY = "key";
/** Terms of a test call, for which no speech was made. */
const TRIAL = { language: "en-US", voice: "default", ringSeconds: 30, isRecorded: false };

type TwilioSurroundings = Pick<CarrierSurroundings, "name" | "pepper" | "clock" | "eventsUrl" | "publicUrl" | "speech">;

/** The fields of an event, and the message that its URL names. */
interface Told {
  readonly fields: ReadonlyMap<string, string>;
  readonly clientReference: string | undefined;
  readonly isPlayed: boolean;
}

export function openTwilioCarrier(settings: TwilioSettings, surroundings: TwilioSurroundings): Provider {
  const { name, pepper, clock, eventsUrl, publicUrl, speech } = surroundings;
  if (eventsUrl === undefined || publicUrl === undefined) {
    throw new Error("twilio: expected the server's public URL, at which Twilio reports: set --public-url");
  }
  const { accountSid, authToken, connections, baseUrl } = settings;
  const tokens = createMessageTokens(pepper, "carrier event");
  const speechLinks = createSpeechLinks(pepper);
  const client = new ApiClient(baseUrl, { connections, clock });
  const authorization = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString("base64")}`;
  const headers = { authorization, accept: "application/json" };
  const account = `/2010-04-01/Accounts/${accountSid}`;
  const traffic = new ApiTraffic(clock);

  /** Writes the request for a message, or returns why it cannot be written. */
  async function write(submission: Submission): Promise<{ path: string; form: URLSearchParams } | SubmitOutcome> {
    const { channel, clientReference, sender, to, content: body, giveUpAt } = submission;
    const callbackUrl = `${eventsUrl}?${TOKEN}=${tokens.make(clientReference)}`;
    const { from, messagingServiceSid, machineDetection: detectsMachines } = settings;
    if (channel !== "VOICE") {
      const order = {
        to,
        from: sender ?? from,
        messagingServiceSid,
        body,
        callbackUrl,
        leftMs: giveUpAt - clock.now(),
      };
      return { path: `${account}/Messages.json`, form: writeText(order) };
    }
    const key = findOptOutKey(submission, settings.marketing);
    const keyUrl = key === undefined ? undefined : `${callbackUrl}&${KEY}=${key}`;
    const twiml = writeTwiml(await prepareSpeech(submission), `${callbackUrl}&${PLAYED}=1`, keyUrl);
    if (twiml === undefined) {
      const detail = "the text is too long for Twilio to speak: at most 4,000 characters, and & and < count as several";
      return { outcome: "refused", reason: "TTS_FAILED", isOptOut: false, detail, isUnasked: true };
    }
    const { ringSeconds, isRecorded } = submission.call ?? TRIAL;
    const form = writeCall({ to, from, twiml, callbackUrl, ringSeconds, isRecorded, detectsMachines });
    return { path: `${account}/Calls.json`, form };
  }

  /** Returns the link of the speech that msgd made. Without one, Twilio speaks the text. */
  async function prepareSpeech({ call, content: text, giveUpAt }: Submission): Promise<Spoken> {
    const { language, voice } = call ?? TRIAL;
    if (call === undefined || speech === undefined) return { text, language, voice };
    await speech.fileOf({ reference: call.speech, text, language, voice });
    const usableUntil = giveUpAt + LONGEST_UNPLAYED_MS;
    return { url: toSpeechUrl(`${publicUrl}`, speechLinks.make(call.speech, usableUntil)) };
  }

  async function submit(submission: Submission, { signal, handOver }: SubmitCall): Promise<SubmitOutcome> {
    const { attempts } = submission;
    const written = await write(submission);
    if ("outcome" in written) return written;
    try {
      const answer = await client.send({
        ...{ method: "POST", path: written.path, signal, timeoutMs: ANSWER_MS, beforeBody: handOver },
        headers: { ...headers, "content-type": "application/x-www-form-urlencoded" },
        body: written.form.toString(),
      });
      const outcome = readAnswer(answer, attempts);
      if (outcome === undefined) throw new Error(`Twilio answered with status ${answer.status}`);
      return outcome;
    } catch (error) {
      return deferUnsent(error, { attempts, signal });
    }
  }

  /** Returns the event of a text's status; undefined if it says nothing that is reported. */
  function toReceipt(clientReference: string, sid: string, status: string, code: number): ProviderEvent | undefined {
    const report = readStatus(status, code);
    if (report === undefined) return undefined;
    return { kind: "receipt", eventId: `${sid} ${status}`, clientReference, providerMessageId: sid, ...report };
  }

  /** Returns the event of a call's status; undefined if it says nothing that is reported. */
  function toCallEvent(clientReference: string, sid: string, state: CallState): ProviderEvent | undefined {
    const report = readCall(state);
    if (report === undefined) return undefined;
    return { kind: "call", eventId: `${sid} ${state.status}`, clientReference, providerMessageId: sid, report };
  }

  /** Reads the event of a request whose signature is valid; undefined if it reports nothing about a message. */
  async function readEvent({ fields, clientReference, isPlayed }: Told): Promise<ProviderEvent | undefined> {
    const callSid = fields.get("CallSid");
    if (callSid !== undefined) {
      if (clientReference === undefined) return undefined;
      const named = { clientReference, providerMessageId: callSid };
      if (isPlayed) return { kind: "call", eventId: `${callSid} played`, ...named, report: { stage: "PLAYED" } };
      return toCallEvent(clientReference, callSid, await findCallState(callSid, fields));
    }
    const sid = fields.get("MessageSid") ?? "";
    const status = fields.get("MessageStatus");
    if (sid === "") return undefined;
    if (status !== undefined) {
      const code = Number(fields.get("ErrorCode") ?? 0);
      return clientReference === undefined ? undefined : toReceipt(clientReference, sid, status, code);
    }
    const [from, to, text] = [fields.get("From"), fields.get("To"), fields.get("Body")];
    if (from === undefined || to === undefined || text === undefined) return undefined;
    return { kind: "inbound", eventId: sid, from, to, text, isAnswered: settings.answersKeywords };
  }

  /** Reads the state of a call in a callback. Asks Twilio whether a machine answered if the callback does not say it. */
  async function findCallState(sid: string, fields: ReadonlyMap<string, string>): Promise<CallState> {
    const status = fields.get("CallStatus") ?? "";
    const state = { status, duration: fields.get("CallDuration"), sipStatus: fields.get("SipResponseCode") };
    const answeredBy = fields.get("AnsweredBy");
    if (!settings.machineDetection || status !== "completed" || answeredBy !== undefined) {
      return { ...state, answeredBy };
    }
    return { ...state, ...(await askAboutCall(sid)) };
  }

  async function askAboutCall(sid: string): Promise<CallState | undefined> {
    const found = await ask(`Calls/${sid}`);
    return found && { status: found("status"), duration: found("duration"), answeredBy: found("answered_by") };
  }

  /** Asks Twilio for the fields of a text or call. Returns undefined if Twilio does not have it. */
  async function ask(path: string, signal?: AbortSignal): Promise<((name: string) => string) | undefined> {
    const answer = await client.send({
      ...{ method: "GET", path: `${account}/${path}.json`, headers, timeoutMs: PROBE_MS, ...defined({ signal }) },
    });
    if (answer.status === 404) return undefined;
    if (answer.status !== 200) throw new Error(`Twilio answered with status ${answer.status}`);
    const fields = readFields(answer.body);
    return (name) => String(fields[name] ?? "");
  }

  async function review(accepted: AcceptedSubmission, signal: AbortSignal): Promise<void> {
    const { channel, clientReference, providerMessageId: sid } = accepted;
    const found = await ask(`${channel === "VOICE" ? "Calls" : "Messages"}/${sid}`, signal);
    if (found === undefined) return;
    const status = found("status");
    const call = { status, duration: found("duration"), answeredBy: found("answered_by") };
    const event =
      channel === "VOICE"
        ? toCallEvent(clientReference, sid, call)
        : toReceipt(clientReference, sid, status, Number(found("error_code")));
    if (event !== undefined && !(await traffic.record(event))) throw new Error("the carrier was stopped");
  }

  async function receive({ query, headers: given, body }: EventsRequest): Promise<EventsReply> {
    const fields = readForm(body.toString("utf8"));
    const url = query === "" ? `${eventsUrl}` : `${eventsUrl}?${query}`;
    if (
      fields === undefined ||
      !isSameSecret(String(given["x-twilio-signature"] ?? ""), signForm(authToken, url, fields))
    ) {
      return { status: 403, detail: "the signature is not Twilio's" };
    }
    const parameters = new URLSearchParams(query);
    const clientReference = tokens.read(parameters.get(TOKEN) ?? "");
    const told = { fields, clientReference, isPlayed: parameters.has(PLAYED) };
    const optOutKey = parameters.get(KEY);
    if (optOutKey !== null) return receiveKey(told, optOutKey);
    return told.isPlayed ? receivePlayed(told) : receiveStatus(told);
  }

  /**
   * Answers the request that follows a key. An opt-out is recorded before the call ends. Any other key ends the call too,
   * because it has stopped the speech.
   */
  async function receiveKey({ fields, clientReference }: Told, optOutKey: string): Promise<EventsReply> {
    const callSid = fields.get("CallSid");
    const hangsUp = { status: 200, contentType: TWIML, body: hangUp } as const;
    if (callSid === undefined || clientReference === undefined || fields.get("Digits") !== optOutKey) return hangsUp;
    const optOut = { kind: "opt-out", eventId: `${callSid} key`, clientReference, cause: "OPT_OUT" } as const;
    if (!(await traffic.record(optOut))) return { status: 503 };
    return receivePlayed({ fields, clientReference, isPlayed: true });
  }

  /** Answers the request that follows the speech of a call. Someone is on the line, who would hear of any other answer. */
  async function receivePlayed(told: Told): Promise<EventsReply> {
    const event = await readEvent(told);
    if (event !== undefined) await traffic.record(event).catch(() => undefined);
    return { status: 200, contentType: TWIML, body: hangUp };
  }

  async function receiveStatus(told: Told): Promise<EventsReply> {
    const event = await readEvent(told);
    if (event === undefined) return { status: 204 };
    if (!(await traffic.record(event))) return { status: 503 };
    // an empty answer to a text from a phone sends nothing
    return event.kind === "inbound" ? { status: 200, contentType: TWIML, body: "<Response/>" } : { status: 204 };
  }

  return {
    name,
    callTimeoutMs: ANSWER_MS,
    submit: (submission, call) => traffic.submit(() => submit(submission, call)),
    ...defined({ speech, marketing: settings.marketing }),
    receive,
    review,
    capacity: () => connections,
    async probe() {
      const { status } = await client.send({
        ...{ method: "GET", path: `${account}.json`, headers, timeoutMs: PROBE_MS },
      });
      if (status !== 200) throw new Error(`Twilio answered with status ${status}`);
    },
    isBusy: () => traffic.isRecording,
    start: (given) => traffic.start(given),
    async stop() {
      await traffic.stop();
      client.close();
    },
  };
}
