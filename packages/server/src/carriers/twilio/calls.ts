// Calls at Twilio: the request that places one, what Twilio says and does in it, and how its statuses are read.
// https://www.twilio.com/docs/voice/api/call-resource

import type { CallOutcome } from "../../domain/calls/rules.ts";
import { escapeXml } from "../../domain/provisioning/rules.ts";
import type { CallReport } from "../provider.ts";

/** Maximum length of TwiML in a request: https://www.twilio.com/docs/api/errors/32018 */
const MOST_TWIML = 4_000;
/** Longest time that a call may ring: https://www.twilio.com/docs/voice/api/call-resource */
const LONGEST_RING_SECONDS = 600;
/** Bounds a call that nobody hangs up. Speech takes at most ten minutes. */
const LONGEST_CALL_SECONDS = 900;

/** The speech of a call: a file, or a text that Twilio speaks. */
export type Spoken =
  | { readonly url: string }
  | { readonly text: string; readonly language: string; readonly voice: string };

/** Name of the voice profile for which Twilio's default voice speaks. */
const DEFAULT_VOICE = "default";

/** Time after the speech in which a key can still be pressed. */
const KEY_SECONDS = 2;

/**
 * Writes what Twilio does when the call is answered: it waits for a second, because people speak first, speaks, and then
 * requests `playedUrl`, whose answer hangs up. With `keyUrl`, any key stops the speech, and Twilio requests that URL
 * instead. Returns undefined if that is too long for a request.
 */
export function writeTwiml(spoken: Spoken, playedUrl: string, keyUrl?: string): string | undefined {
  const redirect = `<Redirect method="POST">${escapeXml(playedUrl)}</Redirect>`;
  const said = keyUrl === undefined ? writeSpoken(spoken) : writeGather(writeSpoken(spoken), keyUrl);
  const twiml = `<Response><Pause length="1"/>${said}${redirect}</Response>`;
  return twiml.length > MOST_TWIML ? undefined : twiml;
}

/**
 * Lets a key be pressed during the speech. Without a key, Twilio goes on with the next verb. `finishOnKey` is empty
 * because Twilio would request no URL for that key: https://www.twilio.com/docs/voice/twiml/gather
 */
function writeGather(said: string, keyUrl: string): string {
  const action = `action="${escapeXml(keyUrl)}" method="POST"`;
  return `<Gather input="dtmf" numDigits="1" finishOnKey="" timeout="${KEY_SECONDS}" ${action}>${said}</Gather>`;
}

function writeSpoken(spoken: Spoken): string {
  if ("url" in spoken) return `<Play>${escapeXml(spoken.url)}</Play>`;
  const { text, language, voice } = spoken;
  const voiced = voice === DEFAULT_VOICE ? "" : ` voice="${escapeXml(voice)}"`;
  return `<Say language="${escapeXml(language)}"${voiced}>${escapeXml(text)}</Say>`;
}

/** The answer to the requests for `playedUrl` and `keyUrl`. */
export const hangUp = "<Response><Hangup/></Response>";

export interface CallOrder {
  readonly to: string;
  readonly from: string;
  readonly twiml: string;
  readonly callbackUrl: string;
  readonly ringSeconds: number;
  readonly isRecorded: boolean;
  /** Whether Twilio finds out if a machine answered. */
  readonly detectsMachines: boolean;
}

/** Writes the request that places a call. */
export function writeCall(order: CallOrder): URLSearchParams {
  const { to, from, twiml, callbackUrl, ringSeconds, isRecorded, detectsMachines } = order;
  const form = new URLSearchParams({
    ...{ To: to, From: from, Twiml: twiml, StatusCallback: callbackUrl },
    Timeout: String(Math.min(ringSeconds, LONGEST_RING_SECONDS)),
    TimeLimit: String(LONGEST_CALL_SECONDS),
  });
  for (const event of ["ringing", "answered", "completed"]) form.append("StatusCallbackEvent", event);
  if (isRecorded) form.set("Record", "true");
  // without `AsyncAmd`, the recipient would hear nothing until the detection ends
  if (detectsMachines) form.set("MachineDetection", "Enable");
  if (detectsMachines) form.set("AsyncAmd", "true");
  return form;
}

/** The fields of a call's status, as a callback or the API has them. Omitted fields are not known. */
export interface CallState {
  readonly status: string;
  /** Seconds from the answer to the end. */
  readonly duration?: string | undefined;
  readonly answeredBy?: string | undefined;
  readonly sipStatus?: string | undefined;
}

/** Returns the report of a call's status; undefined if it says nothing that is reported. */
export function readCall(state: CallState): CallReport | undefined {
  switch (state.status) {
    case "ringing":
      return { stage: "RINGING" };
    case "in-progress":
      return { stage: "ANSWERED" };
    case "completed":
      return { stage: "ENDED", outcome: readAnswered(state.answeredBy), durationSeconds: readSeconds(state.duration) };
    case "busy":
      return unanswered("BUSY");
    case "no-answer":
      return unanswered("NO_ANSWER");
    case "failed":
    case "canceled":
      return unanswered(outcomeOf.get(state.sipStatus ?? "") ?? "CARRIER_UNKNOWN");
    default:
      return undefined;
  }
}

function unanswered(outcome: CallOutcome): CallReport {
  return { stage: "ENDED", outcome, durationSeconds: 0 };
}

/** They hung up, unless a machine answered. If the whole speech was played before, the call counts as heard. */
function readAnswered(answeredBy = ""): CallOutcome {
  if (answeredBy.startsWith("machine")) return "VOICEMAIL";
  return answeredBy === "fax" ? "FAX" : "HANGUP";
}

function readSeconds(given = ""): number {
  const seconds = Number(given);
  return Number.isInteger(seconds) && seconds > 0 ? seconds : 0;
}

/** Why a call failed, by the SIP status of the last carrier (RFC 3261, 8197 and 8688). */
const outcomeOf: ReadonlyMap<string, CallOutcome> = new Map([
  ["404", "INVALID_NUMBER"],
  ["410", "INVALID_NUMBER"],
  ["484", "INVALID_NUMBER"],
  ["604", "INVALID_NUMBER"],
  ["408", "UNREACHABLE"],
  ["480", "UNREACHABLE"],
  ["486", "BUSY"],
  ["600", "BUSY"],
  ["603", "BLOCKED"],
  ["607", "BLOCKED"],
  ["608", "CARRIER_FILTERED"],
]);
