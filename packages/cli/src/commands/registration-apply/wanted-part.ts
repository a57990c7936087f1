/** One object of a file, such as a campaign: its fields, checked against the record, and their line numbers. */
import type { Fault } from "../../failures/errors.ts";
import { formatInputName } from "../../flags/input-name.ts";
import type { OperationRecord } from "../../model/record.ts";
import { checkFields, unknownField } from "../../operation/request/check-body.ts";
import { findMissing } from "../../operation/request/request.ts";
import type { JsonObject } from "../../output/fields.ts";
import type { Marked } from "./marked-document.ts";

export interface WantedPart {
  /** `campaigns[0]` */
  path: string;
  /** The values by the contract's field names. A number's `campaign` is not among them. */
  fields: JsonObject;
  /** The line of each field by its path inside the part (`sampleMessages[1]`). The line of the part itself is under "". */
  lines: ReadonlyMap<string, number>;
}

export const GIVEN_TWICE = "is given twice";

/** Reads an object of the file, collecting every fault of its fields. */
export function readPart(marked: Marked, path: string, record: OperationRecord, faults: Fault[]): WantedPart {
  const lines = new Map([["", marked.line]]);
  const fields: Record<string, unknown> = {};
  const part = { path, fields, lines };
  if (marked.value.kind !== "map") {
    faults.push({ where: formatPosition(path, marked.line), message: "expected fields with their values" });
    return part;
  }
  const inputs = record.inputs.filter((input) => input.in === "body");
  for (const { key, line, value } of marked.value.entries) {
    if (lines.has(key)) {
      faults.push({ where: formatPosition(`${path}.${key}`, line), message: GIVEN_TWICE });
      continue;
    }
    lines.set(key, line);
    if (!inputs.some((input) => input.path[0] === key)) {
      faults.push({ where: formatPlace(part, key), message: UNKNOWABLE_FIELDS[key] ?? unknownField(key, inputs) });
      continue;
    }
    if (value.kind === "list") value.items.forEach((item, index) => void lines.set(`${key}[${index}]`, item.line));
    fields[key] = toPlainValue({ value, line });
  }
  const check = {
    inputs,
    nameOrigin: (way: readonly string[]) => formatPlace(part, way.join(".")),
    nameElement: (_: string, index: number, way: readonly string[]) => formatPlace(part, `${way.join(".")}[${index}]`),
    unknown: (way: readonly string[]) => ({
      where: formatPlace(part, way.join(".")),
      message: unknownField("", inputs),
    }),
  };
  faults.push(...checkFields(fields, check));
  const missing = findMissing({ ...record, inputs }, (name) => {
    return inputs.some((input) => input.name === name && Object.hasOwn(fields, input.path[0] ?? ""));
  });
  for (const { where, message } of missing) {
    const input = inputs.find((candidate) => formatInputName(candidate) === where);
    faults.push({ where: formatPlace(part, input?.path.join(".") ?? ""), message });
  }
  return part;
}

/** Fields of the contract that a file must not have, with the reason. */
const UNKNOWABLE_FIELDS: Readonly<Record<string, string>> = {
  campaignId: "the service assigns ids; instead, give the campaignReference of a campaign of this file under campaign",
};

/** Formats the position of a part's field for messages: its path in the file, and its line. */
export function formatPlace({ path, lines }: WantedPart, field: string): string {
  const line = lines.get(field) ?? lines.get(field.replace(/[.[].*$/, "")) ?? lines.get("");
  return formatPosition(field === "" ? path : `${path}.${field}`, line);
}

/** Formats a path in the file with its line. */
export function formatPosition(path: string, line: number | undefined): string {
  return path === "" ? `line ${line}` : `${path} (line ${line})`;
}

/** Converts a node to the plain value that the record checks expect. Drops values nested deeper than any field. */
export function toPlainValue({ value }: Marked): unknown {
  switch (value.kind) {
    case "text":
      return value.text;
    case "nothing":
      return null;
    case "map":
      return {};
    case "list":
      return value.items.map((item) => (item.value.kind === "list" ? [] : toPlainValue(item)));
  }
}
