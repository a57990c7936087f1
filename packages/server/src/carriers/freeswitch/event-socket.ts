// One connection to FreeSWITCH's event socket: logs in, subscribes to events, and ends once. Replies come in the order
// of the commands; events arrive in between, as JSON.

import { connect, type Socket } from "node:net";
import type { Clock } from "../../platform/clock.ts";
import { ByteQueue, type Connection, type ConnectionWatch, wordsOf } from "../link.ts";
import type { FreeSwitchSettings } from "./settings.ts";

const CONNECT_MS = 10_000;
const LOGIN_MS = 10_000;
/** Silence after which msgd checks whether FreeSWITCH is alive. FreeSWITCH sends a heartbeat every 20 s. */
const IDLE_MS = 30_000;
const ASK_MS = 10_000;
/** Reading pauses while this many events are not recorded yet. */
const MOST_EVENTS = 256;

/** Events of calls, then events of phones. */
const WANTED = [
  "HEARTBEAT",
  "BACKGROUND_JOB",
  "CHANNEL_CREATE",
  "CHANNEL_PROGRESS",
  "CHANNEL_PROGRESS_MEDIA",
  "CHANNEL_ANSWER",
  "PLAYBACK_START",
  "CHANNEL_HANGUP_COMPLETE",
].join(" ");
const WANTED_OF_PHONES = "CUSTOM sofia::register sofia::unregister sofia::expire";

/** Fields of an event, by FreeSWITCH's names for them. */
export type SocketEvent = Readonly<Record<string, string | undefined>>;

export interface EventSocketOptions extends ConnectionWatch {
  readonly settings: FreeSwitchSettings;
  readonly clock: Clock;
  /** Resolves when the event is recorded. */
  readonly take: (event: SocketEvent) => Promise<void>;
}

interface Pending {
  readonly resolve: (reply: string) => void;
  readonly reject: (error: Error) => void;
  /** Timeout, counted from the reply to the previous command. */
  readonly timeoutMs: number;
  readonly onTimeout: () => void;
}

export class EventSocket implements Connection {
  readonly #options: EventSocketOptions;
  readonly #socket: Socket;
  readonly #messages = new MessageReader();
  /** Commands without a reply yet, oldest first. */
  readonly #pending: Pending[] = [];
  #events = 0;
  #phase: "opening" | "login" | "ready" | "over" = "opening";
  #isHeard = false;
  #cancelTimeout = () => {};
  #cancelAlarm: () => void;

  constructor(options: EventSocketOptions) {
    this.#options = options;
    const { settings, clock } = options;
    this.#socket = connect({ host: settings.host, port: settings.port });
    this.#socket.setNoDelay(true);
    this.#socket.on("data", (chunk: Buffer) => {
      this.#messages.push(chunk);
      this.#read();
    });
    this.#socket.on("error", (error) => this.#end(wordsOf(error)));
    this.#socket.on("close", () => this.#end("FreeSWITCH closed the connection"));
    this.#cancelAlarm = clock.at(clock.now() + CONNECT_MS, () => this.#end(`no connection within ${CONNECT_MS} ms`));
  }

  get isReady(): boolean {
    return this.#phase === "ready" && this.#socket.writable;
  }

  get #isOver(): boolean {
    return this.#phase === "over";
  }

  /**
   * Sends a command. Resolves to the text of the reply, or to the output of an `api` command. Rejects if the connection
   * ends first. If the reply takes longer than `timeoutMs`, the connection is ended.
   */
  ask(command: string, timeoutMs: number): Promise<string> {
    const [word = ""] = command.split(" ", 1);
    const onTimeout = () => this.#end(`no answer to ${word} within ${timeoutMs} ms`);
    return new Promise<string>((resolve, reject) => {
      this.#pending.push({ resolve, reject, timeoutMs, onTimeout });
      if (this.#pending.length === 1) this.#beginCommand();
      this.#socket.write(`${command}\n\n`);
    });
  }

  /** Starts the timeout of the oldest unanswered command. FreeSWITCH answers commands one after another. */
  #beginCommand(): void {
    this.#cancelTimeout();
    const [first] = this.#pending;
    if (first === undefined) return;
    const { clock } = this.#options;
    // while reading is paused, the reply may have arrived without being read
    const onTimeout = () => (this.#hasRoom ? first.onTimeout() : this.#beginCommand());
    this.#cancelTimeout = clock.at(clock.now() + first.timeoutMs, onTimeout);
  }

  #answer(words: string): void {
    this.#pending.shift()?.resolve(words);
    this.#beginCommand();
  }

  async close(): Promise<void> {
    this.#end("the carrier was stopped");
  }

  async #logIn(): Promise<void> {
    this.#phase = "login";
    this.#cancelAlarm();
    const { settings } = this.#options;
    try {
      await this.ask(`auth ${settings.password}`, LOGIN_MS);
      await this.ask(`event json ${settings.presence ? `${WANTED} ${WANTED_OF_PHONES}` : WANTED}`, LOGIN_MS);
    } catch (error) {
      this.#end(wordsOf(error));
    }
    if (this.#isOver) return;
    this.#phase = "ready";
    this.#watch();
    this.#options.onReady();
  }

  #watch(): void {
    const { clock } = this.#options;
    this.#isHeard = false;
    this.#cancelAlarm = clock.at(clock.now() + IDLE_MS, () => void this.#askWhetherThere());
  }

  async #askWhetherThere(): Promise<void> {
    // while reading is paused, silence proves nothing
    if (!this.#isHeard && this.#hasRoom) await this.ask("api uptime", ASK_MS).catch(() => undefined);
    if (this.#phase === "ready") this.#watch();
  }

  get #hasRoom(): boolean {
    return this.#events < MOST_EVENTS;
  }

  #read(): void {
    while (!this.#isOver && this.#hasRoom) {
      const message = this.#messages.take();
      if (message === undefined) {
        this.#socket.resume();
        if (this.#messages.fault !== undefined) this.#end(this.#messages.fault);
        return;
      }
      this.#receive(message);
    }
    this.#socket.pause();
  }

  #receive({ headers, body }: SocketMessage): void {
    this.#isHeard = true;
    switch (headers.get("Content-Type")) {
      case "auth/request":
        if (this.#phase === "opening") void this.#logIn();
        return;
      case "command/reply":
        this.#takeReply(headers.get("Reply-Text") ?? "");
        return;
      case "api/response":
        this.#answer(body);
        return;
      case "text/event-json":
        this.#takeEvent(body);
        return;
      case "text/rude-rejection":
        this.#end("its access list refuses this machine");
        return;
      case "text/disconnect-notice":
        this.#end("FreeSWITCH ended the connection");
    }
  }

  #takeReply(words: string): void {
    // FreeSWITCH sends a disconnect notice right after a refused login
    if (this.#phase === "login" && !words.startsWith("+OK")) this.#end(`the login was refused: ${words}`);
    else this.#answer(words);
  }

  #takeEvent(body: string): void {
    const event = parseEvent(body);
    if (event === undefined) return;
    this.#events += 1;
    void this.#options
      .take(event)
      .catch(() => undefined)
      .then(() => {
        this.#events -= 1;
        this.#read();
      });
  }

  #end(reason: string): void {
    if (this.#isOver) return;
    this.#phase = "over";
    this.#cancelAlarm();
    this.#cancelTimeout();
    this.#socket.destroy();
    for (const { reject } of this.#pending.splice(0)) reject(new Error(reason));
    this.#options.onEnd(reason);
  }
}

/** Returns undefined if the body is not an event. The stream stays in sync. */
function parseEvent(body: string): SocketEvent | undefined {
  try {
    const event: unknown = JSON.parse(body);
    return typeof event === "object" && event !== null ? (event as SocketEvent) : undefined;
  } catch {
    return undefined;
  }
}

/** A message of the event socket: headers, an empty line, and a body of Content-Length bytes. */
export interface SocketMessage {
  /** By header name, in its original case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

const LONGEST_HEADERS = 65_536;
/** Four times the size of a list of ten thousand registrations. */
const LONGEST_BODY = 2 ** 24;
/** Ten times the size of an event with all variables of a channel. Limits how long parsing blocks the thread. */
const LONGEST_EVENT = 2 ** 18;
const END_OF_HEADERS = "\n\n";

/** Splits a stream into messages. */
export class MessageReader {
  readonly #bytes = new ByteQueue();
  /** Headers of the message whose body is not complete yet. */
  #headers: ReadonlyMap<string, string> | undefined;
  #bodyBytes = 0;
  /** Why reading stopped for good: the start of the next message is unknown. */
  fault: string | undefined;

  push(chunk: Buffer): void {
    this.#bytes.push(chunk);
  }

  /** Takes the next message. Returns undefined if it is not complete yet, or after a fault. */
  take(): SocketMessage | undefined {
    if (this.fault !== undefined) return undefined;
    this.#headers ??= this.#takeHeaders();
    if (this.#headers === undefined || this.#bytes.length < this.#bodyBytes) return undefined;
    const headers = this.#headers;
    this.#headers = undefined;
    return { headers, body: this.#bytes.take(this.#bodyBytes).toString("utf8") };
  }

  #takeHeaders(): ReadonlyMap<string, string> | undefined {
    const held = this.#bytes.peek(Math.min(this.#bytes.length, LONGEST_HEADERS)).subarray(0, LONGEST_HEADERS);
    const end = held.indexOf(END_OF_HEADERS);
    if (end === -1) {
      if (held.length >= LONGEST_HEADERS) this.fault = `headers of more than ${LONGEST_HEADERS} bytes`;
      return undefined;
    }
    const headers = readHeaders(this.#bytes.take(end + END_OF_HEADERS.length).toString("utf8"));
    const length = headers.get("Content-Length") ?? "0";
    this.#bodyBytes = Number(length);
    const longest = headers.get("Content-Type") === "text/event-json" ? LONGEST_EVENT : LONGEST_BODY;
    if (/^\d+$/.test(length) && this.#bodyBytes <= longest) return headers;
    this.fault = `a message announced ${JSON.stringify(length)} bytes; the limit is ${longest}`;
    return undefined;
  }
}

function readHeaders(text: string): Map<string, string> {
  const lines = text.split("\n").filter((line) => line.includes(":"));
  return new Map(
    lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon), line.slice(colon + 1).trim()];
    }),
  );
}
