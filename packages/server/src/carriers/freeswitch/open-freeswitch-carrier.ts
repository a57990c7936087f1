// Places each call once through FreeSWITCH's event socket, and follows it by FreeSWITCH's events. Missed events are
// reconstructed from FreeSWITCH's channels and call records.

import { hash } from "node:crypto";
import { open } from "node:fs/promises";
import { basename, join } from "node:path";
import { speechKey } from "../../domain/calls/speech.ts";
import type { Clock } from "../../platform/clock.ts";
import { defined } from "../../platform/defined.ts";
import type { Logger } from "../../platform/logging.ts";
import type { CallSurroundings } from "../kind.ts";
import { type ConnectionWatch, endWithin, Link } from "../link.ts";
import { findOptOutKey } from "../marketing-calls.ts";
import type { CallTerms, FindOutcome, Provider, Submission, SubmitCall, SubmitOutcome } from "../provider.ts";
import { SpeechNotMade } from "../speech/command-speech.ts";
import type { SpeechFiles, SpeechOrder } from "../speech/engine.ts";
import { type Beginning, CallWatch, type EndedCall, readEnd, readUnplaced, writeOriginate } from "./calls.ts";
import { EventSocket, type SocketEvent } from "./event-socket.ts";
import { PhoneWatch } from "./phone-watch.ts";
import type { FreeSwitchSettings } from "./settings.ts";

/** Timeout from the submission until the hand-over is recorded, including the time to make a removed speech file again. */
const CALL_MS = 40_000;
/** Timeout for making a removed speech file again, and the pause before a retry if the timeout passes. */
const SPEECH_MS = 15_000;
const SPEECH_AGAIN_MS = 5_000;
/** Timeout from the command that places a call to the first event of its channel. */
const ANSWER_MS = 20_000;
const ASK_MS = 10_000;
const UNREACHED_MS = 5_000;
/** Intervals between reviews of calls that may have ended without an event, and the maximum number of calls per review. */
const REVIEW_MS = 60_000;
const REVIEW_AGAIN_MS = 5_000;
const MOST_REVIEWED = 2_000;
/** One call in this many is reserved for one-time passwords, because a campaign's calls occupy the others for minutes. */
const FEWEST_A_RESERVED = 5;
/** Time for which `stop` waits for answers to calls that were handed over. */
const DRAIN_MS = 5_000;

export interface FreeSwitchCarrierOptions {
  readonly name: string;
  readonly settings: FreeSwitchSettings;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Key under which the ids of the carrier's calls are stored. */
  readonly ledger: string;
  readonly surroundings: CallSurroundings;
  readonly speech: SpeechFiles;
  /** Returns 0 to 1, to vary the pauses between attempts to connect. @default Math.random */
  readonly random?: () => number;
}

/** Opens a carrier of calls, which connects when it is started. */
export function openFreeSwitchCarrier(options: FreeSwitchCarrierOptions): Provider {
  const { name, settings, clock, logger, surroundings, speech, random = Math.random } = options;
  const mark = carrierMark(options.ledger);
  const submitting = new Set<Promise<SubmitOutcome>>();
  let isStarted = false;
  /** Whether the calls in progress were reviewed since the connection began. */
  let isReviewed = false;
  let noteReach: (unreached?: string) => void = () => {};
  let noteRoom = () => {};
  let lastFailure = "the carrier was not started";
  let cancelReview = () => {};

  const calls = new CallWatch({ name, mark, clock, logger, onRoom: () => noteRoom() });
  const phones = settings.presence ? new PhoneWatch({ surroundings, clock, logger, ask }) : undefined;
  const connect = (watch: ConnectionWatch) => new EventSocket({ settings, clock, take, ...watch });
  const onReady = () => {
    void review();
    phones?.start();
  };
  const link = new Link({ clock, random, connect, onReady, onEnd: noteEnd });

  function noteEnd(reason: string): void {
    lastFailure = reason;
    isReviewed = false;
    phones?.stop();
    if (!isStarted) return;
    logger.warn({ carrier: name, reason }, "the connection to FreeSWITCH ended; reconnecting");
    noteReach(putOff().detail);
  }

  async function take(event: SocketEvent): Promise<void> {
    if (event["Event-Name"] === "CUSTOM") phones?.take(event);
    else await calls.take(event);
  }

  async function ask(command: string): Promise<string> {
    if (link.ready === undefined) throw new Error(putOff().detail);
    return link.ready.ask(command, ASK_MS);
  }

  /** Reviews calls that may have ended without an event, now and at intervals. */
  async function review(): Promise<void> {
    cancelReview();
    const wasReviewed = isReviewed;
    const connection = link.ready;
    try {
      if (connection !== undefined) await reviewOnce();
      isReviewed = connection !== undefined && link.ready === connection;
      if (isReviewed && !wasReviewed) noteReach();
    } catch (error) {
      logger.warn(
        { err: error, carrier: name },
        "failed to look up calls that may have ended without an event; retrying",
      );
    }
    cancelReview();
    const pauseMs = isReviewed ? REVIEW_MS : REVIEW_AGAIN_MS;
    if (isStarted) cancelReview = clock.at(clock.now() + pauseMs, () => void review());
  }

  async function reviewOnce(): Promise<void> {
    // list the calls before the channels, so that a call without a channel must have ended
    const own = await surroundings.listCallsUnderWay(MOST_REVIEWED);
    const before = calls.idsUnderWay;
    const channels = readChannelIds(await ask("api show channels as json"));
    calls.correct({
      there: own.map(callIdOf).filter((callId) => channels.has(callId)),
      gone: before.filter((callId) => !channels.has(callId)),
    });
    for (const messageId of own) if (!channels.has(callIdOf(messageId))) await tellOfRecord(messageId);
  }

  /** Reports the end of a call from its call record. Returns whether there is a record. */
  async function tellOfRecord(messageId: string): Promise<boolean> {
    const { callRecordFolder } = settings;
    const callId = callIdOf(messageId);
    const end = callRecordFolder === undefined ? undefined : await readCallRecord(callRecordFolder, callId);
    if (end !== undefined) await calls.tell(messageId, callId, end);
    return end !== undefined;
  }

  async function submit(submission: Submission, { signal, handOver }: SubmitCall): Promise<SubmitOutcome> {
    const { clientReference: messageId, to, content: text, call } = submission;
    const { speech: reference, language, voice, ...terms } = call ?? trialTerms(text);
    const optOutKey = findOptOutKey(submission, settings.marketing);
    const file = await findFile({ reference, text, language, voice });
    if (typeof file !== "string") return file;
    const callId = callIdOf(messageId);
    const played = settings.speechFolder === undefined ? file : `${settings.speechFolder}/${basename(file)}`;
    const command = writeOriginate({ callId, messageId, mark, to, file: played, optOutKey, ...terms }, settings);
    if (!isStarted || link.ready === undefined) return putOff();
    await handOver();
    signal.throwIfAborted();
    // if the connection ended, the command was not sent
    if (link.ready === undefined) return putOff();
    // from here on only the call's own timeout applies: an abort cannot take the command back
    const refused = refusalIn(link.ready.ask(command, ANSWER_MS));
    const beginning = await calls.waitForBeginning(callId, { timeoutMs: ANSWER_MS, refused });
    const taken = { outcome: "taken", providerMessageId: callId } as const;
    if (beginning === "channel" || beginning.words.startsWith("+OK")) return taken;
    // FreeSWITCH refuses a call whose UUID is in use as if it had no free session
    if ((await find(messageId)).outcome === "taken") return taken;
    const said = readUnplaced(beginning.words);
    if (!("stage" in said)) return said;
    await calls.tell(messageId, callId, said);
    return taken;
  }

  /** Finds the path of a speech file. If the file was removed, the speech is made again. */
  function findFile(order: SpeechOrder): Promise<string | SubmitOutcome> {
    let cancel = () => {};
    const late = new Promise<SubmitOutcome>((resolve) => {
      const detail = "its speech is being made";
      const outcome = { outcome: "deferred", retryAfterMs: SPEECH_AGAIN_MS, detail, isUnasked: true } as const;
      cancel = clock.at(clock.now() + SPEECH_MS, () => resolve(outcome));
    });
    return Promise.race([speech.fileOf(order).catch(toUnspoken), late]).finally(cancel);
  }

  /** Rejects with a reason unless FreeSWITCH reports the gateway as up. */
  async function probe(): Promise<void> {
    const printed = await ask(`api sofia status gateway ${settings.gateway}`);
    if (/^Status\s+UP\b/m.test(printed)) return;
    const [line = ""] = printed.match(/^Status\s+\w+/m) ?? [];
    throw new Error(`gateway ${settings.gateway}: ${line === "" ? "no such gateway" : line.replace(/\s+/, " ")}`);
  }

  function putOff(): SubmitOutcome & { outcome: "deferred" } {
    const detail = `no connection with FreeSWITCH at ${settings.host}:${settings.port}: ${lastFailure}`;
    return { outcome: "deferred", retryAfterMs: UNREACHED_MS, detail, isUnreached: true };
  }

  async function find(messageId: string): Promise<FindOutcome> {
    const callId = callIdOf(messageId);
    const isUp = (await ask(`api uuid_exists ${callId}`)).trim() === "true";
    // without a channel and a record, the call may still have taken place: it may have ended, and its record been deleted
    return isUp || (await tellOfRecord(messageId))
      ? { outcome: "taken", providerMessageId: callId }
      : { outcome: "unknown" };
  }

  return {
    name,
    speech,
    ...defined({ marketing: settings.marketing }),
    callTimeoutMs: CALL_MS,
    answerTimeoutMs: ANSWER_MS,
    async submit(submission, call) {
      const outcome = submit(submission, call);
      submitting.add(outcome);
      return outcome.finally(() => submitting.delete(outcome));
    },
    find,
    probe,
    reserved: Math.floor(settings.calls / FEWEST_A_RESERVED),
    capacity: () => (isStarted && isReviewed ? Math.max(settings.calls - calls.count, 0) : 0),
    isBusy: () => calls.isTelling,
    start(sink, newNoteReach = () => {}, newNoteRoom = () => {}) {
      isStarted = true;
      noteReach = newNoteReach;
      noteRoom = newNoteRoom;
      lastFailure = "no connection yet";
      calls.start(sink);
      link.open();
    },
    async stop() {
      isStarted = false;
      [noteReach, noteRoom] = [() => {}, () => {}];
      lastFailure = "the carrier was stopped";
      cancelReview();
      await endWithin(clock, DRAIN_MS, Promise.allSettled(submitting));
      await calls.stop();
      await link.close();
    },
  };
}

/** Resolves if FreeSWITCH refuses the command. Rejects if no reply arrives. Never settles if the command is accepted. */
async function refusalIn(reply: Promise<string>): Promise<Beginning> {
  const words = await reply;
  return words.startsWith("+OK") ? new Promise<never>(() => {}) : { words };
}

function toUnspoken(error: unknown): SubmitOutcome {
  if (!(error instanceof SpeechNotMade)) throw error;
  return { outcome: "refused", reason: "TTS_FAILED", isOptOut: false, detail: error.message, isUnasked: true };
}

/** Returns a message's channel UUID, which is always the same: FreeSWITCH refuses a second call with a UUID in use. */
export function callIdOf(messageId: string): string {
  const digits = hash("sha256", `call ${messageId}`, "hex");
  // UUID version 8: custom
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-8$3-8$4-$5");
}

/** Returns the mark that identifies a carrier in the variables of its calls. */
export function carrierMark(ledger: string): string {
  return hash("sha256", ledger, "hex").slice(0, 12);
}

const LARGEST_BYTES = 2 ** 20;

/** Reads how a call ended from mod_json_cdr's record. Returns undefined if there is no complete record. */
export async function readCallRecord(folder: string, callId: string): Promise<EndedCall | undefined> {
  // mod_json_cdr adds "a_" if its `prefix-a-leg` is on
  for (const prefix of ["", "a_"]) {
    const text = await readStart(join(folder, `${prefix}${callId}.cdr.json`));
    const variables = text === undefined ? undefined : readVariables(text);
    if (variables !== undefined) return readEnd((name) => toText(variables[name]));
  }
  return undefined;
}

async function readStart(path: string): Promise<string | undefined> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (file === undefined) return undefined;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(LARGEST_BYTES), 0, LARGEST_BYTES, 0);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Returns undefined if the file is not completely written yet. */
function readVariables(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const { variables } = JSON.parse(text) as { variables?: unknown };
    return typeof variables === "object" && variables !== null ? (variables as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function toText(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** Reads the ids of all calls from the output of `show channels as json`. Throws if the output is anything else. */
function readChannelIds(printed: string): Set<string> {
  const { rows = [] } = JSON.parse(printed) as { rows?: { uuid?: unknown }[] };
  return new Set(rows.flatMap(({ uuid }) => (typeof uuid === "string" ? [uuid] : [])));
}

const voice = { voice: "default", language: "en-US" };
const RING_SECONDS = 30;

/** Returns the terms of a test call, for which no speech was made in advance. */
function trialTerms(text: string): CallTerms {
  const speech = speechKey({ provider: "trial", model: "trial", ...voice, text });
  return { speech, ...voice, isRecorded: false, ringSeconds: RING_SECONDS };
}
