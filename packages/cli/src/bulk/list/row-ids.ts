/**
 * The ids in a file of failed rows, which identify each row and its list: a row is sent under its original key, however
 * often it was corrected, so that the service does it once.
 */
import type { Fault } from "../../failures/errors.ts";

export interface RowId {
  operationId: string;
  /** Prefix of the keys of the list's rows. */
  listKey: string;
  row: number;
}

export const ROW_ID_COLUMN = "row id";

const ROW_ID = /^(\w+):([0-9a-f]{40}):(\d{1,9})$/;

export function writeRowId({ operationId, listKey, row }: RowId): string {
  return `${operationId}:${listKey}:${row}`;
}

/** Collects and checks the ids of a file's rows one by one. */
export class RowIds {
  readonly #operationId: string;
  readonly #rows: number[] = [];
  readonly #lines = new Map<number, number>();
  listKey: string | undefined;

  constructor(operationId: string) {
    this.#operationId = operationId;
  }

  /** In file order. */
  get rows(): readonly number[] {
    return this.#rows;
  }

  has(row: number): boolean {
    return this.#lines.has(row);
  }

  /** Adds the id in a cell; returns its fault, if any. */
  take(cell: string, line: number): Fault | undefined {
    const wrong = (message: string) => ({ where: ROW_ID_COLUMN, message });
    const [, operationId, listKey, place] = ROW_ID.exec(cell) ?? [];
    const row = Number(place);
    this.#rows.push(row);
    if (listKey === undefined) {
      const expected = "expected what msgctl wrote there; rows of your own go into a list of their own";
      return wrong(`received ${JSON.stringify(cell)}; ${expected}`);
    }
    if (operationId !== this.#operationId) {
      return wrong(
        `is of a row for ${operationId}, and this command is for ${this.#operationId}; run the command that msgctl told`,
      );
    }
    this.listKey ??= listKey;
    if (this.listKey !== listKey) return wrong("is of another list than the rows before; run each file by itself");
    const other = this.#lines.get(row);
    if (other !== undefined) return wrong(`is that of line ${other} too; a row is sent once`);
    this.#lines.set(row, line);
    return undefined;
  }
}
