// One connection to FreeSWITCH's event socket: logged in, told which events are wanted, and over once. Commands are answered
// in their order; events come in between, as JSON.

import { connect, type Socket } from "node:net";
import type { Clock } from "../../../platform/clock.ts";
import type { FreeSwitchSettings } from "../../../rules/carriers.ts";
import { ByteQueue, type Connection, type ConnectionWatch } from "../link.ts";

const CONNECT_MS = 10_000;
const LOGIN_MS = 10_000;
/** After each time so long without a word, it is asked whether it is there. It has a heartbeat every 20 s. */
const IDLE_MS = 30_000;
const ASK_MS = 10_000;
/** Events that are not recorded yet. Nothing is read past them. */
const MOST_EVENTS = 256;

/** The events that tell how calls and phones are. */
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

/** The fields of an event by their names, as FreeSWITCH has them. */
export type SocketEvent = Readonly<Record<string, string | undefined>>;

export interface EventSocketOptions extends ConnectionWatch {
  readonly settings: FreeSwitchSettings;
  readonly clock: Clock;
  /** Resolves once the event has been dealt with. */
  readonly take: (event: SocketEvent) => Promise<void>;
}

interface Pending {
  readonly resolve: (reply: string) => void;
  readonly reject: (error: Error) => void;
  /** From the answer before it. */
  readonly timeoutMs: number;
  readonly onTimeout: () => void;
}

export class EventSocket implements Connection {
  readonly #options: EventSocketOptions;
  readonly #socket: Socket;
  readonly #messages = new MessageReader();
  /** What was asked and not answered yet, the first first. */
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
   * Writes a command at once, and returns its answer: the text of a reply, or what an `api` command printed. Rejects if the
   * connection ends before that, or its turn takes too long, after which the connection is of no use.
   */
  ask(command: string, timeoutMs: number): Promise<string> {
    const [word = ""] = command.split(" ", 1);
    const onTimeout = () => this.#end(`no answer to ${word} within ${timeoutMs} ms`);
    return new Promise<string>((resolve, reject) => {
      this.#pending.push({ resolve, reject, timeoutMs, onTimeout });
      if (this.#pending.length === 1) this.#beginTurn();
      this.#socket.write(`${command}\n\n`);
    });
  }

  /** Commands are answered one after the other: what waits for others is not late. */
  #beginTurn(): void {
    this.#cancelTimeout();
    const [first] = this.#pending;
    if (first === undefined) return;
    const { clock } = this.#options;
    // what is not read may well be there
    const onTimeout = () => (this.#hasRoom ? first.onTimeout() : this.#beginTurn());
    this.#cancelTimeout = clock.at(clock.now() + first.timeoutMs, onTimeout);
  }

  #answer(words: string): void {
    this.#pending.shift()?.resolve(words);
    this.#beginTurn();
  }

  async close(): Promise<void> {
    this.#end("it was stopped");
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
    // one that is not read may well be there
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
    // the notice that ends such a connection is right behind
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

/** Undefined for what is no event: what follows it is in its place all the same. */
function parseEvent(body: string): SocketEvent | undefined {
  try {
    const event: unknown = JSON.parse(body);
    return typeof event === "object" && event !== null ? (event as SocketEvent) : undefined;
  } catch {
    return undefined;
  }
}

/** Of an attempt at each of several addresses there is a code alone. */
function wordsOf(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException;
  return message || String(code);
}

// Where in a stream of bytes each message of the event socket begins and ends: headers, an empty line, and as many bytes as
// Content-Length says.

export interface SocketMessage {
  /** By name, as it was written. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

const LONGEST_HEADERS = 65_536;
/** A list of ten thousand registrations takes some four million. */
const LONGEST_BODY = 2 ** 24;
/** With all variables of a channel an event takes some twenty thousand. To parse this many takes 15 ms at most. */
const LONGEST_EVENT = 2 ** 18;
const END_OF_HEADERS = "\n\n";

/** Cuts a stream into messages. Holds no more than one that is not whole yet, and what was pushed after it. */
export class MessageReader {
  readonly #bytes = new ByteQueue();
  /** What is known of the message that is not whole yet. */
  #headers: ReadonlyMap<string, string> | undefined;
  #bodyBytes = 0;
  #fault: string | undefined;

  /** Why nothing more can be read: nobody knows where the next message begins. */
  get fault(): string | undefined {
    return this.#fault;
  }

  push(chunk: Buffer): void {
    this.#bytes.push(chunk);
  }

  /** The next message; undefined until it is whole, or after a fault. */
  take(): SocketMessage | undefined {
    if (this.#fault !== undefined) return undefined;
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
      if (held.length >= LONGEST_HEADERS) this.#fault = `headers of more than ${LONGEST_HEADERS} bytes`;
      return undefined;
    }
    const headers = readHeaders(this.#bytes.take(end + END_OF_HEADERS.length).toString("utf8"));
    const length = headers.get("Content-Length") ?? "0";
    this.#bodyBytes = Number(length);
    const longest = headers.get("Content-Type") === "text/event-json" ? LONGEST_EVENT : LONGEST_BODY;
    if (/^\d+$/.test(length) && this.#bodyBytes <= longest) return headers;
    this.#fault = `a message said to be of ${JSON.stringify(length)} bytes: it has at most ${longest}`;
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
