import { Readable } from "node:stream";

/** Holds back the end of a mail, which is the final dot on the wire, until it is on record that the mail leaves. */
export class FinalDot {
  readonly #handOver: () => Promise<void>;
  #isReleased = false;
  #isOver = false;

  constructor(handOver: () => Promise<void>) {
    this.#handOver = handOver;
  }

  /** Whether it may have left. */
  get isReleased(): boolean {
    return this.#isReleased;
  }

  /** The mail, which ends once it may leave, and fails where it must not. */
  holdBack(mail: Readable): Readable {
    return Readable.from(this.#pass(mail), { objectMode: false });
  }

  /** From now on it must not leave: there is an outcome. */
  keep(): void {
    this.#isOver = true;
  }

  async *#pass(mail: Readable): AsyncGenerator<Buffer> {
    const chunks: Buffer[] = [];
    for await (const chunk of mail) chunks.push(chunk);
    // as one: each of dozens would be a packet
    yield Buffer.concat(chunks);
    this.#requireUndecided();
    await this.#handOver();
    this.#requireUndecided();
    this.#isReleased = true;
  }

  #requireUndecided(): void {
    if (this.#isOver) throw new Error("there was an outcome before the mail had left");
  }
}
