// Where in a stream of bytes each PDU begins and ends: its first four octets are its length.

import { ByteQueue } from "../byte-queue.ts";

const LENGTH_BYTES = 4;
/** A header alone. */
const SHORTEST = 16;
/** Many times what the longest text takes; a longer one is no PDU but a stream out of step. */
const LONGEST = 65_536;

/** Cuts a stream into PDUs. Holds no more than one that is not whole yet, and what was pushed after it. */
export class FrameReader {
  readonly #bytes = new ByteQueue();
  #fault: string | undefined;

  /** Why nothing more can be read: nobody knows where the next PDU begins. */
  get fault(): string | undefined {
    return this.#fault;
  }

  push(chunk: Buffer): void {
    this.#bytes.push(chunk);
  }

  /** The next PDU; undefined until it is whole, or after a fault. */
  take(): Buffer | undefined {
    if (this.#fault !== undefined || this.#bytes.length < LENGTH_BYTES) return undefined;
    const length = this.#bytes.peek(LENGTH_BYTES).readUInt32BE(0);
    if (length < SHORTEST || length > LONGEST) {
      this.#fault = `a PDU said to be of ${length} bytes: it has ${SHORTEST} to ${LONGEST}`;
      return undefined;
    }
    return this.#bytes.length < length ? undefined : this.#bytes.take(length);
  }
}
