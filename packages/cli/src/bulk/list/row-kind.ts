/** Describes the rows of a list. */
import type { Fault } from "../../failures/errors.ts";
import type { OperationRecord } from "../../model/record.ts";

/** A row as the body of its call, in the contract's shape after local validation. */
export type RowBody = object;

export interface RowKind {
  /** The operation called for each row. */
  record: OperationRecord;
  /** Past participle for a row that is done: `sent`, `recorded`. */
  verb: string;
  /** Returns faults for fields that a list must not fill. */
  check?(fields: readonly string[]): Fault[];
  /** Number of SMS segments of a row; omitted if rows are not charged by segments. */
  countSegments?(body: RowBody): number;
}
