import { isUtf8 } from "node:buffer";
import { type Refusal, refuseFaults } from "../../rules/refusal.ts";
import { BODY_LIMIT_BYTES, bodyMissing, bodyTooLarge, notUtf8 } from "./body-refusals.ts";
import { JsonOutline, type ValueCounts } from "./json-outline.ts";

/**
 * A body as it arrives: decoded and checked piece by piece, so that no step takes long. The text of a refused body is
 * dropped.
 */
export class LongBody {
  readonly #most: ValueCounts;
  readonly #outline: JsonOutline;
  readonly #texts: string[] = [];
  /** The first bytes of a character that continues in the next piece. */
  #begun: Buffer = Buffer.alloc(0);
  #bytes = 0;
  #refusal: Refusal | undefined;

  /** `most` limits the number of values. */
  constructor(most: ValueCounts) {
    this.#most = most;
    this.#outline = new JsonOutline(most);
  }

  get bytes(): number {
    return this.#bytes;
  }

  get lostFractions(): ReadonlyMap<string, string> {
    return this.#outline.lostFractions;
  }

  /** Takes the next piece. Throws only for a body that is too large, whose rest need not be read. */
  take(piece: Buffer): void {
    this.#bytes += piece.length;
    if (this.#bytes > BODY_LIMIT_BYTES) throw bodyTooLarge(undefined);
    if (this.#refusal !== undefined) return;
    const bytes = this.#begun.length === 0 ? piece : Buffer.concat([this.#begun, piece]);
    const end = endOfCharacters(bytes);
    this.#begun = Buffer.from(bytes.subarray(end));
    this.#read(bytes.subarray(0, end));
    if (this.#refusal !== undefined) this.#texts.length = 0;
  }

  /** Returns the whole text. Throws the refusal of a body that cannot be used. */
  end(): string {
    if (this.#begun.length > 0) this.#refusal ??= notUtf8();
    if (this.#bytes === 0) throw bodyMissing();
    if (this.#refusal !== undefined) throw this.#refusal;
    this.#outline.end();
    return this.#texts.join("");
  }

  #read(characters: Buffer): void {
    if (!isUtf8(characters)) {
      this.#refusal = notUtf8();
      return;
    }
    const text = characters.toString("utf8");
    this.#texts.push(text);
    this.#outline.read(text);
    const pointer = this.#outline.crowded;
    if (pointer === undefined) return;
    const { items, members } = this.#most;
    const detail = `Expected at most ${items} items of lists and ${members} members of objects in a body; there are more, most of them here.`;
    this.#refusal = refuseFaults([{ pointer, code: "too_many", detail }]);
  }
}

/** Returns where the last complete UTF-8 character ends: it has at most four bytes, and its first tells how many. */
function endOfCharacters(bytes: Buffer): number {
  for (let start = bytes.length - 1; start >= Math.max(0, bytes.length - 3); start--) {
    const first = bytes[start] as number;
    if (first < 0x80) break;
    if (first < 0xc0) continue;
    const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    return start + length > bytes.length ? start : bytes.length;
  }
  return bytes.length;
}
