// The man pages: one for the tool, and one per group, command and topic, all in section 1.
import type {
  CommandFacts,
  ExampleFacts,
  GroupFacts,
  Reference,
  TopicFacts,
  TopicPart,
  ValueFacts,
} from "msgctl/reference";
import { definitions, literal, paragraph, paragraphs, prose, section, titleLine, verbatim } from "./roff.ts";

/** Each page by its name for `man`. */
export function manPages(reference: Reference): [name: string, text: string][] {
  const { groups, roots, topics, version } = reference;
  const page = (name: string, summary: string, sections: readonly string[]): [string, string] => {
    const title = `${titleLine(name, version)}.SH NAME\n${literal(name)} \\- ${prose(lowerFirst(summary))}\n`;
    return [name, title + sections.join("")];
  };
  return [
    page("msgctl", "work with the merchant messaging service from the terminal", toolPage(reference)),
    ...groups.map((group) => page(manName(group.name), withoutStop(group.description), groupPage(group))),
    ...[...groups, ...roots].flatMap(({ commands }) =>
      commands.map((command) => page(manName(command.words), command.summary, commandPage(command))),
    ),
    ...topics.map((topic) => page(manName(topic.name), withoutStop(topic.summary), topicPage(topic))),
  ];
}

function toolPage({ groups, roots, topics, examples, globalFlags, exitCodes, variables }: Reference): string[] {
  const rows = [...groups, ...roots].map(({ name, description }) => [name, description] as const);
  return [
    section(
      "SYNOPSIS",
      verbatim(["msgctl <group> <command> [arguments] [flags]", "msgctl <command> [arguments] [flags]"]),
    ),
    section("COMMANDS", definitions(rows)),
    section("GLOBAL FLAGS", definitions([...globalFlags, HELP, VERSION])),
    section("EXIT STATUS", definitions(exitCodes)),
    section("ENVIRONMENT", definitions(variables)),
    section("EXAMPLES", ...examples.map(exampleBlock)),
    seeAlso([...groups, ...roots, ...topics].map(({ name }) => manName(name))),
  ];
}

const HELP = ["-h, --help", "Show help for a command."] as const;
const VERSION = ["--version", "Print the versions of msgctl and of its contract."] as const;

function groupPage({ name, commands }: GroupFacts): string[] {
  return [
    section("SYNOPSIS", verbatim([`msgctl ${name} <command> [arguments] [flags]`])),
    section("COMMANDS", definitions(commands.map(({ words, summary }) => [words, `${summary}.`]))),
    seeAlso(["msgctl", ...commands.map(({ words }) => manName(words))]),
  ];
}

function commandPage(command: CommandFacts): string[] {
  const [group = "", ...rest] = command.words.split(" ");
  const { output, examples, wait } = command;
  const fields = output?.fields ?? [];
  return [
    section("SYNOPSIS", verbatim([command.usage, ...command.aliases.map((alias) => `msgctl ${alias} ...`)])),
    section("DESCRIPTION", paragraphs(command.description), ...requestParagraphs(command)),
    values("ARGUMENTS", command.arguments),
    values("REQUIRED FLAGS", command.required),
    values(command.required.length > 0 ? "OPTIONAL FLAGS" : "FLAGS", command.optional),
    section("GLOBAL FLAGS", `For the flags of every command, see ${reference("msgctl")}.\n`),
    fields.length === 0 ? "" : section("FIELDS", paragraph(`For --columns: ${fields.join(", ")}.`)),
    section("EXIT STATUS", `0 on success. For all other codes, see ${reference("msgctl-exit-codes")}.\n`),
    examples.length === 0 ? "" : section("EXAMPLES", ...examples.map(exampleBlock)),
    seeAlso([
      "msgctl",
      ...(rest.length === 0 ? [] : [manName(group)]),
      ...(wait === undefined ? [] : [manName(wait.command)]),
    ]),
  ];
}

function requestParagraphs({ request, wait }: CommandFacts): string[] {
  const sent = request && paragraph(`Sends \`${request.method} ${request.path}\`.`);
  const ended =
    wait &&
    paragraph(
      `The work continues after the reply. It has ended when ${wait.field} in \`msgctl ${wait.command}\` is one of ${wait.until.join(", ")}.`,
    );
  return [sent, ended].filter((text) => text !== undefined);
}

function values(title: string, rows: readonly ValueFacts[]): string {
  return rows.length === 0 ? "" : section(title, definitions(rows.map(({ term, text }) => [term, text])));
}

function exampleBlock({ title, lines }: ExampleFacts): string {
  return verbatim([`# ${title}`, ...lines]);
}

function topicPage({ introduction, sections }: TopicFacts): string[] {
  return [
    section("DESCRIPTION", ...introduction.map(topicPart)),
    ...sections.map(({ title, parts }) => section(title, ...parts.map(topicPart))),
    seeAlso(["msgctl"]),
  ];
}

function topicPart(part: TopicPart): string {
  if (part.kind === "blocks") return paragraphs(part.blocks);
  return part.kind === "definitions" ? definitions(part.rows) : verbatim(part.lines);
}

function seeAlso(pages: readonly string[]): string {
  return section("SEE ALSO", `${pages.map(reference).join(",\n")}\n`);
}

/** A reference to a man page. */
function reference(name: string): string {
  return `\\fB${literal(name)}\\fR(1)`;
}

function manName(words: string): string {
  return `msgctl-${words.replaceAll(" ", "-")}`;
}

function withoutStop(text: string): string {
  return text.replace(/\.$/, "");
}

/** Lowers the first letter, as in a manual's index, unless the text begins with an abbreviation. */
function lowerFirst(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
