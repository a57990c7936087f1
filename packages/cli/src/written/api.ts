/** Any request below /api/v1, on the runtime of the generated commands: same credentials, errors and formats. */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { Catalog } from "../catalog.ts";
import { type Fault, InputError } from "../errors.ts";
import type { Io } from "../io.ts";
import { isObject, type JsonObject } from "../output/fields.ts";
import type { OperationRecord, Output } from "../record.ts";
import { runOperation } from "../run-operation.ts";
import { API_ROOT, readApiPath } from "./api-path.ts";
import type { WrittenCommand, WrittenLine } from "./written-command.ts";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

export const api: WrittenCommand = {
  words: "api",
  description:
    `Sends any request below ${API_ROOT}, also one that this msgctl has no command for. Credentials, retries, errors and ` +
    "output formats are those of every command. --body-file gives the body, as JSON.",
  arguments: [
    { name: "method", description: "Method of the request.", choices: METHODS },
    { name: "path", description: `Path of the request: merchants/m1, which is ${API_ROOT}merchants/m1.` },
  ],
  flags: [{ flags: "--parameter <name=value>", description: "A value of the query.", repeatable: true }],
  examples: [
    { title: "Read one merchant", argv: ["api", "GET", "merchants/demo"] },
    { title: "List the consents of one", argv: ["api", "GET", "consents", "--parameter", "merchantId=demo"] },
    { title: "Record what consent.json says", argv: ["api", "POST", "consents", "--body-file", "consent.json"] },
  ],
  async run(line, io, context) {
    const { bodyFile, set, ...flags } = line.globalFlags;
    const faults: Fault[] = [];
    if (set !== undefined) faults.push({ where: "--set", message: "fills the fields of a command; give --body-file" });
    const path = readPath(line, faults);
    const body = await readBody(bodyFile, line.arguments.get("method") ?? "", io, faults);
    if (path === undefined || faults.length > 0) throw new InputError(faults, [], ["Run `msgctl api --help`."]);
    const record = await recordOf(line.arguments.get("method") ?? "", path, context.catalog);
    await runOperation({ record: { ...record, ...(body && { body }) }, values: new Map(), flags }, io, context);
  },
};

function readPath({ arguments: named, flags }: WrittenLine, faults: Fault[]): string | undefined {
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
  if (method === "GET") return refuse("a GET request has no body; give query values with --parameter");
  const file = String(path);
  const read = file === "-" ? io.readStdin() : readFile(resolve(io.cwd, file), "utf8");
  const text = await read.catch(() => undefined);
  if (text === undefined)
    return refuse(`${JSON.stringify(file)} cannot be read; expected the path of a JSON file, or - for standard input`);
  // The service's integers go beyond what JSON.parse keeps exact.
  const { parseJson } = await import("@msgctl/sdk");
  try {
    const body = parseJson(text.replace(/^\uFEFF/, ""));
    if (isObject(body)) return body;
  } catch {
    // The parser's own message quotes the text, which may hold a secret.
  }
  return refuse("holds no JSON object");
}

/** The request as a command of its own; what the contract knows of it (columns, secrets, cost) is kept. */
async function recordOf(method: string, path: string, { index, record }: Catalog): Promise<OperationRecord> {
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
  };
}

/** Where two paths match, the one without placeholders there comes first in the contract. */
function matches(pathname: string): (record: OperationRecord) => boolean {
  const steps = pathname.split("/");
  return ({ path }) => {
    const wanted = path.split("/");
    return wanted.length === steps.length && wanted.every((step, at) => step.startsWith("{") || step === steps[at]);
  };
}
