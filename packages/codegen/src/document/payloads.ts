// Bodies and replies: an operation's request body, its one success, and the problem codes it can answer with.
import { listed, received } from "../faults.ts";
import {
  type Contract,
  type ErrorStatus,
  type Example,
  type HeaderExamples,
  type RequestBody,
  referencedName,
  type Success,
} from "../model.ts";
import { readSchema } from "./schemas.ts";
import { type Entry, isRecord } from "./source.ts";

const JSON_TYPE = "application/json";
const PROBLEM_TYPE = "application/problem+json";

/** Reads a request body, whose schema is always a named component: the name is used in types and schemas. */
export function readBody(entry: Entry, contract: Pick<Contract, "schemas">): RequestBody | undefined {
  const media = onlyMediaType(entry.at("content"), [JSON_TYPE]);
  if (media === undefined) return undefined;
  const schema = readSchema(media.at("schema"));
  const schemaName = referencedName(schema);
  const component = schemaName === undefined ? undefined : contract.schemas[schemaName];
  if (schemaName === undefined || component === undefined) {
    media.at("schema").fault("The schema of a request body must be a $ref to a component, so that it has a name.");
    return undefined;
  }
  const required = entry.at("required").value === true;
  return { schemaName, schema: component, required, examples: readExamples(media.at("examples")) };
}

/** Reads the one 2xx reply of an operation. */
export function readSuccess(responses: Entry, contract: Pick<Contract, "schemas">): Success {
  const [reply, ...more] = responses.entries().filter((entry) => entry.key.startsWith("2"));
  if (reply === undefined || more.length > 0) {
    (more[0] ?? responses).fault("An operation must have exactly one 2xx reply.");
    return { status: 0, description: "", isArray: false, examples: [], headers: {} };
  }
  const status = Number(reply.key);
  const headers = readHeaders(reply);
  const description = reply.resolve().at("description").text();
  const content = reply.resolve().at("content");
  const media = content.exists ? onlyMediaType(content) : undefined;
  if (media === undefined) return { status, description, isArray: false, examples: [], headers };
  const schema = readSchema(media.at("schema"));
  const isArray = schema.type === "array";
  const isJson = media.key === JSON_TYPE;
  const schemaName = isJson ? referencedName((isArray ? schema.items : schema) ?? {}) : undefined;
  if (isJson && (schemaName === undefined || contract.schemas[schemaName] === undefined))
    media.at("schema").fault("The schema of a JSON reply must be a $ref to a component, or a list of such.");
  const examples = readExamples(media.at("examples"));
  const named = schemaName === undefined ? {} : { schemaName };
  return { status, description, mediaType: media.key, ...named, isArray, schema, examples, headers };
}

/** Reads the error replies. The names of a reply's examples are the codes that the operation can answer with. */
export function readErrors(responses: Entry, { problems }: Pick<Contract, "problems">): ErrorStatus[] {
  const replies = responses.entries().filter((entry) => !entry.key.startsWith("2"));
  const errors = replies.map((reply) => {
    const status = Number(reply.key);
    if (!(status >= 400 && status <= 599))
      reply.fault(`${reply.key} is not an error status: write 400 to 599, one by one.`);
    const media = onlyMediaType(reply.resolve().at("content"), [PROBLEM_TYPE]);
    const examples = media?.at("examples").entries() ?? [];
    if (media !== undefined && examples.length === 0)
      reply.fault(`The ${status} reply names no problem code: give it the example of each code it can have.`);
    for (const example of examples) checkCode(example, status, problems);
    return { status, codes: examples.map((example) => example.key), headers: readHeaders(reply) };
  });
  return errors.sort((a, b) => a.status - b.status);
}

function checkCode(example: Entry, status: number, problems: Contract["problems"]): void {
  const problem = problems.find(({ code }) => code === example.key);
  if (problem === undefined) example.fault(`${example.key} is not in the enum ProblemCode.`);
  else if (problem.status !== status)
    example.fault(`${example.key} is listed under ${status}, but its example has the status ${problem.status}.`);
  const value = example.resolve().at("value").value;
  if (!isRecord(value) || value.code !== example.key)
    example.fault(`The example ${example.key} must be components.examples.${example.key}, whose code it is.`);
}

/** The headers of a reply that have an example. */
function readHeaders(reply: Entry): HeaderExamples {
  const headers: HeaderExamples = {};
  for (const entry of reply.resolve().at("headers").entries()) {
    const header = entry.resolve();
    const [first] = readExamples(header.at("examples"));
    const value = header.at("example").exists ? header.at("example").value : first?.value;
    if (value !== undefined) headers[entry.key] = String(value);
  }
  return headers;
}

function readExamples(entry: Entry): Example[] {
  return entry.entries().map((named) => {
    const example = named.resolve();
    const summary = example.at("summary").optionalText();
    return { name: named.key, ...(summary !== undefined && { summary }), value: example.at("value").value };
  });
}

function onlyMediaType(content: Entry, allowed?: readonly string[]): Entry | undefined {
  const types = content.entries();
  const [media, ...more] = types;
  if (media !== undefined && more.length === 0 && (allowed?.includes(media.key) ?? true)) return media;
  const named = types.length === 0 ? received(undefined) : types.map(({ key }) => key).join(", ");
  content.fault(`content must have ${allowed ? `only ${listed(allowed)}` : "exactly one media type"}, not ${named}.`);
  return undefined;
}
