// Where in a stream of bytes each message of the event socket begins and ends: headers, an empty line, and as many bytes as
// Content-Length says.

import { ByteQueue } from "../byte-queue.ts";

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
