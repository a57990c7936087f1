/** The words of the written commands there are. What they say of themselves is in definitions/, what they do in runs.ts. */
import type { WrittenEntry } from "../record.ts";
import type { WrittenGroup } from "./written-command.ts";

export const writtenGroups: readonly WrittenGroup[] = [
  {
    name: "consent",
    commands: [
      { name: "check", aliases: [], summary: "Say whether a contact has opted in", written: "consent check" },
      { name: "import", aliases: [], summary: "Record the answers of a CSV file", written: "consent import" },
    ],
  },
  {
    name: "tts",
    commands: [
      {
        name: "watch",
        aliases: [],
        summary: "Follow a batch until it is over",
        written: "tts watch",
        follows: "getTtsBatchSummary",
      },
    ],
  },
  {
    name: "alerts",
    commands: [{ name: "tail", aliases: [], summary: "Print alerts as they come", written: "alerts tail" }],
  },
  {
    name: "registration",
    commands: [
      {
        name: "apply",
        aliases: [],
        summary: "Bring a registration to what a file says",
        written: "registration apply",
      },
      { name: "wait", aliases: [], summary: "Wait until a merchant may send", written: "registration wait" },
    ],
  },
  {
    name: "send",
    commands: [
      { name: "bulk", aliases: [], summary: "Send a message for each row of a CSV file", written: "send bulk" },
    ],
  },
  {
    name: "config",
    description: "The profiles and settings of this machine.",
    commands: [
      { name: "get", aliases: [], summary: "Print a setting of a profile", written: "config get" },
      { name: "set", aliases: [], summary: "Change a setting of a profile", written: "config set" },
      { name: "list", aliases: ["ls"], summary: "List the settings of a profile", written: "config list" },
      { name: "path", aliases: [], summary: "Print the folder of the configuration", written: "config path" },
    ],
  },
  {
    name: "auth",
    description: "The credentials of this machine.",
    commands: [
      { name: "login", aliases: [], summary: "Store a credential", written: "auth login" },
      { name: "logout", aliases: [], summary: "Remove a credential", written: "auth logout" },
      { name: "status", aliases: [], summary: "Show which credential is in use", written: "auth status" },
      { name: "list", aliases: ["ls"], summary: "List the profiles", written: "auth list" },
      { name: "switch", aliases: [], summary: "Make another profile the current one", written: "auth switch" },
    ],
  },
];

/** Those that stand without a group, in the order of the root's help. */
export const rootCommands: readonly WrittenEntry[] = [
  {
    name: "doctor",
    aliases: [],
    summary: "Check that everything works, and how to mend what does not",
    written: "doctor",
  },
  { name: "api", aliases: [], summary: "Send any request below /api/v1", written: "api" },
  {
    name: "listen",
    aliases: [],
    summary: "Receive the service's callbacks: verify, print and forward them",
    written: "listen",
  },
  { name: "mock", aliases: [], summary: "Tell how to serve a mock of the service", written: "mock" },
  { name: "schema", aliases: [], summary: "Print the schemas of a command and an example", written: "schema" },
  { name: "completion", aliases: [], summary: "Print the completion script of a shell", written: "completion" },
];
