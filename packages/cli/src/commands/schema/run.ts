/** Prints the contract's schemas for one command, each self-contained, or the columns of a list that a command reads. */
import type { OperationEntry } from "@msgctl/contract";
import { Command } from "commander";
import { writeExampleList } from "../../bulk/example-list.ts";
import { fieldName } from "../../bulk/list/mapping.ts";
import { UsageError } from "../../failures/errors.ts";
import { didYouMean } from "../../failures/similar.ts";
import type { Catalog, CommandRun } from "../../model/catalog.ts";
import type { CommandDefinition } from "../../model/command.ts";
import type { Input, OperationRecord } from "../../model/record.ts";
import { defineOperation } from "../../operation/define-operation.ts";
import { openLine } from "../../operation/open-line.ts";
import { withPlaceholders } from "../../operation/request/filled-values.ts";
import { readRequest } from "../../operation/request/request.ts";
import { isObject, type JsonObject } from "../../output/fields.ts";
import type { Io } from "../../process/io.ts";
import { standaloneSchema } from "./standalone-schema.ts";

export const runSchema: CommandRun = async (line, io, context) => {
  const { globalFlags } = line;
  // A schema is unreadable as a table, so JSON is the default.
  const flags = globalFlags.output === undefined ? { ...globalFlags, output: "json" } : globalFlags;
  const { refuse, print } = await openLine({ ...line, globalFlags: flags }, io, context);
  refuse([]);
  const [group = "", name = ""] = line.arguments.values();
  const definition = await findListCommand(group, name, context.catalog);
  if (definition !== undefined) return print(await describeColumns(definition, context.catalog));
  await print(await describe(await findRecord(group, name, context.catalog), io));
};

/** Returns the named command if it makes a request for each row of a list. */
async function findListCommand(groupName: string, name: string, catalog: Catalog) {
  const commands = catalog.definedGroups.find((group) => group.name === groupName)?.commands ?? [];
  const entry = commands.find((command) => command.name === name);
  const definition = entry && (await catalog.definition(entry.words));
  return definition?.requests === "rows" ? definition : undefined;
}

async function describeColumns({ words, fieldsOf = [] }: CommandDefinition, catalog: Catalog) {
  const records = await Promise.all(fieldsOf.map((operationId) => catalog.record(operationId)));
  const rows = records.map((record) => ({
    command: `${record.group} ${record.name}`,
    columns: record.inputs.filter((input) => input.in === "body").map(describeColumn),
    example: writeExampleList(record),
  }));
  return { command: words, rows };
}

function describeColumn(input: Input) {
  const { type, required = false, enum: allowed, example, description } = input;
  return {
    ...{ name: fieldName(input), type, required, description },
    ...(allowed !== undefined && { allowed }),
    ...(example !== undefined && { example }),
  };
}

async function findRecord(groupName: string, name: string, { index, record, definedGroups }: Catalog) {
  const { groups } = index;
  const group = groups.find((candidate) => candidate.name === groupName);
  const hints = ["Run `msgctl --help` to see all commands."];
  if (group === undefined) {
    const known = groups.map((candidate) => candidate.name);
    throw new UsageError(
      `there is no schema for group ${JSON.stringify(groupName)}${didYouMean(groupName, known)}`,
      hints,
    );
  }
  const command = group.commands.find((candidate) => [candidate.name, ...candidate.aliases].includes(name));
  if (command !== undefined) return record(command.operationId);
  const words = `${group.name} ${name}`;
  const isDefined = definedGroups.some(({ name: other, commands }) => {
    return other === group.name && commands.some((entry) => entry.name === name);
  });
  if (isDefined) {
    throw new UsageError(`${words} is not one request of the contract and has no schema`, [
      `Run \`msgctl ${words} --help\` to see what it takes.`,
    ]);
  }
  const known = group.commands.map((candidate) => candidate.name);
  throw new UsageError(`there is no command ${JSON.stringify(words)}${didYouMean(name, known)}`, [
    `Run \`msgctl ${group.name} --help\`.`,
  ]);
}

async function describe(record: OperationRecord, io: Io) {
  const { operations, parameterSchemas, schemas } = await import("../../libraries/contract.ts");
  const entries: Readonly<Record<string, OperationEntry>> = operations;
  const { bodySchema = null, responseSchema = null, responseIsArray = false } = entries[record.operationId] ?? {};
  const whole = (schema: unknown) => standaloneSchema(schema, schemas);
  const view = responseSchema === null ? null : { $ref: `${responseSchema}#` };
  return {
    ...{ command: `${record.group} ${record.name}`, operationId: record.operationId },
    ...{ method: record.method, path: record.path },
    parameters: readParameters(Object.entries(parameterSchemas).find(([id]) => id === record.operationId)?.[1], whole),
    request: bodySchema === null ? null : whole({ $ref: `${bodySchema}#` }),
    reply: view && whole(responseIsArray ? { type: "array", items: view } : view),
    example: await readExample(record, io),
  };
}

function readParameters(places: object | undefined, whole: (schema: unknown) => JsonObject) {
  const used = Object.entries(places ?? {}).filter(([, schema]) => {
    return isObject(schema) && Object.keys(schema.properties ?? {}).length > 0;
  });
  return used.length === 0 ? null : Object.fromEntries(used.map(([place, schema]) => [place, whole(schema)]));
}

/** Parses the contract's first example of the command as a command line; null if there is none. */
async function readExample(record: OperationRecord, io: Io): Promise<JsonObject | null> {
  const [example] = record.examples;
  if (example === undefined) return null;
  let sent: JsonObject = {};
  const command = new Command(record.name).exitOverride().configureOutput({ outputError: () => {} });
  defineOperation(command, record, io, async ({ values }) => {
    const { path, query, body } = withPlaceholders((raw) => readRequest(record, raw), record)(values).request;
    sent = { ...filled({ path, query }), ...(body !== undefined && { body }) };
  });
  await command.parseAsync(example.argv.slice(2), { from: "user" });
  return Object.keys(sent).length === 0 ? null : sent;
}

function filled(places: Readonly<Record<string, object>>): JsonObject {
  return Object.fromEntries(Object.entries(places).filter(([, values]) => Object.keys(values).length > 0));
}
