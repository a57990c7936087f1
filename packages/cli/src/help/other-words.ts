/** Words that newcomers try, with the commands that they may mean. */
import { allGroups, type Catalog } from "../model/catalog.ts";

const LOGIN = ["auth login"];
const PROFILES = ["auth list", "auth switch"];
const CALL = ["send voice", "tts create"];
const RECEIVED = ["listen"];
const LOGS = ["alerts list", "tts list", "listen"];
const QUOTA = ["merchants get", "billing upgrade"];

export const OTHER_WORDS: Readonly<Record<string, readonly string[]>> = {
  ...{ signin: LOGIN, init: LOGIN, configure: LOGIN, setup: LOGIN, signout: ["auth logout"] },
  ...{ profile: PROFILES, profiles: PROFILES, use: PROFILES },
  ...{ message: ["send sms"], text: ["send sms"], messages: ["send sms", "send voice", "send email"] },
  ...{ call: CALL, calls: CALL, mail: ["send email"], emails: ["send email"], batch: ["send bulk", "tts create"] },
  ...{ webhook: RECEIVED, webhooks: RECEIVED, events: RECEIVED, callbacks: RECEIVED, log: LOGS, logs: LOGS },
  ...{ balance: QUOTA, credits: QUOTA, quota: QUOTA, numbers: ["registration number"] },
  ...{ ping: ["doctor"], health: ["doctor"], request: ["api"], curl: ["api"], version: ["--version"] },
};

const MOST_COMMANDS = 5;

/**
 * Finds the commands that an unknown word may mean: commands with this name, and commands that other tools call by this
 * name. If `group` is given, finds only commands of that group.
 */
export function findCommands(word: string, group: string | undefined, catalog: Catalog): string[] {
  const typed = word.toLowerCase();
  const named = allGroups(catalog).flatMap(({ name, commands }) =>
    commands
      .filter((command) => [command.name, ...command.aliases].includes(typed))
      .map((command) => `${name} ${command.name}`),
  );
  const others = Object.hasOwn(OTHER_WORDS, typed) ? (OTHER_WORDS[typed] ?? []) : [];
  const meant = [...new Set([...named, ...others])].filter(
    (words) => group === undefined || words.startsWith(`${group} `),
  );
  return meant.slice(0, MOST_COMMANDS);
}

/** Formats the advice: "Run `msgctl auth login`." */
export function formatAdvice(commands: readonly string[]): string {
  const quoted = commands.map((words) => `\`msgctl ${words}\``);
  const last = quoted.pop() ?? "";
  return `Run ${quoted.length === 0 ? last : `${quoted.join(", ")} or ${last}`}.`;
}
