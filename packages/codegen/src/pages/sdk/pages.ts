// docs/sdk: one page each for the operations, their types, the client with its options, the errors and webhooks.
import { join } from "node:path";
import type { PageSet } from "../../page-set.ts";
import { code, fenced, link, list, markdownPage, toSlug } from "../markdown.ts";
import { type Declaration, type Member, readDeclarations } from "./declarations.ts";

const FOLDER = "docs/sdk";
const SOURCE = "packages/sdk/src";

export const pageSet: PageSet<string> = {
  folders: [FOLDER],
  render(root) {
    const entries = ["index.ts", "webhooks/index.ts"].map((entry) => join(root, SOURCE, entry));
    const [client = [], webhooks = []] = readDeclarations(entries, join(root, "tsconfig.json"));
    return renderPages(client, webhooks);
  },
};

function renderPages(client: readonly Declaration[], webhooks: readonly Declaration[]): Map<string, string> {
  const errors = client.filter(({ name, base }) => name.endsWith("Error") || base?.endsWith("Error"));
  const resources = client.filter(({ kind, name }) => kind === "class" && name.endsWith("Resource"));
  const types = client.filter(({ kind }) => kind === "contract");
  const elsewhere = new Set([...errors, ...resources, ...types]);
  const rest = client.filter((declaration) => !elsewhere.has(declaration));
  const known = new Set(client.map(({ name }) => name));
  const pages: [name: string, title: string, about: string, declarations: readonly Declaration[]][] = [
    ["client", "Client and options", "`MessagingClient`, and the options and results of its calls.", rest],
    ["resources", "Operations", "The methods of `client.merchants`, `client.send` and so on.", resources],
    [
      "types",
      "Types",
      "Types of requests and replies. The [API reference](../api/README.md) describes each field and its limits. An enum type " +
        "has an object of the same name with its values, such as `MessageStatus.DELIVERED`.",
      types,
    ],
    [
      "errors",
      "Errors",
      "The errors that a call throws. [All codes](../errors/README.md), with their causes and remedies.",
      errors,
    ],
    [
      "webhooks",
      "Webhooks",
      "`@msgctl/sdk/webhooks`: verifies and signs [callbacks](../callbacks.md).",
      webhooks.filter(({ name }) => !known.has(name)),
    ],
  ];
  const index = [
    "# SDK reference",
    "Every export of `@msgctl/sdk`, with its documentation comment. For an introduction, read [its README](../../packages/sdk/README.md).",
    ...pages.map(([name, title, about, declarations]) => {
      const names = declarations.map((one) => link(code(one.name), `${name}.md#${toSlug(one.name)}`));
      return `## ${link(title, `${name}.md`)}\n\n${about}\n\n${names.join(" · ")}`;
    }),
  ];
  return new Map([
    page("README", index),
    ...pages.map(([name, title, about, declarations]) =>
      page(name, [
        `# ${title}`,
        about,
        ...declarations.flatMap((one) => describe(one, client)),
        link("All exports", "README.md"),
      ]),
    ),
  ]);
}

function page(name: string, parts: readonly string[]): [string, string] {
  return [`${FOLDER}/${name}.md`, markdownPage(SOURCE, parts)];
}

function describe(declaration: Declaration, all: readonly Declaration[]): string[] {
  const { kind, name, base, signature, documentation, tags, members } = declaration;
  const field = fieldOf(name, all);
  return [
    `## ${name}`,
    [
      ...(field === undefined ? [] : [`Available as ${code(`client.${field}`)}.`]),
      ...(kind === "class" && base !== undefined ? [`Extends ${code(base)}.`] : []),
    ].join(" "),
    documentation,
    kind === "class" ? "" : fenced("ts", signature),
    ...tagLines(tags),
    ...members.flatMap((member) => [
      `### ${field === undefined ? name : `client.${field}`}.${member.name}`,
      fenced("ts", member.signature),
      member.documentation,
      [typesLine(member, all), tagLines(member.tags)[0]].filter(Boolean).join("\n"),
      ...tagLines(member.tags).slice(1),
    ]),
  ];
}

/** The client's field that holds the resource or a class that extends the resource. */
function fieldOf(resource: string, all: readonly Declaration[]): string | undefined {
  if (!resource.endsWith("Resource")) return undefined;
  const types = [resource, ...all.filter(({ base }) => base === resource).map(({ name }) => name)];
  const fields = all.filter(({ name }) => name.endsWith("Client")).flatMap(({ members }) => members);
  return fields.find(({ signature }) => types.some((type) => signature.endsWith(`: ${type}`)))?.name;
}

/** Links to the types that a method takes and returns. */
function typesLine({ signature }: Member, all: readonly Declaration[]): string {
  const contract = new Set(all.filter(({ kind }) => kind === "contract").map(({ name }) => name));
  const used = [...new Set(signature.match(/\w+/g))].filter((word) => contract.has(word));
  const links = used.map((name) => link(code(name), `types.md#${toSlug(name)}`));
  return links.length === 0 ? "" : list([`Types: ${links.join(", ")}`]);
}

/** `{ApiError} 404 `merchant_not_found`: …`, as in the comments of generated methods. */
const REFUSAL = /^\{ApiError\} \d{3} `(\w+)`/;

function tagLines(tags: Member["tags"]): string[] {
  const codes = tags.flatMap(({ name, text }) => (name === "throws" ? (REFUSAL.exec(text)?.[1] ?? []) : []));
  const links = codes.map((name) => link(code(name), `../errors/${name}.md`)).join(", ");
  const items = tags.flatMap(({ name, text }) => {
    if (name === "param") return [text.replace(/^(\S+)\s+-?\s*/, "`$1`: ")];
    if (name === "returns") return [`Returns: ${text}`];
    if (name !== "throws" || REFUSAL.test(text)) return [];
    return [`Throws: ${text.replace(/^\{(\w+)\}\s*/, "`$1` ")}`];
  });
  if (codes.length > 0) items.push(`Throws: ${code("ApiError")} ${links}`);
  const examples = tags.filter(({ name }) => name === "example").map(({ text }) => fenced("ts", text));
  return [list(items).replaceAll(/\n(?!- )\s*/g, " "), ...examples];
}
