// Statements that are sent at once and answered at once. The driver sends and flushes each by itself, and the server
// answers each with a packet of its own: six statements take twice the processor time that way (Node 20, loopback).
//
// The one file that uses what the driver does not document: its protocol connection (parse, bind, describe, execute, sync) and
// that connection's stream. package.json therefore pins pg to one version.

import type { Socket } from "node:net";
import type { ClientBase, Connection, CustomTypesConfig, FieldDef, Submittable } from "pg";
import { isLost, PassedOver } from "./failures.ts";

// Arrays as PostgreSQL reads them. The driver's own take four times as long (0.2 µs a value, Node 20).

type Scalar = string | number | null;

const SPECIAL = /["\\]/g;

/** Writes values as an array literal. */
export function writeArray(values: readonly Scalar[]): string {
  let text = "{";
  for (let index = 0; index < values.length; index += 1) {
    if (index > 0) text += ",";
    text += writeElement(values[index] ?? null);
  }
  return `${text}}`;
}

function writeElement(value: Scalar): string {
  if (value === null) return "NULL";
  if (typeof value === "number") return String(value);
  // two searches of a plain text are faster than one replacement
  const escaped = value.includes('"') || value.includes("\\") ? value.replaceAll(SPECIAL, "\\$&") : value;
  return `"${escaped}"`;
}

// How values of PostgreSQL are read: as the store's port says, a 64-bit number as a number, a condition as 0 or 1.

const BOOL = 16;
const INT8 = 20;
const INT2 = 21;
const INT4 = 23;
const FLOAT8 = 701;

const parsers = new Map<number, (text: string) => unknown>([
  [BOOL, (text) => (text === "t" ? 1 : 0)],
  [INT2, Number],
  [INT4, Number],
  // a sum past 2^53 is not exact, as in SQLite: whoever adds up that much looks
  [INT8, Number],
  [FLOAT8, Number],
]);

const asText = (text: string) => text;

/** Given to each connection; the driver's own parsers stay as they are for other users of it. */
export const valueTypes: CustomTypesConfig = {
  getTypeParser: ((type: number) => parsers.get(type) ?? asText) as CustomTypesConfig["getTypeParser"],
};

/** The socket of a client that has connected. */
export function streamOf(client: ClientBase): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}

export type Value = Scalar | readonly Scalar[];

/** What a statement gave. */
export interface Answer<Row = unknown> {
  readonly rows: Row[];
  /** How many rows it gave or changed. */
  readonly rowCount: number;
  /** The first word of what the server says of it: `SELECT`, `COMMIT`. */
  readonly command: string;
  /** The SQLSTATE of the last warning that came with it. */
  readonly warning: string | undefined;
}

/** How the server knows a statement: by the name it was given with its text, if statements last. */
export interface Preparation {
  /** Empty where they do not. */
  readonly name: string;
  /** Of the answer's columns, once they are known. */
  columns?: readonly Column[];
}

interface Column {
  readonly name: string;
  readonly read: (text: string) => unknown;
}

export interface Statement {
  readonly text: string;
  readonly values: readonly Value[];
  readonly resolve: (answer: Answer) => void;
  readonly reject: (reason: unknown) => void;
}

interface SentStatement extends Statement {
  readonly preparation: Preparation;
  /** Whether its text goes along: the server does not know it yet. */
  readonly isNew: boolean;
}

/**
 * Settles its statements together, once the server is ready for the next ones: it tells what a statement did, and commits
 * it afterwards where no transaction was begun. If the server refuses one, the others are rejected with `PassedOver`: they
 * are undone, or were not read. If the connection is lost, those that may have been done are rejected with its error.
 */
export class Exchange implements Submittable {
  readonly #statements: readonly SentStatement[];
  readonly #onEnd: (firstFailed: number | undefined) => void;
  readonly #answers: Answer[] = [];
  #rows: unknown[] = [];
  #warning: string | undefined;
  #isOver = false;

  /** `onEnd` is told which statement failed, or that none did. */
  constructor(statements: readonly SentStatement[], onEnd: (firstFailed: number | undefined) => void) {
    this.#statements = statements;
    this.#onEnd = onEnd;
  }

  submit(connection: Connection): null {
    connection.stream.cork();
    for (const { text, values, preparation, isNew } of this.#statements) {
      const { name, columns } = preparation;
      if (isNew) connection.parse({ name, text, types: [] }, true);
      connection.bind({ statement: name, values: values.map(toText) }, true);
      if (columns === undefined) connection.describe({ type: "P" }, true);
      connection.execute(null, true);
    }
    connection.sync();
    connection.stream.uncork();
    return null;
  }

  /** Keeps a warning for the answer that it comes before. */
  warn(code: string): void {
    this.#warning = code;
  }

  /** Rejects what is not answered. */
  handleError(error: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const place = this.#answers.length;
    const passedOver = new PassedOver(error);
    const [failed, ...behind] = this.#statements.slice(place);
    failed?.reject(error);
    for (const { reject } of behind) reject(isServers(error) ? passedOver : error);
    for (const { reject } of this.#statements.slice(0, place)) reject(isLost(error) ? error : passedOver);
    this.#onEnd(place);
  }

  handleRowDescription({ fields }: { fields: readonly FieldDef[] }): void {
    const { preparation } = this.#current;
    preparation.columns = fields.map(({ name, dataTypeID }) => ({ name, read: valueTypes.getTypeParser(dataTypeID) }));
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    const { columns = [] } = this.#current.preparation;
    const row: Record<string, unknown> = {};
    for (const [index, { name, read }] of columns.entries()) {
      const text = fields[index] ?? null;
      row[name] = text === null ? null : read(text);
    }
    this.#rows.push(row);
  }

  handleCommandComplete({ text }: { text: string }): void {
    const { preparation } = this.#current;
    // one that gives no rows describes none
    preparation.columns ??= [];
    const words = text.split(" ");
    this.#answers.push({
      rows: this.#rows,
      rowCount: Number(words.at(-1)) || 0,
      command: words[0] ?? "",
      warning: this.#warning,
    });
    this.#rows = [];
    this.#warning = undefined;
  }

  handleReadyForQuery(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const [index, answer] of this.#answers.entries()) this.#statements[index]?.resolve(answer);
    this.#onEnd(undefined);
  }

  get #current(): SentStatement {
    const current = this.#statements[this.#answers.length];
    if (current === undefined) throw new Error("the server answered more statements than it was sent");
    return current;
  }
}

/** Whether the server said so, rather than the connection to it. */
function isServers(error: unknown): boolean {
  return error instanceof Error && "severity" in error;
}

function toText(value: Value): string | null {
  if (value === null) return null;
  return typeof value === "object" ? writeArray(value) : String(value);
}
