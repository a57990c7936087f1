import type { Fault } from "../../failures/errors.ts";
import { formatInputName } from "../../flags/input-name.ts";
import type { OperationRecord } from "../../model/record.ts";
import { readRequest } from "../../operation/request/request.ts";
import type { RowBody } from "../bulk-job.ts";
import { fieldName, type Mapping } from "./mapping.ts";

/** Reads a row as the body of its call, with its faults. An empty cell omits its field. */
export function readRow(
  cells: readonly string[],
  mapping: Mapping,
  record: OperationRecord,
): { body: RowBody; faults: Fault[] } {
  const { columns, constants } = mapping;
  if (cells.length !== columns.length) {
    const message = `has ${cells.length} cells; the header has ${columns.length}`;
    return { body: {}, faults: [{ where: "", message }] };
  }
  const values = new Map([...constants].map(([input, text]) => [input.name, text]));
  for (const [column, input] of columns.entries()) {
    const text = cells[column];
    if (input !== undefined && text) values.set(input.name, text);
  }
  const { request, wrong, missing } = readRequest(record, values);
  const faults = [...wrong, ...missing].map(({ where, message }) => {
    const input = record.inputs.find((candidate) => formatInputName(candidate) === where);
    return { where: input === undefined ? where : fieldName(input), message };
  });
  return { body: request.body ?? {}, faults };
}
