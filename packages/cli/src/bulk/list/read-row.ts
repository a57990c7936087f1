import type { Fault } from "../../failures/errors.ts";
import { formatInputName } from "../../flags/input-name.ts";
import type { OperationRecord } from "../../model/record.ts";
import { readRequest } from "../../operation/request/request.ts";
import { fieldName, type Mapping, type Template } from "./mapping.ts";
import type { RowBody } from "./row-kind.ts";

/** Reads a row as the body of its call, with its faults. A cell that is empty or blank omits its field. */
export function readRow(
  cells: readonly string[],
  mapping: Mapping,
  record: OperationRecord,
): { body: RowBody; faults: Fault[] } {
  const { names, columns, constants, templates } = mapping;
  const misplaced = findMisplacedCells(cells, names);
  if (misplaced.length > 0) return { body: {}, faults: misplaced };
  const values = new Map([...constants].map(([input, text]) => [input.name, text]));
  const empty: Fault[] = [];
  for (const [input, template] of templates) {
    const text = fillTemplate(template, cells, (column) => {
      const message = `column ${JSON.stringify(names[column])} is empty here, but --set ${fieldName(input)} uses it`;
      empty.push({ where: "", message });
    });
    values.set(input.name, text);
  }
  for (const [column, input] of columns.entries()) {
    const text = cells[column];
    if (input !== undefined && text?.trim()) values.set(input.name, text);
  }
  const { request, wrong, missing } = readRequest(record, values);
  const faults = [...wrong, ...missing].map(({ where, message }) => {
    const input = record.inputs.find((candidate) => formatInputName(candidate) === where);
    return { where: input === undefined ? where : fieldName(input), message };
  });
  return { body: request.body ?? {}, faults: [...empty, ...faults] };
}

/**
 * Reports a row with too few cells (the file may have been cut off) or too many, and a cell that has a value although its
 * column has no name.
 */
function findMisplacedCells(cells: readonly string[], names: readonly string[]): Fault[] {
  const isCut = cells.length < names.length;
  if (isCut || cells.slice(names.length).some((cell) => cell.trim() !== "")) {
    const count = cells.length === 1 ? "1 cell" : `${cells.length} cells`;
    const cure = isCut ? "" : "; put a text that contains the separator in double quotes";
    return [{ where: "", message: `has ${count}; the header has ${names.length}${cure}` }];
  }
  return cells.flatMap((cell, column) => {
    if (cell.trim() === "" || names[column]?.trim() !== "") return [];
    const message = `column ${column + 1} has no name, and holds ${JSON.stringify(cell)} here; name it in the header, or empty it`;
    return [{ where: "", message }];
  });
}

function fillTemplate(template: Template, cells: readonly string[], onEmpty: (column: number) => void): string {
  return template
    .map((part) => {
      if (typeof part === "string") return part;
      const cell = cells[part] ?? "";
      if (cell.trim() === "") onEmpty(part);
      return cell;
    })
    .join("");
}
