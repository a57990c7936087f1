// docs/api: a page for each tag with its operations, and an index.
import { methodOf } from "../../artefacts/sdk-words.ts";
import type { Contract, Operation, Tag } from "../../model.ts";
import type { PageSet } from "../../page-set.ts";
import { code, fenced, jsonBlock, link, list, markdownPage, table, toSlug } from "../markdown.ts";
import { formatCurl } from "./curl.ts";
import { describeType, fieldRows } from "./fields.ts";
import { operationPlace, tagPage } from "./links.ts";

const FOLDER = "docs/api";

export const pageSet: PageSet<Contract> = {
  folders: [FOLDER],
  render: (contract) =>
    new Map([
      [`${FOLDER}/README.md`, index(contract)],
      ...contract.tags.map((tag): [string, string] => [`${FOLDER}/${tagPage(tag)}`, page(contract, tag)]),
    ]),
};

function index(contract: Contract): string {
  return markdownPage("openapi.yaml", [
    "# API reference",
    `${contract.title} ${contract.version}. Every request carries \`X-API-KEY\` and \`X-API-SECRET\`; bodies are JSON. ` +
      "The curl commands take address and credential from [three variables](../README.md#how-to-guides). " +
      "What holds for all operations is told at the top of [openapi.yaml](../../openapi.yaml); refusals are in " +
      "[errors](../errors/README.md).",
    ...contract.tags.flatMap((tag) => [
      `## ${link(tag.name, tagPage(tag))}`,
      tag.description,
      table(["Operation", "Request", "Terminal"], operationsOf(contract, tag).map(indexRow)),
    ]),
  ]);
}

function indexRow(operation: Operation): string[] {
  const { summary, method, path, command } = operation;
  return [
    link(summary, operationPlace(operation)),
    code(`${method} ${path}`),
    code(`msgctl ${command.group} ${command.name}`),
  ];
}

function operationsOf({ operations }: Contract, { name }: Tag): Operation[] {
  return operations.filter(({ tag }) => tag === name);
}

function page(contract: Contract, tag: Tag): string {
  const operations = operationsOf(contract, tag);
  return markdownPage("openapi.yaml", [
    `# ${tag.name}`,
    tag.description,
    ...operations.flatMap((operation) => describe(contract, operation)),
    link("All operations", "README.md"),
  ]);
}

function describe(contract: Contract, operation: Operation): string[] {
  const { method, path, summary, description, command } = operation;
  const { group, name } = command;
  const terminal = link(code(`msgctl ${group} ${name}`), `../cli/${group}.md#${toSlug(`${group} ${name}`)}`);
  return [
    `## ${summary}`,
    [code(`${method} ${path}`), terminal, code(methodOf(command))].join(" · "),
    description.trim(),
    ...parameters(contract, operation),
    ...body(contract, operation),
    "**Request**",
    fenced("sh", formatCurl(operation)),
    ...reply(contract, operation),
    "**Errors**",
    errors(operation),
  ];
}

function parameters(contract: Contract, { parameters }: Operation): string[] {
  if (parameters.length === 0) return [];
  const rows = parameters.map(({ name, in: place, required, schema, description }) => {
    const mark = required ? " (required)" : "";
    return [`${code(name)}${mark}`, place, describeType(contract, schema), description];
  });
  return ["**Parameters**", table(["Name", "In", "Type", "Meaning"], rows)];
}

function body(contract: Contract, { body }: Operation): string[] {
  if (body === undefined) return [];
  return ["**Body**", table(["Field", "Type", "Meaning"], fieldRows(contract, body.schema, true))];
}

function reply(contract: Contract, { success }: Operation): string[] {
  const { status, mediaType, schemaName, isArray, examples } = success;
  if (mediaType === undefined) return [`**Reply**: ${status}, without a body.`];
  const view = schemaName === undefined ? undefined : contract.schemas[schemaName];
  const rows = view === undefined ? [] : fieldRows(contract, view, false);
  return [
    `**Reply**: ${status}, ${code(mediaType)}${isArray ? ", a list" : ""}`,
    ...examples.slice(0, 1).map(({ value }) => (typeof value === "string" ? fenced("xml", value) : jsonBlock(value))),
    ...(rows.length === 0 ? [] : [table(["Field", "Type", "Meaning"], rows)]),
  ];
}

function errors({ errors }: Operation): string {
  const links = (codes: readonly string[]) => codes.map((name) => link(code(name), `../errors/${name}.md`)).join(", ");
  return list(errors.map(({ status, codes }) => `${status}: ${links(codes)}`));
}
