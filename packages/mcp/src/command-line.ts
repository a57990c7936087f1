// The arguments of `msgctl-mcp`, and its help.

import { parseArgs } from "node:util";
import { tools } from "./generated/tools.ts";
import type { Options } from "./options.ts";

/** The groups of operations that have any that write. */
const GROUPS = [...new Set(tools.filter(({ method }) => method !== "GET").map(({ group }) => group))];

const DEFAULTS = { "max-sends": 20, timeout: 60 } as const;
const MOST_SENDS = 10_000;
/** Less than the ten minutes for which a send is remembered: the memory has to outlast the call. */
const LONGEST_TIMEOUT_SECONDS = 300;

const FLAGS = {
  profile: { type: "string" },
  "base-url": { type: "string" },
  allow: { type: "string" },
  "allow-billable": { type: "boolean" },
  merchant: { type: "string" },
  "max-sends": { type: "string" },
  "show-contacts": { type: "boolean" },
  yes: { type: "boolean", short: "y" },
  timeout: { type: "string" },
  http: { type: "string" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "V" },
} as const;

/** An invalid command line; the message has a line for each fault. */
export class LineError extends Error {
  override readonly name = "LineError";
}

export const help = `Serves the merchant messaging API to agents over the Model Context Protocol (MCP).

Usage: msgctl-mcp [flags]

Without flags it serves one client over standard input and output, and its tools only read.

What the agent may do:
  --allow <groups>       let tools of these groups write, separated by commas, or "all":
                         ${GROUPS.join(", ")}
  --allow-billable       also offer the tools of these groups that cost money or cannot be undone; each
                         call is shown to you first
  --yes, -y              do not ask before such a call; needed if the client cannot ask
  --max-sends <number>   recipients that this process may send to, 0 to ${MOST_SENDS}; a batch counts each of its
                         numbers, a purchase counts one (default ${DEFAULTS["max-sends"]})
  --merchant <id>        bind all tools to one merchant
  --show-contacts        show phone numbers and email addresses in replies (default: masked)

Where the service is (as with msgctl: its profiles, MSGCTL_API_KEY, MSGCTL_API_SECRET, MSGCTL_BASE_URL):
  --profile <name>       a profile of msgctl; "demo" is the server that npm start runs in this folder
  --base-url <url>       another address for the same credential
  --timeout <seconds>    limit for one call with its retries (default ${DEFAULTS.timeout})

How clients connect:
  --http <port>          serve http://127.0.0.1:<port>/mcp instead; 0 picks a free port. Clients send the
                         token of MSGCTL_MCP_TOKEN, or the one that is printed, as a bearer token

  -h, --help             print this help
  -V, --version          print the version

Exit codes: 0 ended by its client or by a signal, 1 failed, 2 wrong command line.
`;

type Flag = keyof typeof FLAGS;

/** Throws a `LineError` with all faults at once. */
export function readLine(args: readonly string[]): Options | "help" | "version" {
  const { tokens } = parseArgs({
    args: [...args],
    options: FLAGS,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const faults: string[] = [];
  const values = new Map<Flag, string>();
  for (const token of tokens) {
    if (token.kind === "positional") faults.push(`expected flags only, received "${token.value}"`);
    if (token.kind !== "option") continue;
    const { name, rawName, value } = token;
    if (name === "help" || name === "version") return name;
    if (!isFlag(name)) faults.push(`${rawName}: unknown flag`);
    else if (values.has(name)) faults.push(`--${name}: expected once, received twice`);
    else if (FLAGS[name].type === "boolean" && value !== undefined)
      faults.push(`--${name}: takes no value, received "${value}"`);
    else if (FLAGS[name].type === "string" && (value ?? "") === "")
      faults.push(`--${name}: expected a value, received nothing`);
    else values.set(name, value ?? "");
  }
  const whole = (name: Flag, least: number, most: number): number | undefined => {
    const text = values.get(name);
    if (text === undefined) return undefined;
    if (/^\d{1,6}$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text);
    faults.push(`--${name}: expected a whole number from ${least} to ${most}, received "${text}"`);
    return undefined;
  };
  const options: Options = {
    profile: values.get("profile"),
    baseUrl: values.get("base-url"),
    allow: readGroups(values.get("allow"), faults),
    allowBillable: values.has("allow-billable"),
    merchant: values.get("merchant"),
    maxSends: whole("max-sends", 0, MOST_SENDS) ?? DEFAULTS["max-sends"],
    showContacts: values.has("show-contacts"),
    yes: values.has("yes"),
    timeoutMs: (whole("timeout", 1, LONGEST_TIMEOUT_SECONDS) ?? DEFAULTS.timeout) * 1_000,
    httpPort: whole("http", 0, 65_535),
  };
  if (options.allowBillable && !values.has("allow"))
    faults.push('--allow-billable: expected with --allow <groups>, such as "--allow send", which says where');
  if (faults.length > 0) throw new LineError(faults.join("\n"));
  return options;
}

function isFlag(name: string): name is Flag {
  return Object.hasOwn(FLAGS, name);
}

function readGroups(text: string | undefined, faults: string[]): readonly string[] {
  const words = text?.split(",").map((word) => word.trim()) ?? [];
  if (words.length === 1 && words[0] === "all") return GROUPS;
  for (const word of words.filter((each) => !GROUPS.includes(each))) {
    faults.push(`--allow: expected "all" or some of ${GROUPS.join(", ")}, received "${word}"`);
  }
  return words;
}
