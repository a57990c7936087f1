/** `msgctl help <topic>`: texts about all commands. */
import { EXIT_CODE_MEANINGS } from "../process/exit-codes.ts";
import { outputTopic } from "./output-topic.ts";
import { type Page, section } from "./page.ts";

interface Topic {
  summary: string;
  write(page: Page): string;
}

const topics: Readonly<Record<string, Topic>> = {
  environment: { summary: "Environment variables, profiles and the demo server.", write: environment },
  output: { summary: "Formats, queries and files for what msgctl prints.", write: outputTopic },
  "exit-codes": { summary: "Exit codes and their meaning.", write: exitCodes },
};

export const topicNames: readonly string[] = Object.keys(topics);

/** The topics, with a one-line summary for each. */
export const topicSummaries: readonly (readonly [topic: string, summary: string])[] = Object.entries(topics).map(
  ([name, { summary }]) => [name, summary],
);

export const topicRows = topicSummaries.map(([name, summary]) => [`msgctl help ${name}`, summary] as const);

/** Formats a topic; undefined if there is no topic of that name. */
export function topicHelp(name: string, page: Page): string | undefined {
  return Object.hasOwn(topics, name) ? topics[name]?.write(page) : undefined;
}

function exitCodes(page: Page): string {
  const rows = Object.entries(EXIT_CODE_MEANINGS).map(([code, meaning]) => [code, meaning] as const);
  return [
    page.paragraphs(
      "Scripts can rely on these exit codes. With -o json or jsonl an error is one JSON object on standard error, which " +
        "always has code, type, message, hints, errors, requestId, idempotencyKey, status, created and exitCode; an " +
        "unknown value is null, and an empty list means none. For an error of the service, type is the address of the " +
        "page that explains its cause and remedy.",
    ),
    section(page, "EXIT CODES", page.definitions(rows)),
  ].join("\n");
}

/** The environment variables that msgctl reads. */
export const VARIABLES = [
  ["MSGCTL_API_KEY", "API key; also set MSGCTL_API_SECRET."],
  ["MSGCTL_API_SECRET", "API secret of the same credential."],
  ["MSGCTL_BASE_URL", "Address of the service; a trailing /api/v1 is removed."],
  ["MSGCTL_PROFILE", "Name of the profile to use."],
  ["MSGCTL_OUTPUT", "Output format, unless -o is given; see msgctl help output."],
  ["MSGCTL_WEBHOOK_SECRET", "Secret with which msgctl listen verifies callbacks; separate several by spaces."],
  [
    "HTTPS_PROXY",
    "Proxy for https addresses, such as http://proxy.example.com:3128; HTTP_PROXY for http, ALL_PROXY for both. msgctl doctor shows which is used.",
  ],
  [
    "NO_PROXY",
    "Hosts to reach without a proxy, separated by commas: names (with subdomains), host:port, addresses, ranges, or *. This machine never uses one.",
  ],
  ["NODE_EXTRA_CA_CERTS", "File of extra certificate authorities to trust; SSL_CERT_FILE is not used."],
  [
    "MSGCTL_PAGER",
    "Pager for lists longer than the screen. If not set, PAGER or else less is used; if empty, no pager.",
  ],
  ["BROWSER", "Browser command for msgctl open."],
  ["NO_COLOR", "Any value turns colour off. FORCE_COLOR and CLICOLOR_FORCE turn it on without a terminal."],
  ["TERM", "If dumb or not set, questions and progress are plain lines, as with LC_ALL=C."],
  [
    "XDG_CONFIG_HOME",
    "Folder that holds msgctl/config.json; a relative path is ignored. (default ~/.config, on Windows %APPDATA%)",
  ],
] as const;

const FILES = [
  ["config.json", "Profiles and settings, no secrets; in the folder that msgctl config path prints."],
  ["credentials.json", "Credentials, in the same folder; refused unless it has mode 0600 and the folder 0700."],
  [".msgd/demo-credential.json", "Credential of the demo server, in the folder where npm start was run."],
] as const;

function environment(page: Page): string {
  return [
    page.paragraphs(
      "A command needs the address of the service and a credential. The first one found is used:\n" +
        "- the profile named by --profile\n" +
        "- MSGCTL_API_KEY and MSGCTL_API_SECRET, with MSGCTL_BASE_URL\n" +
        "- the profile named by MSGCTL_PROFILE, otherwise the current profile of config.json\n" +
        "- the demo server of this folder, where npm start was run",
    ),
    section(page, "VARIABLES", page.definitions(VARIABLES)),
    section(
      page,
      "PROFILES",
      page.verbatim([
        page.dim("# store a credential, and make its profile the current one"),
        "msgctl auth login --profile prod --base-url https://api.example.com",
        "",
        page.dim("# show, list, switch and remove profiles"),
        "msgctl auth status",
        "msgctl auth list",
        "msgctl auth switch prod",
        "msgctl auth logout",
        "",
        page.dim("# set the default of -o, --timeout or --retries"),
        "msgctl config set output json",
      ]),
    ),
    section(page, "FILES", page.definitions(FILES)),
    section(
      page,
      "DEMO SERVER",
      page.indented(
        "npm start in the project's folder starts a demo server, and stores its credential there in .msgd/demo-credential.json. " +
          "--profile demo selects it.",
      ),
    ),
  ].join("\n");
}
