// `npm run conformance -- --base-url <url>`: whether a server keeps the contract, as far as that shows from outside.

import { randomBytes, randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { type OperationId, operations } from "@msgctl/contract";
import { BASE_URL_EXPECTED, isBaseUrl, isLoopback } from "../../../packages/cli/src/access/base-url.ts";
import { readDemoCredential } from "../../../packages/cli/src/access/demo-credential.ts";
import { CliError } from "../../../packages/cli/src/errors.ts";
import { printable } from "../../../packages/cli/src/output/printable.ts";
import { checkConformance } from "../checks.ts";
import { type Credential, fieldsOf } from "../target.ts";
import { createHttpSend, RunEnded } from "./http-send.ts";
import { printReport, summaryOf } from "./report.ts";

const EXIT = { kept: 0, violated: 1, notRun: 2, refused: 3 } as const;
const REQUEST_TIMEOUT_MS = 15_000;
const MAX_REQUESTS = 3_000;

const usage = `Usage: npm run conformance -- --base-url <url> [options]

Asks a server for every reply that the contract documents and holds each against it.
The credential, of a whole tenant, is taken from MSGCTL_API_KEY and MSGCTL_API_SECRET, or is that of \`npm start\` here.

Options:
  --base-url <url>       the server; default: the one of \`npm start\` in this folder
  --only <name>          an operationId or a tag of the contract; may be repeated
  -o, --output <format>  table (default) or json
  --timeout <seconds>    how long the whole run may take, 1 to 3600 (default 300)
  -y, --yes              write to a server that is not on this machine
  -h, --help             print this help

Exit codes: 0 no violation, 1 violations, 2 nothing was found out (usage, no reply, a bound), 3 credential refused
`;

class Refusal extends Error {
  readonly exitCode: number;
  constructor(message: string, exitCode: number = EXIT.notRun) {
    super(message);
    this.exitCode = exitCode;
  }
}

interface Asked {
  readonly baseUrl: URL;
  readonly credential: Credential;
  readonly operationIds: readonly OperationId[];
  readonly isJson: boolean;
  readonly deadlineMs: number;
}

async function run(args: readonly string[]): Promise<number> {
  const flags = readFlags(args);
  if (flags.help === true) {
    process.stdout.write(usage);
    return EXIT.kept;
  }
  const { baseUrl, credential, operationIds, isJson, deadlineMs } = understand(flags);
  const bounds = { requestTimeoutMs: REQUEST_TIMEOUT_MS, deadlineMs, maxRequests: MAX_REQUESTS };
  const send = createHttpSend(baseUrl, credential, bounds);
  const prefix = `conformance-${randomBytes(4).toString("hex")}-`;
  const first = await send({ method: "GET", url: "/api/v1/merchants" });
  if (first.statusCode === 401) {
    throw new Refusal(
      `the credential was refused: ${fieldsOf(first).code}. Set MSGCTL_API_KEY and MSGCTL_API_SECRET`,
      EXIT.refused,
    );
  }
  if (fieldsOf(first).code === "merchant_scope_denied") {
    throw new Refusal("the credential is of one merchant; the checks need one of a whole tenant", EXIT.refused);
  }
  say(`writes to ${baseUrl.origin}: merchants named ${prefix}…, with consents, a brand, campaigns, numbers, messages,`);
  say("calls and payments of theirs; direct messages of the tenant; all of it stays there afterwards");
  const found = await checkConformance(
    send,
    { credential, prefix, newNumber: createNumbers(), ownsDefault: false },
    operationIds,
  );
  process.stdout.write(
    isJson
      ? `${JSON.stringify({ baseUrl: baseUrl.href, prefix, summary: summaryOf(found), ...found }, null, 2)}\n`
      : printReport(found),
  );
  return found.violations.length === 0 ? EXIT.kept : EXIT.violated;
}

function readFlags(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        "base-url": { type: "string" },
        only: { type: "string", multiple: true },
        output: { type: "string", short: "o" },
        timeout: { type: "string" },
        yes: { type: "boolean", short: "y" },
        help: { type: "boolean", short: "h" },
      },
    });
    return values;
  } catch (error) {
    throw new Refusal(`${(error as Error).message}. See --help`);
  }
}

function understand(flags: ReturnType<typeof readFlags>): Asked {
  const { output = "table", timeout = "300", only = [] } = flags;
  if (output !== "table" && output !== "json") throw new Refusal(`--output takes table or json, received ${output}`);
  const seconds = Number(timeout);
  if (!(seconds >= 1 && seconds <= 3_600)) throw new Refusal(`--timeout takes 1 to 3600 seconds, received ${timeout}`);
  const operationIds = chooseOperations(only);
  const { MSGCTL_API_KEY: apiKey, MSGCTL_API_SECRET: apiSecret } = process.env;
  const own = apiKey && apiSecret ? { apiKey, apiSecret } : undefined;
  const demo = readDemoCredential(process.cwd());
  const text = flags["base-url"] ?? demo?.baseUrl;
  if (text === undefined) throw new Refusal("--base-url is missing: the address of the server to check");
  if (!isBaseUrl(text)) throw new Refusal(`--base-url takes ${BASE_URL_EXPECTED}`);
  const baseUrl = new URL(text);
  // the demo's credential goes to the demo's server alone
  const credential = own ?? (demo !== undefined && new URL(demo.baseUrl).origin === baseUrl.origin ? demo : undefined);
  if (credential === undefined) {
    throw new Refusal("there is no credential: set MSGCTL_API_KEY and MSGCTL_API_SECRET, of a whole tenant");
  }
  if (!isLoopback(text) && flags.yes !== true) {
    throw new Refusal(
      `${baseUrl.origin} is not on this machine. The checks write to it, and it may charge for messages, calls, ` +
        "registrations and payments. Add -y when that is meant",
    );
  }
  return { baseUrl, credential, operationIds, isJson: output === "json", deadlineMs: seconds * 1_000 };
}

function chooseOperations(only: readonly string[]): OperationId[] {
  const all = Object.keys(operations) as OperationId[];
  if (only.length === 0) return all;
  const chosen = new Set<OperationId>();
  for (const name of only) {
    const found = all.filter(
      (operationId) => operationId === name || operations[operationId].tag.toLowerCase() === name.toLowerCase(),
    );
    if (found.length === 0) {
      const tags = [...new Set(all.map((operationId) => operations[operationId].tag))].join(", ");
      throw new Refusal(`--only takes an operationId or a tag (${tags}), received ${name}`);
    }
    for (const operationId of found) chosen.add(operationId);
  }
  return [...chosen];
}

/** Numbers that nobody has: 555-0100 to 555-0199 of an area, one of many so that no two runs meet. */
function createNumbers(): () => string {
  const area = randomInt(220, 989);
  let count = randomInt(100);
  return () => {
    count += 1;
    return `+1${area}55501${String(count % 100).padStart(2, "0")}`;
  };
}

function say(line: string): void {
  process.stderr.write(`conformance: ${printable(line)}\n`);
}

run(process.argv.slice(2)).then(
  (exitCode) => {
    process.exitCode = exitCode;
  },
  (error: unknown) => {
    if (!(error instanceof Refusal || error instanceof RunEnded || error instanceof CliError)) throw error;
    say(error.message);
    process.exitCode = error instanceof Refusal ? error.exitCode : EXIT.notRun;
  },
);
