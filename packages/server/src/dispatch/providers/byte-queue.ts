/** Small chunks are joined from time to time: as many objects as bytes would take a hundred times the memory. */
const MOST_CHUNKS = 64;

/** Bytes as they come from a connection, of which so many are taken from the front. */
export class ByteQueue {
  #chunks: Buffer[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    if (this.#chunks.length > MOST_CHUNKS) this.peek(this.#length);
  }

  /** The first `count` bytes or more, in one piece, which stay; all there are if these are fewer. */
  peek(count: number): Buffer {
    const [first] = this.#chunks;
    if (first !== undefined && (first.length >= count || this.#chunks.length === 1)) return first;
    const whole = Buffer.concat(this.#chunks);
    this.#chunks = [whole];
    return whole;
  }

  /** Removes the first `count` bytes, which are there. */
  take(count: number): Buffer {
    const first = this.peek(count);
    this.#chunks[0] = first.subarray(count);
    this.#length -= count;
    return first.subarray(0, count);
  }
}
