// Statements that are sent at once and answered at once. The driver sends and flushes each by itself, and the server
// answers each with a packet of its own: six statements take twice the processor time that way (Node 20, loopback).

import type { Connection, FieldDef, Submittable } from "pg";
import { type Scalar, writeArray } from "./arrays.ts";
import { PassedOver } from "./failures.ts";
import { valueTypes } from "./values.ts";

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
 * Settles each statement. The first that the server refuses ends the exchange: those behind it are rejected with
 * `PassedOver`. If the connection is lost, all that is not answered is rejected with its error: it may have been done.
 */
export class Exchange implements Submittable {
  readonly #statements: readonly SentStatement[];
  readonly #onEnd: (firstFailed: number | undefined) => void;
  #place = 0;
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
    const [failed, ...behind] = this.#statements.slice(this.#place);
    failed?.reject(error);
    const reason = isServers(error) ? new PassedOver(error) : error;
    for (const { reject } of behind) reject(reason);
    this.#onEnd(this.#place);
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
    const { preparation, resolve } = this.#current;
    // one that gives no rows describes none
    preparation.columns ??= [];
    const words = text.split(" ");
    resolve({
      rows: this.#rows,
      rowCount: Number(words.at(-1)) || 0,
      command: words[0] ?? "",
      warning: this.#warning,
    });
    this.#rows = [];
    this.#warning = undefined;
    this.#place += 1;
  }

  handleReadyForQuery(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#onEnd(undefined);
  }

  get #current(): SentStatement {
    const current = this.#statements[this.#place];
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
