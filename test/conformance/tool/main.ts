// `npm run conformance -- --base-url <url>`: whether a server keeps the contract, as far as that shows from outside.

import { randomBytes, randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { type OperationId, operations } from "@msgctl/contract";
import { BASE_URL_EXPECTED, isBaseUrl, isLoopback } from "../../../packages/cli/src/access/base-url.ts";
import { readDemoCredential } from "../../../packages/cli/src/access/demo-credential.ts";
import { CliError } from "../../../packages/cli/src/errors.ts";
import { EXIT as CLI_EXIT } from "../../../packages/cli/src/exit-codes.ts";
import { Interruption } from "../../../packages/cli/src/interruption.ts";
import { printable } from "../../../packages/cli/src/output/printable.ts";
import type { CheckedReply } from "../../../packages/server/src/contract-check.ts";
import { type Conformance, checkConformance } from "../checks.ts";
import {
  type Credential,
  fieldsOf,
  NoReply,
  type OtherCredentials,
  type Request,
  RunEnded,
  type Send,
  wordsOf,
} from "../target.ts";
import { createHttpSend } from "./http-send.ts";
import { printReport, summaryOf } from "./report.ts";

const EXIT = { kept: 0, violated: 1, notRun: 2, refused: 3, interrupted: CLI_EXIT.interrupted } as const;
/** From Ctrl-C to the end of the process, whatever else is under way. */
const PRINT_WITHIN_MS = 6_000;
const REQUEST_TIMEOUT_MS = 15_000;
const MAX_REQUESTS = 3_000;

const usage = `Usage: npm run conformance -- --base-url <url> [options]

Asks a server for every reply that the contract documents and holds each
against it: docs/conformance.md.

Credentials come from the environment:
  MSGCTL_API_KEY, …_SECRET           of a whole tenant; default: those of
                                     \`npm start\` in this folder
Some refusals need another one too, and are left out without:
  MSGCTL_SPARE_API_KEY, …_SECRET     of a second tenant, whose merchant
                                     \`default\` may be changed
  MSGCTL_MERCHANT_API_KEY, …_SECRET  of one merchant of the first tenant
  MSGCTL_REVOKED_API_KEY, …_SECRET   of the first tenant, and revoked

Options:
  --base-url <url>       the server; default: that of \`npm start\` in this folder
  --only <name>          an operationId or a tag of the contract; repeatable
  -o, --output <format>  table (default) or json
  --timeout <seconds>    of the whole run, 1 to 3600 (default 300)
  -y, --yes              write to a server that is not on this machine
  -h, --help             print this help

Exit codes: 0 no violation, 1 violations, 2 no violation, but not all was asked
(usage, no reply, a bound), 3 credential refused, 130 interrupted (Ctrl-C). What
was found until a bound or Ctrl-C is printed.
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
  readonly others: OtherCredentials;
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
  const { baseUrl, credential, others, operationIds, isJson, deadlineMs } = understand(flags);
  const watch = new Interruption();
  watch.graceMs = PRINT_WITHIN_MS;
  const interruption = watch.signal;
  const bounds = { requestTimeoutMs: REQUEST_TIMEOUT_MS, deadlineMs, maxRequests: MAX_REQUESTS, interruption };
  const send = createHttpSend(baseUrl, credential, bounds);
  await probe(send, baseUrl, others);
  const prefix = `conformance-${randomBytes(4).toString("hex")}-`;
  say(`writes to ${baseUrl.origin}: merchants named ${prefix}…,`);
  say("with consents, a brand, campaigns, numbers, messages, calls and payments of theirs;");
  say("direct messages of the tenant; all of it stays there afterwards");
  const surroundings = { credential, others, prefix, newNumber: createNumbers() };
  const found = await checkConformance(send, surroundings, operationIds);
  process.stdout.write(
    isJson
      ? `${JSON.stringify({ baseUrl: baseUrl.href, prefix, summary: summaryOf(found), ...found }, null, 2)}\n`
      : printReport(found),
  );
  if (interruption.aborted) return EXIT.interrupted;
  return exitCodeOf(found);
}

function exitCodeOf({ violations, ended, outcomes }: Conformance): number {
  if (violations.length > 0) return EXIT.violated;
  if (ended !== null) return EXIT.notRun;
  // a rate limit may excuse any reply, but not all
  if (outcomes.some(({ result, code }) => result === "reached" && code !== "rate_limited")) return EXIT.kept;
  say("nothing was found out: every request was refused for its rate. Raise the limit for this credential");
  return EXIT.notRun;
}

const MERCHANTS: Request = { method: "GET", url: "/api/v1/merchants" };
const PROVISIONING: Request = { method: "GET", url: "/api/v1/voice/provisioning" };

/** Reads before anything is written. @throws {Refusal} When nothing of the contract is there, or not for these credentials. */
async function probe(send: Send, baseUrl: URL, { spare, merchant }: OtherCredentials): Promise<void> {
  const first = await send(MERCHANTS).catch((error: unknown) => {
    if (!(error instanceof NoReply || (error instanceof RunEnded && error.message !== "interrupted"))) throw error;
    throw new Refusal(`${error.message}. Is the server running, and --base-url its address?`);
  });
  if (first.statusCode === 401) refuseCredential(first, "MSGCTL_API_KEY and MSGCTL_API_SECRET");
  if (fieldsOf(first).code === "merchant_scope_denied") {
    throw new Refusal("the credential is of one merchant; the checks need one of a whole tenant", EXIT.refused);
  }
  if (first.statusCode === 404 || !hasJson(first)) {
    const type = first.headers["content-type"] ?? "no content type";
    throw new Refusal(
      `there is no server of this contract at ${baseUrl.href}: GET ${MERCHANTS.url} below it answered ` +
        `${wordsOf(first)} (${type}), and a list of merchants or a problem, as JSON, is allowed. ` +
        `Give --base-url without ${MERCHANTS.url}`,
    );
  }
  if (merchant !== undefined) {
    const reply = await send(MERCHANTS, { as: merchant });
    if (reply.statusCode === 401) refuseCredential(reply, "MSGCTL_MERCHANT_API_KEY and MSGCTL_MERCHANT_API_SECRET");
  }
  if (spare === undefined) return;
  const [own, other] = [await send(PROVISIONING), await send(PROVISIONING, { as: spare })];
  if (other.statusCode === 401) refuseCredential(other, "MSGCTL_SPARE_API_KEY and MSGCTL_SPARE_API_SECRET");
  const ids = [own, other].map((reply) => fieldsOf(reply).tenantId);
  // its merchant `default` is deactivated for a moment
  if (ids[0] === undefined || ids[1] === undefined || ids[0] === ids[1]) {
    throw new Refusal(
      `MSGCTL_SPARE_API_KEY has to be of a second tenant: ${PROVISIONING.url} answered ` +
        `${wordsOf(own)} with tenant ${ids[0]} to the first credential, ${wordsOf(other)} with ${ids[1]} to this one`,
      EXIT.refused,
    );
  }
}

function refuseCredential(reply: CheckedReply, variables: string): never {
  throw new Refusal(`the credential was refused: ${wordsOf(reply)}. Set ${variables} to a good one`, EXIT.refused);
}

function hasJson({ body }: CheckedReply): boolean {
  try {
    JSON.parse(body);
    return true;
  } catch {
    return false;
  }
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
  const own = readCredential("MSGCTL");
  const others = {
    spare: readCredential("MSGCTL_SPARE"),
    merchant: readCredential("MSGCTL_MERCHANT"),
    revoked: readCredential("MSGCTL_REVOKED"),
  };
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
  return { baseUrl, credential, others, operationIds, isJson: output === "json", deadlineMs: seconds * 1_000 };
}

/** From the environment; undefined when neither part is there. @throws {Refusal} When one is. */
function readCredential(prefix: string): Credential | undefined {
  const names = [`${prefix}_API_KEY`, `${prefix}_API_SECRET`] as const;
  const [apiKey, apiSecret] = names.map((name) => process.env[name] || undefined);
  if (apiKey !== undefined && apiSecret !== undefined) return { apiKey, apiSecret };
  if (apiKey === undefined && apiSecret === undefined) return undefined;
  throw new Refusal(`${names.join(" and ")} go together; only one of them is set`);
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
    const isKnown = [Refusal, RunEnded, NoReply, CliError].some((kind) => error instanceof kind);
    if (!(error instanceof Error && isKnown)) throw error;
    say(error.message);
    process.exitCode = error instanceof Refusal ? error.exitCode : EXIT.notRun;
  },
);
