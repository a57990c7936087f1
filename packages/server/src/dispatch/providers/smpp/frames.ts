// Where in a stream of bytes each PDU begins and ends: its first four octets are its length.

const LENGTH_BYTES = 4;
/** A header alone. */
const SHORTEST = 16;
/** Many times what the longest text takes; a longer one is no PDU but a stream out of step. */
const LONGEST = 65_536;
/** Small chunks are joined from time to time: as many objects as bytes would take a hundred times the memory. */
const MOST_CHUNKS = 64;

/** Cuts a stream into PDUs. Holds no more than one that is not whole yet, and what was pushed after it. */
export class FrameReader {
  #chunks: Buffer[] = [];
  #heldBytes = 0;
  #fault: string | undefined;

  /** Why nothing more can be read: nobody knows where the next PDU begins. */
  get fault(): string | undefined {
    return this.#fault;
  }

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#heldBytes += chunk.length;
    if (this.#chunks.length > MOST_CHUNKS) this.#join();
  }

  /** The next PDU; undefined until it is whole, or after a fault. */
  take(): Buffer | undefined {
    if (this.#fault !== undefined || this.#heldBytes < LENGTH_BYTES) return undefined;
    const [first] = this.#chunks;
    const length = (first !== undefined && first.length >= LENGTH_BYTES ? first : this.#join()).readUInt32BE(0);
    if (length < SHORTEST || length > LONGEST) {
      this.#fault = `a PDU said to be of ${length} bytes: it has ${SHORTEST} to ${LONGEST}`;
      return undefined;
    }
    if (this.#heldBytes < length) return undefined;
    const whole = this.#join();
    this.#chunks = [whole.subarray(length)];
    this.#heldBytes -= length;
    return whole.subarray(0, length);
  }

  #join(): Buffer {
    const [first] = this.#chunks;
    const whole = first !== undefined && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks);
    this.#chunks = [whole];
    return whole;
  }
}
