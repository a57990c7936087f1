// Reads the checks to run and their credentials: from the flags, the environment and the demo server of this folder.

import { parseArgs } from "node:util";
import { type OperationId, operations } from "@msgctl/contract";
import type { Credential } from "../target/send.ts";
import type { OtherCredentials } from "../target/target.ts";
import { BASE_URL_EXPECTED, isBaseUrl, isLoopback } from "./base-url.ts";
import { readDemoCredential } from "./demo-credential.ts";
import { Refusal } from "./refusal.ts";

export const usage = `Usage: msgctl-conformance --base-url <url> [options]

Asks a server for every reply that the messaging contract documents, and checks
each reply against the contract.

Credentials come from the environment:
  MSGCTL_API_KEY, …_SECRET           of a whole tenant; default: those of
                                     \`msgd serve --dev\` in this folder
Some refusals need another credential, and are not checked without it:
  MSGCTL_SPARE_API_KEY, …_SECRET     of a second tenant, whose merchant
                                     \`default\` may be changed
  MSGCTL_MERCHANT_API_KEY, …_SECRET  of one merchant of the first tenant
  MSGCTL_REVOKED_API_KEY, …_SECRET   of the first tenant, and revoked

Options:
  --base-url <url>       the server; default: that of \`msgd serve --dev\` in
                         this folder
  --only <name>          an operationId or a tag of the contract; repeatable
  -o, --output <format>  table (default) or json
  --timeout <seconds>    of the whole run, 1 to 3600 (default 300)
  -y, --yes              write to a server that is not on this machine
  -h, --help             print this help
  -V, --version          print the version

Exit codes: 0 no violation, 1 violations, 2 no violation, but the checks are
incomplete (usage, no reply, a limit), 3 credential refused, 130 interrupted
(Ctrl-C). At a limit or Ctrl-C, the findings so far are printed.
`;

export interface Asked {
  readonly baseUrl: URL;
  readonly credential: Credential;
  readonly others: OtherCredentials;
  readonly operationIds: readonly OperationId[];
  readonly isJson: boolean;
  readonly deadlineMs: number;
}

/** Context of a command line. */
export interface Place {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
}

/** Returns the checks, or which text is requested. @throws {Refusal} If a flag or variable is invalid or missing. */
export function readLine(args: readonly string[], place: Place): Asked | "help" | "version" {
  const flags = readFlags(args);
  if (flags.help === true) return "help";
  return flags.version === true ? "version" : understand(flags, place);
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
        version: { type: "boolean", short: "V" },
      },
    });
    return values;
  } catch (error) {
    throw new Refusal(`${(error as Error).message}. See --help`);
  }
}

function understand(flags: ReturnType<typeof readFlags>, { env, cwd }: Place): Asked {
  const { output = "table", timeout = "300", only = [] } = flags;
  if (output !== "table" && output !== "json") throw new Refusal(`--output takes table or json, received ${output}`);
  const seconds = Number(timeout);
  if (!(seconds >= 1 && seconds <= 3_600)) throw new Refusal(`--timeout takes 1 to 3600 seconds, received ${timeout}`);
  const operationIds = chooseOperations(only);
  const own = readCredential(env, "MSGCTL");
  const others = {
    spare: readCredential(env, "MSGCTL_SPARE"),
    merchant: readCredential(env, "MSGCTL_MERCHANT"),
    revoked: readCredential(env, "MSGCTL_REVOKED"),
  };
  const demo = readDemoCredential(cwd);
  const text = flags["base-url"] ?? demo?.baseUrl;
  if (text === undefined) throw new Refusal("--base-url is missing: the address of the server to check");
  if (!isBaseUrl(text)) throw new Refusal(`--base-url takes ${BASE_URL_EXPECTED}`);
  const baseUrl = new URL(text);
  // the demo's credential must go only to the demo's server
  const credential = own ?? (demo !== undefined && new URL(demo.baseUrl).origin === baseUrl.origin ? demo : undefined);
  if (credential === undefined) {
    throw new Refusal("there is no credential: set MSGCTL_API_KEY and MSGCTL_API_SECRET, of a whole tenant");
  }
  if (!isLoopback(text) && flags.yes !== true) {
    throw new Refusal(
      `${baseUrl.origin} is not on this machine. The checks write to it, and it may charge for messages, calls, ` +
        "registrations and payments. Add -y to confirm",
    );
  }
  return { baseUrl, credential, others, operationIds, isJson: output === "json", deadlineMs: seconds * 1_000 };
}

/** Reads a credential from the environment; undefined if neither part is set. @throws {Refusal} If only one is. */
function readCredential(env: NodeJS.ProcessEnv, prefix: string): Credential | undefined {
  const names = [`${prefix}_API_KEY`, `${prefix}_API_SECRET`] as const;
  const [apiKey, apiSecret] = names.map((name) => env[name] || undefined);
  if (apiKey !== undefined && apiSecret !== undefined) return { apiKey, apiSecret };
  if (apiKey === undefined && apiSecret === undefined) return undefined;
  throw new Refusal(`${names.join(" and ")} must be set together; only one of them is set`);
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
