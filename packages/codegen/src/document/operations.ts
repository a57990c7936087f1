import { listed, received } from "../faults.ts";
import type { ApiOperation, Callback, Contract, HttpMethod, Operation, Parameter, Schema } from "../model.ts";
import { readBounds } from "./bounds.ts";
import { readCommand } from "./command.ts";
import { readBody, readErrors, readSuccess } from "./payloads.ts";
import { readSchema } from "./schemas.ts";
import { type Entry, isRecord } from "./source.ts";

const METHODS: Record<string, HttpMethod> = { get: "GET", put: "PUT", post: "POST", delete: "DELETE", patch: "PATCH" };
const PARAMETER_PLACES = ["path", "query", "header"] as const;
const OPERATION_KEYS = [
  ...["operationId", "tags", "summary", "description", "externalDocs", "parameters", "requestBody", "responses"],
  ...["deprecated", "security", "servers"],
];

/** The parts of the contract that have been read, and against which operations are checked. */
export type Surroundings = Pick<Contract, "schemas" | "problems" | "tags">;

/** Reads every operation of the contract, with its command. */
export function readOperations(root: Entry, contract: Surroundings): Operation[] {
  return readPaths(root, (path, entry, method) => ({
    ...readOperation(path, entry, method, contract, [...OPERATION_KEYS, "x-msgctl"]),
    command: readCommand(entry),
  }));
}

/** Reads every operation of a document that has no commands. */
export function readPlainOperations(root: Entry, contract: Surroundings): ApiOperation[] {
  return readPaths(root, (path, entry, method) => readOperation(path, entry, method, contract, OPERATION_KEYS));
}

/** Reads every webhook. Each is a POST request with a body. */
export function readCallbacks(root: Entry, contract: Surroundings): Callback[] {
  return root
    .at("webhooks")
    .entries()
    .flatMap((webhook) => {
      const entry = webhook.at("post");
      const body = readBody(entry.at("requestBody").resolve(), contract);
      const words = { summary: entry.at("summary").text(), description: entry.at("description").text() };
      const parameters = entry.at("parameters").items();
      if (body === undefined) return [];
      return [{ type: webhook.key, ...words, parameters: parameters.map((one) => readParameter(one.resolve())), body }];
    });
}

function readPaths<Read extends ApiOperation>(
  root: Entry,
  read: (path: Entry, entry: Entry, method: HttpMethod) => Read,
): Read[] {
  const operations: Read[] = [];
  const seen = new Map<string, Read>();
  for (const path of root.at("paths").entries()) {
    for (const entry of path.entries()) {
      const method = METHODS[entry.key];
      if (method !== undefined) {
        const operation = read(path, entry, method);
        const twin = seen.get(operation.operationId);
        if (twin !== undefined)
          entry.at("operationId").fault(`operationId ${operation.operationId} is taken by line ${twin.line}.`);
        seen.set(operation.operationId, operation);
        operations.push(operation);
      } else if (entry.key !== "parameters") {
        entry.fault(`${entry.key} is not allowed under a path: write ${listed(Object.keys(METHODS))} or parameters.`);
      }
    }
  }
  return operations;
}

function readOperation(
  path: Entry,
  entry: Entry,
  method: HttpMethod,
  contract: Surroundings,
  keys: readonly string[],
): ApiOperation {
  entry.allowOnly(keys, "an operation");
  const body = entry.at("requestBody").exists ? readBody(entry.at("requestBody").resolve(), contract) : undefined;
  return {
    operationId: readOperationId(entry.at("operationId")),
    method,
    path: path.key,
    tag: readTag(entry.at("tags"), contract),
    summary: entry.at("summary").text(),
    description: entry.at("description").text(),
    parameters: readParameters(path, entry),
    ...(body && { body }),
    takesBasic: entry
      .at("security")
      .items()
      .some(({ value }) => isRecord(value) && "basic" in value),
    success: readSuccess(entry.at("responses"), contract),
    errors: readErrors(entry.at("responses"), contract),
    line: entry.line,
  };
}

function readOperationId(entry: Entry): string {
  const name = entry.text();
  if (name !== "" && !/^[a-z][A-Za-z0-9]*$/.test(name))
    entry.fault(`operationId must be a camelCase name, not ${received(name)}: it becomes a name in code.`);
  return name;
}

function readTag(entry: Entry, { tags }: Surroundings): string {
  const [tag, ...more] = entry.items();
  if (tag === undefined || more.length > 0) {
    entry.fault("tags must have exactly one tag.");
    return "";
  }
  if (!tags.some(({ name }) => name === tag.value))
    tag.fault(`The tag ${received(tag.value)} is not defined. Allowed: ${listed(tags.map(({ name }) => name))}.`);
  return tag.text();
}

/** The parameters of the path item, then the operation's own, with references resolved. */
function readParameters(path: Entry, operation: Entry): Parameter[] {
  const entries = [...path.at("parameters").items(), ...operation.at("parameters").items()];
  const parameters = entries.map((entry) => readParameter(entry.resolve()));
  const placeholders = [...path.key.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const inPath = parameters.filter((parameter) => parameter.in === "path");
  for (const name of placeholders) {
    if (!inPath.some((parameter) => parameter.name === name))
      operation.fault(`The path has {${name}}, but no path parameter of that name is declared.`);
  }
  for (const [index, parameter] of parameters.entries()) {
    if (parameter.in === "path" && !placeholders.includes(parameter.name))
      entries[index]?.fault(`The path parameter ${parameter.name} is not in the path ${path.key}.`);
  }
  return parameters;
}

function readParameter(entry: Entry): Parameter {
  const place = PARAMETER_PLACES.find((allowed) => allowed === entry.at("in").value);
  if (place === undefined)
    entry.at("in").fault(`in must be ${listed(PARAMETER_PLACES)}, not ${received(entry.at("in").value)}.`);
  const required = entry.at("required").value === true;
  if (place === "path" && !required) entry.fault("A path parameter must have required: true.");
  const keptDays = readBounds(entry.at("x-kept-days"));
  return {
    name: entry.at("name").text(),
    in: place ?? "query",
    required,
    description: entry.at("description").text(),
    schema: exampled(readSchema(entry.at("schema")), entry.at("example")),
    ...(keptDays && { keptDays }),
  };
}

/** Moves a parameter's example into its schema, where fields also have their examples. */
function exampled(schema: Schema, example: Entry): Schema {
  return example.exists ? { ...schema, examples: [example.value] } : schema;
}
