// The doc comment of an SDK method: the contract's text, the errors by code, and a call with the contract's example.
import type { Contract, Operation, Schema } from "../model.ts";
import { literal } from "./literal.ts";
import { type Argument, dataTypeOf, parametersIn } from "./sdk-arguments.ts";
import { methodOf, WIDTH, wrap } from "./sdk-words.ts";

/** The lines of the comment, without its delimiters. */
export function documentation(contract: Contract, operation: Operation, args: readonly Argument[]): string[] {
  const { summary, description, success } = operation;
  const view = success.schemaName === undefined ? undefined : contract.schemas[success.schemaName]?.description;
  return [
    ...wrap(summary),
    "",
    ...description
      .trim()
      .split(/\n\s*\n/)
      .flatMap((paragraph) => [...wrap(paragraph), ""]),
    ...args.flatMap(({ name, description }) => wrap(`@param ${name} - ${description}`, "  ")),
    ...(view === undefined ? [] : wrap(`@returns ${success.isArray ? "A list. Each item: " : ""}${view}`, "  ")),
    ...errors(contract, operation),
    "@example",
    ...callOf(operation).split("\n"),
  ];
}

/** One line per code. The codes that every operation can answer with are listed together at the end. */
function errors(contract: Contract, operation: Operation): string[] {
  const shared = sharedCodes(contract);
  const titles = new Map(contract.problems.map(({ code, title }) => [code, title]));
  const own = operation.errors.flatMap(({ status, codes }) =>
    codes
      .filter((code) => !shared.has(code))
      .flatMap((code) => wrap(`@throws {ApiError} ${status} \`${code}\`: ${titles.get(code) ?? code}`, "  ")),
  );
  const common = [...shared].map((code) => `\`${code}\``).join(", ");
  return [...own, ...(common === "" ? [] : wrap(`@throws {ApiError} For every operation: ${common}`, "  "))];
}

/** The codes that every operation can answer with. */
export function sharedCodes({ operations }: Contract): Set<string> {
  const codesOf = ({ errors }: Operation) => errors.flatMap(({ codes }) => codes);
  const [first, ...others] = operations.map(codesOf);
  return new Set(others.length === 0 ? [] : first?.filter((code) => others.every((codes) => codes.includes(code))));
}

/** The statement that calls the method with the contract's example, given a `client`. */
export function callOf(operation: Operation): string {
  const start = `${dataTypeOf(operation) === "undefined" ? "" : "const reply = "}await ${methodOf(operation.command)}(`;
  const values = parametersIn("path", operation).map(({ name }) => literal(pathExample(operation, name)));
  const [body] = operation.body?.examples ?? [];
  const objects = [body?.value, requiredQuery(operation)].filter((value) => value !== undefined);
  const line = `${start}${[...values, ...objects.map((value) => literal(value))].join(", ")});`;
  if (line.length <= WIDTH && !line.includes("\n")) return line;
  const broken = objects.map((value) => {
    const fields = Object.entries(value ?? {}).map(([name, field]) => `  ${name}: ${literal(field, "  ")},\n`);
    return `{\n${fields.join("")}}`;
  });
  return `${start}${[...values, ...broken].join(", ")});`;
}

/** The required query values; undefined when there are none. */
function requiredQuery(operation: Operation): object | undefined {
  const required = parametersIn("query", operation).filter((parameter) => parameter.required);
  if (required.length === 0) return undefined;
  return Object.fromEntries(required.map(({ name, schema }) => [name, exampleOf(schema) ?? name]));
}

function exampleOf({ examples, enum: values, default: assumed, minimum }: Schema): unknown {
  return examples?.[0] ?? values?.[0] ?? assumed ?? minimum;
}

/** A path value taken from the example of the reply, so that the call and its reply agree. */
function pathExample({ success, parameters }: Operation, name: string): unknown {
  const [shown] = success.examples.map(({ value }) => (Array.isArray(value) ? value[0] : value));
  const inReply = typeof shown === "object" && shown !== null ? Reflect.get(shown, name) : undefined;
  const inSchema = parameters.find((parameter) => parameter.name === name)?.schema.examples?.[0];
  return inReply ?? inSchema ?? name;
}
