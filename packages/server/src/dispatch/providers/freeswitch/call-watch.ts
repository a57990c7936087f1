// What FreeSWITCH says of the calls of a carrier: how each begins, which are under way, and what is reported of them.

import type { Clock } from "../../../platform/clock.ts";
import type { Logger } from "../../../platform/logging.ts";
import type { CallReport, EventSink } from "../provider.ts";
import { CARRIER_VARIABLE, MESSAGE_VARIABLE } from "./call-command.ts";
import { readEnd, type Variables } from "./call-ends.ts";
import type { SocketEvent } from "./event-socket.ts";

/** How the placing of a call went: a channel was made, or the command ended with words such as `-ERR USER_BUSY`. */
export type Beginning = "channel" | { readonly words: string };

export interface CallWatchOptions {
  readonly name: string;
  /** In the variables of its calls. */
  readonly mark: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called when there is room for another call. */
  readonly onRoom: () => void;
}

const RETELL_MS = 1_000;
/** More than any carrier may have at once: what is said of others is no call of ours. */
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

  /** Calls under way. */
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

  /** Reports no more, and waits for what is being reported. */
  async stop(): Promise<void> {
    this.#sink = undefined;
    this.#stop();
    await Promise.allSettled(this.#telling);
  }

  /** Resolves once what the event says is recorded. */
  async take(event: SocketEvent): Promise<void> {
    if (event["Event-Name"] === "BACKGROUND_JOB") {
      // the job of a call has the call's id
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

  /** Resolves when the call has begun, or will not, perhaps as `refused` says. Rejects if nothing is heard of it in time. */
  async waitForBeginning(
    callId: string,
    { timeoutMs, refused }: { timeoutMs: number; refused: Promise<Beginning> },
  ): Promise<Beginning> {
    const { clock } = this.#options;
    let cancel = () => {};
    const beginning = new Promise<Beginning>((resolve, reject) => {
      this.#beginnings.set(callId, resolve);
      cancel = clock.at(clock.now() + timeoutMs, () =>
        reject(new Error(`nothing was heard of the call for ${timeoutMs} ms`)),
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

  /** Takes calls for under way that FreeSWITCH turned out to have, and those for ended that it has no more. */
  correct({ there, gone }: { there: readonly string[]; gone: readonly string[] }): void {
    for (const callId of there) this.#underWay.add(callId);
    for (const callId of gone) this.#leave(callId);
  }

  /** Reports of a call until it is recorded: FreeSWITCH says everything once. */
  async tell(messageId: string, callId: string, report: CallReport): Promise<void> {
    const told = this.#keepTelling(messageId, callId, report);
    this.#telling.add(told);
    await told.finally(() => this.#telling.delete(told));
  }

  async #keepTelling(messageId: string, callId: string, report: CallReport): Promise<void> {
    const { clock, logger, name } = this.#options;
    const event = { kind: "call", clientReference: messageId, providerMessageId: callId, report } as const;
    while (this.#sink !== undefined) {
      try {
        return await this.#sink({ ...event, eventId: `${callId} ${report.stage}` });
      } catch (error) {
        logger.warn({ err: error, carrier: name, messageId }, "a report of a call was not recorded; it is tried again");
        await Promise.race([this.#stopped, new Promise<void>((resume) => clock.at(clock.now() + RETELL_MS, resume))]);
      }
    }
  }

  #leave(callId: string): void {
    if (this.#underWay.delete(callId)) this.#options.onRoom();
  }
}

/** An event of a call of ours. */
interface CallEvent {
  readonly callId: string;
  readonly messageId: string;
  readonly mark: string;
  /** Undefined for one that says only that the call is there. */
  readonly report: CallReport | undefined;
}

const stages: Readonly<Record<string, "RINGING" | "ANSWERED" | "PLAYING">> = {
  CHANNEL_PROGRESS: "RINGING",
  CHANNEL_PROGRESS_MEDIA: "RINGING",
  CHANNEL_ANSWER: "ANSWERED",
  PLAYBACK_START: "PLAYING",
};

/** What an event says of a call; undefined if it is of none of ours. */
function readCallEvent(event: SocketEvent): CallEvent | undefined {
  const variable: Variables = (name) => event[`variable_${name}`];
  const callId = event["Unique-ID"];
  const messageId = variable(MESSAGE_VARIABLE);
  if (callId === undefined || messageId === undefined) return undefined;
  return { callId, messageId, mark: variable(CARRIER_VARIABLE) ?? "", report: readReport(event, variable) };
}

function readReport(event: SocketEvent, variable: Variables): CallReport | undefined {
  const name = event["Event-Name"] ?? "";
  if (name === "CHANNEL_HANGUP_COMPLETE") return readEnd(variable);
  const stage = stages[name];
  return stage === undefined ? undefined : { stage };
}
