/**
 * The ids in a file of failed rows that say which row of which list each one is: it is sent under that row's key, whatever
 * was corrected and however often, so that the service does it once.
 */
import type { Fault } from "../../failures/errors.ts";

export interface RowId {
  operationId: string;
  /** What the keys of the list's rows begin with. */
  listKey: string;
  row: number;
}

export const ROW_ID_COLUMN = "row id";

const ROW_ID = /^(\w+):([0-9a-f]{40}):(\d{1,9})$/;

export function writeRowId({ operationId, listKey, row }: RowId): string {
  return `${operationId}:${listKey}:${row}`;
}

/** The ids of a file's rows, each looked at in its turn. */
export class RowIds {
  readonly #operationId: string;
  readonly #rows: number[] = [];
  readonly #lines = new Map<number, number>();
  listKey: string | undefined;

  constructor(operationId: string) {
    this.#operationId = operationId;
  }

  /** In the order of the file. */
  get rows(): readonly number[] {
    return this.#rows;
  }

  has(row: number): boolean {
    return this.#lines.has(row);
  }

  /** What is wrong with the id in a cell; undefined where nothing is. */
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
