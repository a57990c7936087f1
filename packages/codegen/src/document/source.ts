// A cursor over a YAML document that always knows its position, so that every fault can name its line.
import { isMap, isScalar, isSeq, LineCounter, type Node, type ParsedNode, parseDocument } from "yaml";
import { type Fault, GenerationError, type Position, received } from "../faults.ts";

type Key = string | number;

/** A parsed document and the faults found so far. Reading continues after a fault, so that all are reported at once. */
export class Source {
  readonly root: Entry;
  readonly #contents: ParsedNode | null;
  readonly #lines = new LineCounter();
  readonly #faults: Fault[] = [];

  /**
   * Parses the text. Throws at once if it is not YAML.
   *
   * @param others the documents that this one may refer to, by their names in references
   */
  constructor(
    text: string,
    readonly file: string,
    readonly others: ReadonlyMap<string, Source> = new Map(),
  ) {
    const document = parseDocument(text, { lineCounter: this.#lines, prettyErrors: false });
    for (const { message, pos } of document.errors) this.#faults.push({ message, position: this.#position(pos[0]) });
    this.throwFaults();
    this.#contents = document.contents;
    this.root = new Entry(this, [], document.toJS());
  }

  /** Adds a fault unless it is known already: parts that operations share are read several times. */
  report(path: readonly Key[], message: string): void {
    const position = this.locate(path);
    const isSame = (fault: Fault) =>
      fault.message === message && fault.position.line === position.line && fault.position.column === position.column;
    if (!this.#faults.some(isSame)) this.#faults.push({ message, position });
  }

  throwFaults(): void {
    if (this.#faults.length > 0) throw new GenerationError(this.file, this.#faults);
  }

  /** The position of the key (or list item) at the path, or of the nearest parent that exists. */
  locate(path: readonly Key[]): Position {
    let node: unknown = this.#contents;
    let found: Node | undefined;
    for (const key of path) {
      if (isMap(node)) {
        const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === String(key));
        if (pair === undefined) break;
        found = pair.key as Node;
        node = pair.value;
      } else if (isSeq(node) && node.items[Number(key)] !== undefined) {
        node = node.items[Number(key)];
        found = node as Node;
      } else break;
    }
    return this.#position(found?.range?.[0] ?? 0);
  }

  /** The entry that a reference (`#/components/…`, or `<document>#/components/…`) points at; undefined if there is none. */
  follow(reference: string): Entry | undefined {
    const [name = "", pointer] = reference.split("#", 2);
    const source = name === "" ? this : this.others.get(name);
    if (source === undefined || pointer?.startsWith("/") !== true) return undefined;
    let entry = source.root;
    for (const token of pointer.slice(1).split("/")) {
      entry = entry.at(token.replaceAll("~1", "/").replaceAll("~0", "~"));
    }
    return entry.exists ? entry : undefined;
  }

  #position(offset: number): Position {
    const { line, col } = this.#lines.linePos(offset);
    return { line, column: col };
  }
}

/** One value of the document and its position. If the type is wrong, methods report a fault and return an empty value. */
export class Entry {
  constructor(
    readonly source: Source,
    readonly path: readonly Key[],
    readonly value: unknown,
  ) {}

  /** The name of the entry in messages: the last key of its path, such as `summary` or `args[0]`. */
  get key(): string {
    const last = this.path.at(-1) ?? this.source.file;
    return typeof last === "number" ? `${this.path.at(-2)}[${last}]` : last;
  }

  get line(): number {
    return this.source.locate(this.path).line;
  }

  get exists(): boolean {
    return this.value !== undefined && this.value !== null;
  }

  fault(message: string): void {
    this.source.report(this.path, message);
  }

  /** The entry under a key. It need not exist: see `exists`. */
  at(key: string): Entry {
    const value = isRecord(this.value) && Object.hasOwn(this.value, key) ? this.value[key] : undefined;
    return new Entry(this.source, [...this.path, key], value);
  }

  /** The entries of an object, in document order; none when it is absent. */
  entries(): Entry[] {
    if (!this.exists) return [];
    if (isRecord(this.value)) return Object.keys(this.value).map((key) => this.at(key));
    this.fault(`${this.key} must be an object, not ${received(this.value)}.`);
    return [];
  }

  /** The entries of a list; none when it is absent. */
  items(): Entry[] {
    if (!this.exists) return [];
    if (Array.isArray(this.value))
      return this.value.map((item, index) => new Entry(this.source, [...this.path, index], item));
    this.fault(`${this.key} must be a list, not ${received(this.value)}.`);
    return [];
  }

  /** A text that must be present and not blank. */
  text(): string {
    if (typeof this.value === "string" && this.value.trim() !== "") return this.value;
    this.fault(this.exists ? `${this.key} must be a text, not ${received(this.value)}.` : `${this.key} is missing.`);
    return "";
  }

  /** A text, or undefined when it is absent. */
  optionalText(): string | undefined {
    return this.exists ? this.text() : undefined;
  }

  texts(): string[] {
    return this.items().map((item) => item.text());
  }

  /** Follows `$ref` to its target. Returns the entry itself for a dangling reference, which checkReferences reports. */
  resolve(): Entry {
    const seen = new Set<unknown>();
    let entry: Entry = this;
    while (isRecord(entry.value) && typeof entry.value.$ref === "string") {
      const target = entry.source.follow(entry.value.$ref);
      if (target === undefined || seen.has(target.value)) return this;
      seen.add(target.value);
      entry = target;
    }
    return entry;
  }

  /** Reports each key that is not among the allowed ones. */
  allowOnly(allowed: readonly string[], what: string): void {
    for (const entry of this.entries()) {
      if (!allowed.includes(entry.key))
        entry.fault(`${entry.key} is not a key of ${what}. Allowed: ${allowed.join(", ")}.`);
    }
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
