/** Parses YAML or JSON into nodes with line numbers. Scalars stay text as written, even if YAML would convert them. */
import type { Event, ScalarEvent } from "js-yaml";
import type { Fault } from "../../failures/errors.ts";

export interface Marked {
  /** Line number, from 1. */
  line: number;
  value: MarkedValue;
}

export type MarkedValue =
  /** The text as written: YAML would read `+12025550142` and `02139` as numbers. */
  | { kind: "text"; text: string }
  | { kind: "nothing" }
  | { kind: "list"; items: readonly Marked[] }
  | { kind: "map"; entries: readonly MarkedEntry[] };

export interface MarkedEntry extends Marked {
  key: string;
}

export type ReadText = { ok: true; root: Marked } | { ok: false; faults: Fault[] };

type Yaml = typeof import("../../libraries/yaml.ts");

/** More than any registration needs. The limit keeps nested aliases from exhausting memory. */
const MOST_NODES = 100_000;

/** Parses the text. If it is not YAML, the fault names the line. */
export async function readMarked(text: string): Promise<ReadText> {
  const yaml = await import("../../libraries/yaml.ts");
  const source = text.replace(/^\uFEFF/, "");
  try {
    return { ok: true, root: new Reader(source, yaml).read() };
  } catch (error) {
    if (error instanceof Unreadable) return refused(error.line, error.message);
    if (!(error instanceof yaml.YAMLException)) throw error;
    return refused((error.mark?.line ?? 0) + 1, `is not YAML: ${error.reason}`);
  }
}

function refused(line: number, message: string): ReadText {
  return { ok: false, faults: [{ where: `line ${line}`, message }] };
}

class Unreadable extends Error {
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/** Builds nodes from the events of the YAML parser. */
class Reader {
  readonly #source: string;
  readonly #yaml: Yaml;
  readonly #events: readonly Event[];
  readonly #lineStarts: readonly number[];
  /** The value that each anchor `&name` marks, with its number of nodes. */
  readonly #anchors = new Map<string, { value: MarkedValue; nodeCount: number }>();
  #next = 0;
  #nodeCount = 0;

  constructor(source: string, yaml: Yaml) {
    this.#source = source;
    this.#yaml = yaml;
    this.#events = yaml.parseEvents(source, {});
    this.#lineStarts = [0, ...Array.from(source.matchAll(/\r\n|\n|\r/g), ({ 0: end, index }) => index + end.length)];
  }

  read(): Marked {
    const { DOCUMENT, POP } = this.#yaml.EVENT_ID;
    if (this.#take()?.type !== DOCUMENT || this.#peek()?.type === POP) return { line: 1, value: { kind: "nothing" } };
    const root = this.#node(1);
    this.#take();
    const another = this.#peek();
    if (another === undefined) return root;
    this.#take();
    throw new Unreadable(this.#lineOf(this.#peek()) ?? root.line, "starts a second document; expected one");
  }

  /** `outerLine` is used for a node without a position of its own. */
  #node(outerLine: number): Marked {
    const event = this.#take();
    const line = this.#lineOf(event) ?? outerLine;
    const before = this.#nodeCount;
    this.#count(1, line);
    const value = this.#value(event, line);
    if (event !== undefined && "tagStart" in event && event.anchorStart >= 0) {
      this.#anchors.set(this.#anchorOf(event), { value, nodeCount: this.#nodeCount - before });
    }
    return { line, value };
  }

  #value(event: Event | undefined, line: number): MarkedValue {
    const { ALIAS, MAPPING, SCALAR, SEQUENCE } = this.#yaml.EVENT_ID;
    if (event?.type === SEQUENCE) return { kind: "list", items: this.#until(() => this.#node(line)) };
    if (event?.type === MAPPING) return { kind: "map", entries: this.#until(() => this.#entry(line)) };
    if (event?.type === SCALAR) return this.#scalar(event);
    if (event?.type !== ALIAS) return { kind: "nothing" };
    const name = this.#anchorOf(event);
    const known = this.#anchors.get(name);
    if (known === undefined) throw new Unreadable(line, `*${name} refers to an anchor that is not defined before it`);
    this.#count(known.nodeCount, line);
    return known.value;
  }

  #entry(outerLine: number): MarkedEntry {
    const key = this.#node(outerLine);
    const { value } = this.#node(key.line);
    return { key: key.value.kind === "text" ? key.value.text : "", line: key.line, value };
  }

  #scalar(event: ScalarEvent): MarkedValue {
    const text = this.#yaml.getScalarValue(this.#source, event);
    const isPlain = event.style === this.#yaml.SCALAR_STYLE.PLAIN && event.tagStart < 0;
    return isPlain && /^(?:|~|null|Null|NULL)$/.test(text) ? { kind: "nothing" } : { kind: "text", text };
  }

  #until<Part>(read: () => Part): Part[] {
    const parts: Part[] = [];
    while (this.#peek()?.type !== this.#yaml.EVENT_ID.POP) parts.push(read());
    this.#take();
    return parts;
  }

  #count(nodes: number, line: number): void {
    this.#nodeCount += nodes;
    if (this.#nodeCount > MOST_NODES) throw new Unreadable(line, "aliases make the file too large");
  }

  #anchorOf({ anchorStart, anchorEnd }: { anchorStart: number; anchorEnd: number }): string {
    return this.#source.slice(anchorStart, anchorEnd);
  }

  #lineOf(event: Event | undefined): number | undefined {
    const { ALIAS, MAPPING, SCALAR, SEQUENCE } = this.#yaml.EVENT_ID;
    switch (event?.type) {
      case SEQUENCE:
      case MAPPING:
        return this.#lineAt(event.start);
      case SCALAR:
        return event.valueStart < 0 ? undefined : this.#lineAt(event.valueStart);
      case ALIAS:
        return this.#lineAt(event.anchorStart);
      default:
        return undefined;
    }
  }

  #lineAt(offset: number): number {
    let low = 0;
    let high = this.#lineStarts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#lineStarts[middle] ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #peek(): Event | undefined {
    return this.#events[this.#next];
  }

  #take(): Event | undefined {
    const event = this.#events[this.#next];
    this.#next += 1;
    return event;
  }
}
