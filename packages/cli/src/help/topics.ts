/** `msgctl help <topic>`: what applies to every command. */
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
  "exit-codes": { summary: "What the exit code of msgctl tells.", write: exitCodes },
};

export const topicNames: readonly string[] = Object.keys(topics);

/** Each topic with a one-line summary. */
export const topicSummaries: readonly (readonly [topic: string, summary: string])[] = Object.entries(topics).map(
  ([name, { summary }]) => [name, summary],
);

export const topicRows = topicSummaries.map(([name, summary]) => [`msgctl help ${name}`, summary] as const);

/** The text of a topic; undefined when there is no topic of that name. */
export function topicHelp(name: string, page: Page): string | undefined {
  return Object.hasOwn(topics, name) ? topics[name]?.write(page) : undefined;
}

function exitCodes(page: Page): string {
  const rows = Object.entries(EXIT_CODE_MEANINGS).map(([code, meaning]) => [code, meaning] as const);
  return [
    page.paragraphs(
      "Scripts can rely on these exit codes. With -o json or jsonl an error is one JSON object on standard error, which " +
        "always has code, type, message, hints, errors, requestId, idempotencyKey, status, created and exitCode; what is " +
        "not known is null, and what there is none of an empty list. Of an error of the service, msgd shows cause and cure " +
        "at /docs/errors/<code>.",
    ),
    section(page, "EXIT CODES", page.definitions(rows)),
  ].join("\n");
}

/** The environment variables that are read. */
export const VARIABLES = [
  ["MSGCTL_API_KEY", "Key of the credential; needs MSGCTL_API_SECRET beside it."],
  ["MSGCTL_API_SECRET", "Secret of the same credential."],
  ["MSGCTL_BASE_URL", "Address of the service; /api/v1 at its end is cut off."],
  ["MSGCTL_PROFILE", "Name of the profile to use."],
  ["MSGCTL_OUTPUT", "Output format where -o is not given, see msgctl help output."],
  ["MSGCTL_WEBHOOK_SECRET", "What msgctl listen verifies callbacks with; several are separated by spaces."],
  [
    "HTTPS_PROXY",
    "Proxy for addresses of https, such as http://proxy.example.com:3128; HTTP_PROXY for those of http, ALL_PROXY for both. msgctl doctor says which is used.",
  ],
  [
    "NO_PROXY",
    "What is reached without one, separated by commas: hosts with those below them, ports, addresses, ranges, or *. This machine always is.",
  ],
  ["NODE_EXTRA_CA_CERTS", "File of authorities that are trusted besides those of Node.js; SSL_CERT_FILE is not used."],
  ["MSGCTL_PAGER", "What shows a list that is longer than the screen, else PAGER, else less; set to nothing: none."],
  ["BROWSER", "What msgctl open opens pages with."],
  ["NO_COLOR", "Set to anything: no colour. FORCE_COLOR and CLICOLOR_FORCE colour off a terminal too."],
  ["TERM", "dumb or not set: questions and progress are plain lines; so they are with LC_ALL=C."],
  [
    "XDG_CONFIG_HOME",
    "Folder that holds msgctl/config.json; a relative path counts as none. (default ~/.config, on Windows %APPDATA%)",
  ],
] as const;

const FILES = [
  ["config.json", "Profiles and settings, no secrets; in the folder that msgctl config path prints."],
  ["credentials.json", "The credentials, beside it: mode 0600 in a folder of mode 0700, or it is refused."],
  [".msgd/demo-credential.json", "Where npm start was run: the credential of the demo server."],
] as const;

function environment(page: Page): string {
  return [
    page.paragraphs(
      "A command needs the address of the service and a credential. The first of these that is there is used:\n" +
        "- the profile named by --profile\n" +
        "- MSGCTL_API_KEY and MSGCTL_API_SECRET, with MSGCTL_BASE_URL\n" +
        "- the profile named by MSGCTL_PROFILE, else the current profile of config.json\n" +
        "- the demo server of this folder, where npm start was run",
    ),
    section(page, "VARIABLES", page.definitions(VARIABLES)),
    section(
      page,
      "PROFILES",
      page.verbatim([
        page.dim("# stores a credential and makes its profile the current one"),
        "msgctl auth login --profile prod --base-url https://api.example.com",
        "",
        page.dim("# which one is in use, which there are, another one, none"),
        "msgctl auth status",
        "msgctl auth list",
        "msgctl auth switch prod",
        "msgctl auth logout",
        "",
        page.dim("# what -o, --timeout and --retries are that are not given"),
        "msgctl config set output json",
      ]),
    ),
    section(page, "FILES", page.definitions(FILES)),
    section(
      page,
      "DEMO SERVER",
      page.indented(
        "npm start, in the project's folder, starts one and leaves its credential there in .msgd/demo-credential.json. " +
          "--profile demo names it outright.",
      ),
    ),
  ].join("\n");
}
