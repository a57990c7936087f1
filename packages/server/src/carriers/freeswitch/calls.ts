// Calls at FreeSWITCH: the command that places a call, how a call ended according to an event or call record, and the
// calls in progress.

import type { CallOutcome } from "../../domain/calls/rules.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Logger } from "../../platform/logging.ts";
import type { CallReport, EventSink, MessageEvent, SubmitOutcome } from "../provider.ts";
import type { SocketEvent } from "./event-socket.ts";
import type { FreeSwitchSettings } from "./settings.ts";

export interface CallPlan {
  readonly callId: string;
  readonly messageId: string;
  /** Value that marks the carrier's own calls. */
  readonly mark: string;
  /** E.164. */
  readonly to: string;
  /** Path of the speech file on FreeSWITCH's machine. */
  readonly file: string;
  readonly isRecorded: boolean;
  readonly ringSeconds: number;
  /** The digit that ends the call and opts the recipient out. Omitted if keys do nothing. */
  readonly optOutKey?: string | undefined;
}

/** Channel variables with the id of the message and with the carrier's mark. */
const MESSAGE_VARIABLE = "msgd_message";
const CARRIER_VARIABLE = "msgd_carrier";
/** Channel variable with the result of playback. Unset if the call ended before playback finished. */
const PLAYED_VARIABLE = "msgd_played";
/**
 * Channel variable with the key that stopped the playback. FreeSWITCH sets it, and then reports the file as played:
 * https://developer.signalwire.com/freeswitch/Channel-Variables-Catalog/playback_terminator_used_16353270
 */
const KEY_VARIABLE = "playback_terminator_used";

/** FreeSWITCH's own folder for recordings. */
const RECORDINGS = "$" + "{recordings_dir}";
/** Pause after the answer, because people speak first. */
const PAUSE_MS = 500;

/**
 * Writes the command that places a call, without the empty line that ends it. After the answer, the channel plays the
 * file and hangs up. The job's UUID is the call's UUID.
 */
export function writeOriginate(plan: CallPlan, settings: FreeSwitchSettings): string {
  const { callId, messageId, mark, to, ringSeconds, optOutKey } = plan;
  const { gateway, callerId, callerName } = settings;
  const variables = Object.entries({
    origination_uuid: callId,
    origination_caller_id_number: callerId,
    origination_caller_id_name: `'${callerName ?? callerId}'`,
    originate_timeout: ringSeconds,
    // early media, such as a ringing tone, does not count as an answer
    ignore_early_media: true,
    // no other key stops the speech
    playback_terminators: optOutKey ?? "none",
    [MESSAGE_VARIABLE]: messageId,
    [CARRIER_VARIABLE]: mark,
  }).map(([name, value]) => `${name}=${value}`);
  return [
    `bgapi originate {${variables.join(",")}}sofia/gateway/${gateway}/${to} '${listApplications(plan, settings).join(",")}' inline`,
    `Job-UUID: ${callId}`,
  ].join("\n");
}

function listApplications(
  { messageId, file, isRecorded }: CallPlan,
  { recordingFolder }: FreeSwitchSettings,
): string[] {
  const recording = `${recordingFolder ?? RECORDINGS}/${messageId}.wav`;
  return [
    ...(isRecorded ? [`record_session:${recording}`] : []),
    `sleep:${PAUSE_MS}`,
    `playback:${file}`,
    `set:${PLAYED_VARIABLE}=\${current_application_response}`,
    "hangup:NORMAL_CLEARING",
  ];
}

/** Returns a variable of a channel. */
type Variables = (name: string) => string | undefined;

/** Outcomes of unanswered calls, by Q.850 cause. For any other cause, the outcome is CARRIER_UNKNOWN. */
const unanswered: Readonly<Record<string, CallOutcome>> = {
  USER_BUSY: "BUSY",
  NO_ANSWER: "NO_ANSWER",
  // the ring time was over
  ORIGINATOR_CANCEL: "NO_ANSWER",
  ALLOTTED_TIMEOUT: "NO_ANSWER",
  NO_USER_RESPONSE: "UNREACHABLE",
  SUBSCRIBER_ABSENT: "UNREACHABLE",
  USER_NOT_REGISTERED: "UNREACHABLE",
  RECOVERY_ON_TIMER_EXPIRE: "UNREACHABLE",
  CALL_REJECTED: "BLOCKED",
  UNWANTED: "BLOCKED",
  UNALLOCATED_NUMBER: "INVALID_NUMBER",
  NUMBER_CHANGED: "INVALID_NUMBER",
  INVALID_NUMBER_FORMAT: "INVALID_NUMBER",
  NO_ROUTE_DESTINATION: "INVALID_NUMBER",
};

/** Outcomes by SIP status where the cause is less specific (RFC 8197, RFC 8688). 401, 402 and 407 concern our own account. */
const byStatus: Readonly<Record<string, CallOutcome>> = {
  "401": "CARRIER_UNKNOWN",
  "402": "CARRIER_UNKNOWN",
  "407": "CARRIER_UNKNOWN",
  "607": "BLOCKED",
  "608": "CARRIER_FILTERED",
};

/**
 * Causes that mean FreeSWITCH cannot place a call to any number now: the gateway or its profile is down or missing, for
 * example during a reload, or no session is free.
 */
const unplaceable = new Set([
  "GATEWAY_DOWN",
  "INVALID_GATEWAY",
  "INVALID_PROFILE",
  "CHAN_NOT_IMPLEMENTED",
  "DESTINATION_OUT_OF_ORDER",
]);
const UNPLACEABLE_MS = 5_000;

/** How a call ended. `isOptOut` is set if the recipient pressed the key that opts out. */
export type EndedCall = CallReport & { readonly stage: "ENDED"; readonly isOptOut?: true };

/** Reads how a call ended. The duration counts from the answer. */
export function readEnd(variable: Variables): EndedCall {
  const durationSeconds = Math.ceil(Number(variable("billmsec") ?? 0) / 1_000) || 0;
  const isAnswered = isTime(variable("answer_epoch"));
  const outcome = isAnswered ? readAnswered(variable) : readUnanswered(variable);
  const end = { stage: "ENDED", outcome, durationSeconds } as const;
  // only the key that opts out stops a playback
  return (variable(KEY_VARIABLE) ?? "") === "" ? end : { ...end, isOptOut: true };
}

function readAnswered(variable: Variables): CallOutcome {
  const how = variable(PLAYED_VARIABLE) ?? "";
  if (how !== "") return how === "FILE PLAYED" ? "HEARD" : "PLAYBACK_FAILED";
  // FreeSWITCH ended the call because it was being stopped
  return variable("sip_hangup_disposition") === "send_bye" ? "PLAYBACK_FAILED" : "HANGUP";
}

function readUnanswered(variable: Variables): CallOutcome {
  const status = variable("sip_invite_failure_status") ?? variable("sip_term_status") ?? "";
  const outcome = byStatus[status] ?? unanswered[variable("hangup_cause") ?? ""] ?? "CARRIER_UNKNOWN";
  const hasRung = isTime(variable("progress_epoch")) || isTime(variable("progress_media_epoch"));
  // the ring time ended before any phone rang
  const isGivenUp = variable("sip_hangup_disposition") === "send_cancel";
  return outcome === "NO_ANSWER" && isGivenUp && !hasRung ? "UNREACHABLE" : outcome;
}

/** Returns whether an event happened. If it did not, FreeSWITCH reports its time as 0. */
function isTime(epoch: string | undefined): boolean {
  return Number(epoch ?? 0) > 0;
}

/**
 * Reads the result of a command whose call was not answered, such as `-ERR INVALID_GATEWAY`. The result says why there
 * was no channel or, if the channel sent no event, how the call ended.
 */
export function readUnplaced(words: string): SubmitOutcome | (CallReport & { stage: "ENDED" }) {
  const detail = words.trim();
  // other words, such as `originate Command not found!`, are no cause: nothing was placed
  const [, cause] = /^-ERR ([A-Z][A-Z\d_]+)$/.exec(detail) ?? [];
  if (cause === undefined) return { outcome: "failed", detail };
  if (!unplaceable.has(cause))
    return { stage: "ENDED", outcome: unanswered[cause] ?? "CARRIER_UNKNOWN", durationSeconds: 0 };
  return { outcome: "deferred", retryAfterMs: UNPLACEABLE_MS, detail, isUnreached: true };
}

/** How a call begins: a channel appears, or the command ends with a result such as `-ERR USER_BUSY`. */
export type Beginning = "channel" | { readonly words: string };

export interface CallWatchOptions {
  readonly name: string;
  /** Value of the channel variable that marks the carrier's calls. */
  readonly mark: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called when capacity for another call becomes free. */
  readonly onRoom: () => void;
}

const RETELL_MS = 1_000;
/** Maximum number of calls tracked at once. It is far above any carrier's limit. Further calls are not tracked. */
const MOST_UNDER_WAY = 10_000;

export class CallWatch {
  readonly #options: CallWatchOptions;
  readonly #beginnings = new Map<string, (beginning: Beginning) => void>();
  readonly #underWay = new Set<string>();
  readonly #telling = new Set<Promise<void>>();
  #sink: EventSink | undefined;
  #stop: () => void = () => {};
  #stopped = Promise.resolve();

  constructor(options: CallWatchOptions) {
    this.#options = options;
  }

  get count(): number {
    return this.#underWay.size;
  }

  get isTelling(): boolean {
    return this.#telling.size > 0;
  }

  start(sink: EventSink): void {
    this.#sink = sink;
    this.#stopped = new Promise((resolve) => {
      this.#stop = resolve;
    });
  }

  /** Stops reporting, and waits until the events in progress are recorded. */
  async stop(): Promise<void> {
    this.#sink = undefined;
    this.#stop();
    await Promise.allSettled(this.#telling);
  }

  /** Handles an event. Resolves when it is recorded. */
  async take(event: SocketEvent): Promise<void> {
    if (event["Event-Name"] === "BACKGROUND_JOB") {
      // the job that places a call has the call's id
      this.#beginnings.get(event["Job-UUID"] ?? "")?.({ words: event._body ?? "" });
      return;
    }
    const call = readCallEvent(event);
    if (call === undefined || call.mark !== this.#options.mark) return;
    const { callId, messageId, report } = call;
    if (report?.stage === "ENDED") this.#leave(callId);
    else if (this.#underWay.size < MOST_UNDER_WAY) this.#underWay.add(callId);
    this.#beginnings.get(callId)?.("channel");
    if (report !== undefined) await this.tell(messageId, callId, report);
  }

  /** Resolves when the call has begun, or when `refused` resolves. Rejects if neither happens in time. */
  async waitForBeginning(
    callId: string,
    { timeoutMs, refused }: { timeoutMs: number; refused: Promise<Beginning> },
  ): Promise<Beginning> {
    const { clock } = this.#options;
    let cancel = () => {};
    const beginning = new Promise<Beginning>((resolve, reject) => {
      this.#beginnings.set(callId, resolve);
      cancel = clock.at(clock.now() + timeoutMs, () =>
        reject(new Error(`no event of the call within ${timeoutMs} ms`)),
      );
    });
    try {
      return await Promise.race([beginning, refused]);
    } finally {
      cancel();
      this.#beginnings.delete(callId);
    }
  }

  get idsUnderWay(): readonly string[] {
    return [...this.#underWay];
  }

  /** Updates the set of calls in progress to match FreeSWITCH's channels. */
  correct({ there, gone }: { there: readonly string[]; gone: readonly string[] }): void {
    for (const callId of there) this.#underWay.add(callId);
    for (const callId of gone) this.#leave(callId);
  }

  /** Reports an event of a call repeatedly until it is recorded, because FreeSWITCH sends each event once. */
  async tell(messageId: string, callId: string, report: CallReport | EndedCall): Promise<void> {
    const told = this.#tellAll(messageId, callId, report);
    this.#telling.add(told);
    await told.finally(() => this.#telling.delete(told));
  }

  /** Reports an opt-out before the end of its call: until the end is recorded, the call's record is read again. */
  async #tellAll(clientReference: string, callId: string, told: CallReport | EndedCall): Promise<void> {
    const { isOptOut, ...report } = { isOptOut: false, ...told };
    if (isOptOut)
      await this.#keepTelling({ kind: "opt-out", eventId: `${callId} key`, clientReference, cause: "OPT_OUT" });
    const eventId = `${callId} ${report.stage}`;
    await this.#keepTelling({ kind: "call", eventId, clientReference, providerMessageId: callId, report });
  }

  async #keepTelling(event: MessageEvent): Promise<void> {
    const { clock, logger, name } = this.#options;
    while (this.#sink !== undefined) {
      try {
        return await this.#sink(event);
      } catch (error) {
        const { clientReference: messageId } = event;
        logger.warn({ err: error, carrier: name, messageId }, "failed to record a call report; retrying");
        await Promise.race([this.#stopped, new Promise<void>((resume) => clock.at(clock.now() + RETELL_MS, resume))]);
      }
    }
  }

  #leave(callId: string): void {
    if (this.#underWay.delete(callId)) this.#options.onRoom();
  }
}

/** An event of one of msgd's calls. */
interface CallEvent {
  readonly callId: string;
  readonly messageId: string;
  readonly mark: string;
  /** Undefined for an event that only shows that the call exists. */
  readonly report: CallReport | EndedCall | undefined;
}

const stages: Readonly<Record<string, "RINGING" | "ANSWERED" | "PLAYING">> = {
  CHANNEL_PROGRESS: "RINGING",
  CHANNEL_PROGRESS_MEDIA: "RINGING",
  CHANNEL_ANSWER: "ANSWERED",
  PLAYBACK_START: "PLAYING",
};

/** Reads an event of a call. Returns undefined if msgd did not place the call. */
function readCallEvent(event: SocketEvent): CallEvent | undefined {
  const variable: Variables = (name) => event[`variable_${name}`];
  const callId = event["Unique-ID"];
  const messageId = variable(MESSAGE_VARIABLE);
  if (callId === undefined || messageId === undefined) return undefined;
  return { callId, messageId, mark: variable(CARRIER_VARIABLE) ?? "", report: readReport(event, variable) };
}

function readReport(event: SocketEvent, variable: Variables): CallReport | EndedCall | undefined {
  const name = event["Event-Name"] ?? "";
  if (name === "CHANNEL_HANGUP_COMPLETE") return readEnd(variable);
  const stage = stages[name];
  return stage === undefined ? undefined : { stage };
}
