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
const END_OF_HEADERS = "\n\n";

/** Cuts a stream into messages. Holds no more than one that is not whole yet, and what was pushed after it. */
export class MessageReader {
  #chunks: Buffer[] = [];
  #heldBytes = 0;
  /** What is known of the message that is not whole yet. */
  #headers: ReadonlyMap<string, string> | undefined;
  #bodyBytes = 0;
  #fault: string | undefined;

  /** Why nothing more can be read: nobody knows where the next message begins. */
  get fault(): string | undefined {
    return this.#fault;
  }

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#heldBytes += chunk.length;
  }

  /** The next message; undefined until it is whole, or after a fault. */
  take(): SocketMessage | undefined {
    if (this.#fault !== undefined) return undefined;
    this.#headers ??= this.#takeHeaders();
    if (this.#headers === undefined || this.#heldBytes < this.#bodyBytes) return undefined;
    const headers = this.#headers;
    this.#headers = undefined;
    return { headers, body: this.#takeBytes(this.#bodyBytes).toString("utf8") };
  }

  #takeHeaders(): ReadonlyMap<string, string> | undefined {
    const held = this.#join();
    const end = held.subarray(0, LONGEST_HEADERS).indexOf(END_OF_HEADERS);
    if (end === -1) {
      if (held.length >= LONGEST_HEADERS) this.#fault = `headers of more than ${LONGEST_HEADERS} bytes`;
      return undefined;
    }
    const headers = readHeaders(this.#takeBytes(end + END_OF_HEADERS.length).toString("utf8"));
    const length = headers.get("Content-Length") ?? "0";
    this.#bodyBytes = Number(length);
    if (/^\d+$/.test(length) && this.#bodyBytes <= LONGEST_BODY) return headers;
    this.#fault = `a message said to be of ${JSON.stringify(length)} bytes: it has at most ${LONGEST_BODY}`;
    return undefined;
  }

  #takeBytes(count: number): Buffer {
    const held = this.#join();
    this.#chunks = [held.subarray(count)];
    this.#heldBytes -= count;
    return held.subarray(0, count);
  }

  #join(): Buffer {
    const [first] = this.#chunks;
    const whole = first !== undefined && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks);
    this.#chunks = [whole];
    return whole;
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
