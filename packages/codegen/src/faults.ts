/** A position in the document: line and column, both counted from 1. */
export interface Position {
  line: number;
  column: number;
}

/** One error in the document. Its message says what would be right. */
export interface Fault {
  position: Position;
  message: string;
}

/** All errors of a document, found in one reading and listed in document order. */
export class GenerationError extends Error {
  override readonly name = "GenerationError";
  readonly faults: readonly Fault[];

  constructor(file: string, faults: readonly Fault[]) {
    const ordered = [...faults].sort(
      (a, b) => a.position.line - b.position.line || a.position.column - b.position.column,
    );
    const lines = ordered.map(({ position, message }) => `${file}:${position.line}:${position.column} ${message}`);
    super(lines.join("\n"));
    this.faults = ordered;
  }
}

/** Lists allowed values for a message: "a, b or c". */
export function listed(values: readonly string[]): string {
  const last = values.at(-1);
  if (last === undefined) return "nothing";
  return values.length === 1 ? last : `${values.slice(0, -1).join(", ")} or ${last}`;
}

/** The value as a message quotes it: `"text"`, `12`, `a list`, `nothing`. */
export function received(value: unknown): string {
  if (value === undefined || value === null) return "nothing";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  return JSON.stringify(value);
}
