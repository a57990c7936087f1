// docs/cli: a page for each group, for each command without a group, and for the rules of all commands.
import type {
  CommandFacts,
  ExampleFacts,
  GroupFacts,
  Reference,
  TopicFacts,
  TopicPart,
  ValueFacts,
} from "msgctl/reference";
import { code, fenced, link, list, paragraphs, prose, table, toSlug } from "../markdown.ts";

const GLOBAL_FLAGS_PAGE = "global-flags.md";

type Page = [name: string, parts: string[]];

/** Builds the pages: the file name of each, and its parts. */
export function markdownPages(reference: Reference): Page[] {
  const { groups, roots, topics } = reference;
  return [
    ["README.md", indexPage(reference)],
    ...groups.map((group): Page => [pageOf(group), groupPage(group)]),
    ...roots.map((root): Page => [pageOf(root), rootPage(root)]),
    [GLOBAL_FLAGS_PAGE, globalFlagsPage(reference)],
    ...topics.map((topic): Page => [pageOf(topic), topicPage(topic)]),
  ];
}

function indexPage({ groups, roots, topics, examples, version }: Reference): string[] {
  const commands = [...groups, ...roots].flatMap((group) => group.commands);
  return [
    "# Reference of msgctl",
    `All commands of ${code(version)}, generated from [the contract](../../openapi.yaml) and from the data behind \`--help\`. ` +
      "To get started, read [packages/cli](../../packages/cli/README.md).",
    shell(["msgctl <group> <command> [arguments] [flags]", "msgctl <command> [arguments] [flags]"]),
    "## Groups",
    table(["Group", ""], groups.map(indexRow)),
    "## Commands without a group",
    table(["Command", ""], roots.map(indexRow)),
    "## Rules for all commands",
    table(
      ["Page", ""],
      [
        [link("Global flags", GLOBAL_FLAGS_PAGE), "The flags that every command has."],
        ...topics.map((topic) => [link(titleOf(topic), pageOf(topic)), prose(topic.summary)]),
      ],
    ),
    "## All commands",
    commandTable(commands),
    "## First steps",
    exampleBlock(examples),
  ];
}

function indexRow(group: GroupFacts): string[] {
  return [link(code(group.name), pageOf(group)), prose(group.description)];
}

function commandTable(commands: readonly CommandFacts[]): string {
  return table(
    ["Command", ""],
    commands.map(({ words, summary }) => [linkTo(words), prose(summary)]),
  );
}

function groupPage({ name, description, commands }: GroupFacts): string[] {
  return [
    `# msgctl ${name}`,
    prose(description),
    commandTable(commands),
    BESIDE,
    ...commands.flatMap((command) => [`## ${command.words}`, ...commandParts(command)]),
    BACK,
  ];
}

function rootPage({ name, commands }: GroupFacts): string[] {
  return [`# msgctl ${name}`, ...commands.flatMap(commandParts), BESIDE, BACK];
}

function globalFlagsPage({ globalFlags }: Reference): string[] {
  return [
    "# Global flags",
    "Every command takes these flags, before or after its own arguments. A command refuses a flag that does not apply to it, and says why.",
    definitions(["Flag", ""], globalFlags),
    "`-h` or `--help` shows the help of a command or group, and `msgctl --version` the versions of msgctl and of its contract.",
    BACK,
  ];
}

function topicPage(topic: TopicFacts): string[] {
  const title = titleOf(topic);
  // a section with the same name as its topic needs no heading
  const sectionTitle = (text: string) => (sentenceCase(text) === title ? [] : [`## ${sentenceCase(text)}`]);
  return [
    `# ${title}`,
    ...topic.introduction.map(topicPart),
    ...topic.sections.flatMap((section) => [...sectionTitle(section.title), ...section.parts.map(topicPart)]),
    BACK,
  ];
}

function topicPart(part: TopicPart): string {
  if (part.kind === "blocks") return paragraphs(part.blocks);
  return part.kind === "definitions" ? definitions(["", ""], part.rows) : shell(part.lines);
}

function definitions(head: readonly string[], rows: readonly (readonly [string, string])[]): string {
  return table(
    head,
    rows.map(([term, text]) => [code(term), prose(text)]),
  );
}

const BESIDE = `In addition to its own flags, each command takes the [global flags](${GLOBAL_FLAGS_PAGE}); [exit codes](exit-codes.md) are the same for all.`;
const BACK = link("All commands", "README.md");

function commandParts(command: CommandFacts): string[] {
  return [
    paragraphs(command.description),
    shell([command.usage]),
    command.aliases.length === 0 ? "" : `Also: ${listed(command.aliases.map((alias) => `msgctl ${alias}`))}.`,
    values("Argument", command.arguments),
    values("Required flag", command.required),
    values(command.required.length > 0 ? "Optional flag" : "Flag", command.optional),
    facts(command),
    command.examples.length === 0 ? "" : `**${command.examples.length > 1 ? "Examples" : "Example"}**`,
    exampleBlock(command.examples),
  ];
}

function values(kind: string, rows: readonly ValueFacts[]): string {
  if (rows.length === 0) return "";
  const isToldApart = rows.some((row) => row.values !== "");
  return table(
    [kind, "Meaning", ...(isToldApart ? ["Values"] : [])],
    rows.map(({ term, meaning, values: allowed }) => [
      code(term),
      prose(meaning),
      ...(isToldApart ? [prose(allowed)] : []),
    ]),
  );
}

/** Lists a command's request and output, and how to tell that its work has ended. */
function facts({ request, output, wait }: CommandFacts): string {
  const items: string[] = [];
  if (request !== undefined) {
    const key = request.idempotent ? " with an Idempotency-Key. A repeat with the same key has no further effect" : "";
    items.push(`Sends ${code(`${request.method} ${request.path}`)}${key}.`);
  }
  if (output !== undefined) items.push(...answer(output));
  if (wait !== undefined) {
    items.push(
      `The work continues after the reply. It has ended when ${code(wait.field)} in ${linkTo(wait.command)} is one of ${listed(wait.until)}.`,
    );
  }
  return list(items);
}

type Output = NonNullable<CommandFacts["output"]>;

const ANSWERS: Readonly<Record<Output["kind"], string>> = {
  object: "one object",
  list: "a list",
  text: "a text",
  none: "nothing",
};

function answer({ kind, columns, fields, secrets }: Output): string[] {
  const others = fields.filter((field) => !columns.includes(field));
  const shown = columns.length === 0 ? "" : `; a table shows ${listed(columns)}`;
  return [
    `Prints ${ANSWERS[kind]}${shown}.`,
    ...(others.length === 0
      ? []
      : [`${columns.length === 0 ? "Fields" : "Other fields"} for \`--columns\`: ${listed(others)}.`]),
    ...(secrets.length === 0 ? [] : [`Masked unless \`--show-secrets\` is given: ${listed(secrets)}.`]),
  ];
}

function listed(words: readonly string[]): string {
  return words.map(code).join(", ");
}

function exampleBlock(examples: readonly ExampleFacts[]): string {
  if (examples.length === 0) return "";
  return shell([examples.map(({ title, lines }) => [`# ${title}`, ...lines].join("\n")).join("\n\n")]);
}

function shell(lines: readonly string[]): string {
  return fenced("sh", lines.join("\n"));
}

function linkTo(words: string): string {
  const [group = "", ...rest] = words.split(" ");
  return link(code(`msgctl ${words}`), `${group}.md${rest.length === 0 ? "" : `#${toSlug(words)}`}`);
}

function pageOf({ name }: GroupFacts | TopicFacts): string {
  return `${name}.md`;
}

function titleOf({ name }: TopicFacts): string {
  const words = name.replaceAll("-", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Turns a terminal heading such as `EXIT CODES` into sentence case; up to three letters are an abbreviation. */
function sentenceCase(text: string): string {
  if (text.length <= 3) return text;
  return text.charAt(0) + text.slice(1).toLowerCase();
}
