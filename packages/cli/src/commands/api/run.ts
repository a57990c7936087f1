/** `msgctl api`: sends any request below /api/v1 as a generated command would, with its credentials, errors and formats. */

import { parseJson } from "@msgctl/sdk";
import { type Fault, InputError } from "../../failures/errors.ts";
import { readMessage } from "../../failures/thrown.ts";
import { readText } from "../../flags/read-text.ts";
import type { Catalog, CommandRun } from "../../model/catalog.ts";
import type { CommandLine } from "../../model/command.ts";
import type { OperationRecord, Output } from "../../model/record.ts";
import { runOperation } from "../../operation/run-operation.ts";
import { isObject, type JsonObject } from "../../output/fields.ts";
import type { Io } from "../../process/io.ts";
import { awaitCreated } from "../../waiting/await-created.ts";
import { API_ROOT, readApiPath } from "./api-path.ts";

export const runApi: CommandRun = async (line, io, context) => {
  const { bodyFile, set, ...flags } = line.globalFlags;
  const faults: Fault[] = [];
  if (set !== undefined) faults.push({ where: "--set", message: "fills the fields of a command; give --body-file" });
  const path = readPath(line, faults);
  const body = await readBody(bodyFile, line.arguments.get("method") ?? "", io, faults);
  if (path === undefined || faults.length > 0) throw new InputError(faults, [], ["Run `msgctl api --help`."]);
  const record = await createRecord(line.arguments.get("method") ?? "", path, context.catalog);
  await runOperation({ record: { ...record, ...(body && { body }) }, values: new Map(), flags }, io, {
    ...context,
    awaitCreated,
  });
};

function readPath({ arguments: named, flags }: CommandLine, faults: Fault[]): string | undefined {
  const texts = Array.isArray(flags.parameter) ? flags.parameter.map(String) : [];
  const parameters = texts.flatMap((text): [string, string][] => {
    const end = text.indexOf("=");
    if (end > 0) return [[text.slice(0, end), text.slice(end + 1)]];
    faults.push({ where: "--parameter", message: `received ${JSON.stringify(text)}; expected name=value` });
    return [];
  });
  const text = named.get("path") ?? "";
  const path = readApiPath(text, parameters);
  if (path !== undefined) return path;
  const message = `received ${JSON.stringify(text)}; expected a path below ${API_ROOT}, such as merchants/m1`;
  faults.push({ where: "<path>", message });
  return undefined;
}

async function readBody(path: unknown, method: string, io: Io, faults: Fault[]): Promise<JsonObject | undefined> {
  if (path === undefined) return undefined;
  const refuse = (message: string) => void faults.push({ where: "--body-file", message });
  if (method === "GET") return refuse("a GET request has no body; give query parameters with --parameter");
  const file = String(path);
  let text: string;
  try {
    text = await readText(file, io);
  } catch (error) {
    return refuse(
      `${JSON.stringify(file)} ${readMessage(error)}; expected the path of a JSON file, or - for standard input`,
    );
  }
  // JSON.parse would round large integers.
  try {
    const body = parseJson(text);
    if (isObject(body)) return body;
  } catch {
    // The parser's message is dropped: it quotes the text, which may hold a secret.
  }
  return refuse("holds no JSON object");
}

/** Creates a record for the request, keeping what the contract knows about it (columns, secrets, cost). */
async function createRecord(method: string, path: string, { index, record }: Catalog): Promise<OperationRecord> {
  const entries = index.groups.flatMap(({ commands }) => commands);
  const records = await Promise.all(entries.map(({ operationId }) => record(operationId)));
  const [pathname = ""] = path.split("?");
  const known = records.filter((candidate) => candidate.method === method).find(matches(pathname));
  const secrets = [...new Set(records.flatMap(({ output }) => output.secrets))];
  const output: Output = known?.output ?? { kind: "object", columns: [], fields: [], secrets };
  return {
    ...{ operationId: known?.operationId ?? "api", group: known?.group ?? "api", name: known?.name ?? method },
    ...{ summary: `${method} ${pathname}`, description: "", aliases: [], examples: [], inputs: [] },
    ...{ method, path, output, idempotent: known?.idempotent ?? method !== "GET" },
    ...(known?.cost !== undefined && { cost: known.cost }),
    ...(known?.identity !== undefined && { identity: known.identity }),
  };
}

/** Matches a record's path, with placeholders. If two records match, the contract lists the one without placeholders first. */
function matches(pathname: string): (record: OperationRecord) => boolean {
  const steps = pathname.split("/");
  return ({ path }) => {
    const wanted = path.split("/");
    return wanted.length === steps.length && wanted.every((step, at) => step.startsWith("{") || step === steps[at]);
  };
}
