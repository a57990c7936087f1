/** A YAML or JSON text as nodes that know their lines. Its scalars are the texts that were written, whatever YAML takes them for. */
import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from "yaml";
import type { Fault } from "../errors.ts";

export interface Marked {
  /** From 1. */
  line: number;
  value: MarkedValue;
}

export type MarkedValue =
  /** `+12025550142`, `02139` and `2FA` as they stand there. */
  | { kind: "text"; text: string }
  | { kind: "nothing" }
  | { kind: "list"; items: readonly Marked[] }
  | { kind: "map"; entries: readonly MarkedEntry[] };

export interface MarkedEntry extends Marked {
  key: string;
}

export type ReadText = { ok: true; root: Marked } | { ok: false; faults: Fault[] };

/** More than any registration has, and little enough that aliases of aliases cannot fill the memory. */
const MOST_NODES = 100_000;
/** An alias may stand within what it stands for. */
const MOST_LEVELS = 100;

/** Reads the text. Where it is not YAML, the faults say in which lines. */
export function readMarked(text: string): ReadText {
  const lines = new LineCounter();
  const document = parseDocument(text.replace(/^\uFEFF/, ""), {
    lineCounter: lines,
    prettyErrors: false,
    // told with the faults of the content, by path
    uniqueKeys: false,
  });
  const faults = document.errors.map(({ code, pos: [start], message }) => ({
    where: `line ${lines.linePos(start).line}`,
    message: code === "MULTIPLE_DOCS" ? "begins another document; expected one" : `is not YAML: ${message}`,
  }));
  if (faults.length > 0) return { ok: false, faults };
  const reader = new Reader(document, lines);
  try {
    return { ok: true, root: reader.mark(document.contents, 1) };
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    return {
      ok: false,
      faults: [{ where: `line ${error.line}`, message: "is too large or too deep, as its aliases make it" }],
    };
  }
}

class TooLarge extends Error {
  readonly line: number;

  constructor(line: number) {
    super();
    this.line = line;
  }
}

class Reader {
  readonly #document: Document;
  readonly #lines: LineCounter;
  #count = 0;
  #level = 0;

  constructor(document: Document, lines: LineCounter) {
    this.#document = document;
    this.#lines = lines;
  }

  /** `outerLine` is told for what has no place of its own. */
  mark(node: unknown, outerLine: number): Marked {
    const line = this.#lineOf(node) ?? outerLine;
    this.#count += 1;
    this.#level += 1;
    if (this.#count > MOST_NODES || this.#level > MOST_LEVELS) throw new TooLarge(line);
    const value = this.#valueOf(node, line);
    this.#level -= 1;
    return { line, value };
  }

  #valueOf(node: unknown, line: number): MarkedValue {
    if (isAlias(node)) return this.mark(node.resolve(this.#document), line).value;
    if (isSeq(node)) return { kind: "list", items: node.items.map((item) => this.mark(item, line)) };
    if (isMap(node)) {
      const entries = node.items.map(({ key, value }) => {
        const marked = this.mark(key, line);
        const name = marked.value.kind === "text" ? marked.value.text : "";
        return { key: name, line: marked.line, value: this.mark(value, marked.line).value };
      });
      return { kind: "map", entries };
    }
    if (!isScalar(node) || node.value === null || node.value === undefined) return { kind: "nothing" };
    return { kind: "text", text: typeof node.value === "string" ? node.value : (node.source ?? String(node.value)) };
  }

  #lineOf(node: unknown): number | undefined {
    const range = (node as Node | null | undefined)?.range;
    return range ? this.#lines.linePos(range[0]).line : undefined;
  }
}
