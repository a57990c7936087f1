// Composes the pages of the contract: the start page, each operation, the callbacks, each error.
import { sharedCodes } from "../../artefacts/sdk-documentation.ts";
import { methodOf } from "../../artefacts/sdk-words.ts";
import type { Callback, Contract, Example, Operation, Parameter, Problem } from "../../model.ts";
import { toSlug } from "../markdown.ts";
import { callsOf } from "./calls.ts";
import { fieldOf, fieldsOf, typeInWords } from "./fields.ts";
import type { Block, Language, Page, Section } from "./page.ts";

export const START = "/docs";
export const ERRORS = "/docs/errors";
const CALLBACKS = "/docs/callbacks";

/** Every page, in the order of the menu. */
export function composePages(contract: Contract): Page[] {
  const { problemPages } = contract;
  if (problemPages !== `${ERRORS}/`) throw new Error(`x-problem-pages is ${problemPages}: the pages are at ${ERRORS}/`);
  return [
    startPage(contract),
    errorIndex(contract),
    ...(contract.callbacks.length === 0 ? [] : [callbackPage(contract)]),
    ...contract.tags.flatMap(({ name }) =>
      contract.operations.filter(({ tag }) => tag === name).map((operation) => operationPage(contract, operation)),
    ),
    ...contract.problems.map((problem) => errorPage(contract, problem)),
  ];
}

function startPage(contract: Contract): Page {
  const { title, summary, description, server, operations, callbacks, tags } = contract;
  const first = operations.find(({ method, parameters }) => method === "GET" && parameters.length === 0);
  const maker = operations.find(({ operationId }) => operationId === "upsertMerchant");
  const merchant = "the merchant of the examples";
  const variables = [
    `export MSGCTL_BASE_URL=${server}`,
    'export MSGCTL_API_KEY="your key"',
    'export MSGCTL_API_SECRET="your secret"',
  ];
  return {
    href: START,
    file: "docs/api/README.md",
    title,
    intro: [text(summary, "lead")],
    sections: [
      section("begin", "Begin", [
        text(
          "The examples on these pages read the server's URL and the credential from three variables. Once the variables are set " +
            `and ${maker === undefined ? merchant : `[${merchant}](${hrefOf(maker)})`} exists, every example runs unchanged.`,
        ),
        { kind: "variables", text: variables.join("\n"), server },
        ...(first === undefined
          ? []
          : [
              text("A first request, which changes nothing:"),
              { kind: "calls", calls: callsOf(contract, first) } as const,
            ]),
        text(
          "The reference describes each operation with its fields and errors. A server also shows the reference, at `/docs`, " +
            "where each operation has a form that sends a request to that server. The contract itself is " +
            "[openapi.yaml](/openapi.yaml) or [openapi.json](/openapi.json).",
        ),
      ]),
      section(
        "operations",
        "Operations",
        tags.flatMap((tag): Block[] => [
          { kind: "heading", text: tag.name },
          text(tag.description),
          { kind: "operations", operations: operations.filter((operation) => operation.tag === tag.name) },
        ]),
      ),
      section("rules", "Rules for all operations", [
        text(description),
        text(`[All errors](${ERRORS}), with their causes and remedies.`),
        ...(callbacks.length === 0 ? [] : [text(`[Callbacks](${CALLBACKS}) that the service posts.`)]),
      ]),
    ],
    menu: { group: "Guide", title: "Begin" },
    entries: [],
  };
}

function operationPage(contract: Contract, operation: Operation): Page {
  const { operationId, tag, summary, method, path, description, parameters, body, success, command } = operation;
  const { group, name } = command;
  const [sample, ...otherReplies] = success.examples;
  const [, ...otherBodies] = body?.examples ?? [];
  const language = success.mediaType === "application/xml" ? "xml" : "json";
  const bodyFields = body === undefined ? [] : fieldsOf(contract, body.schema);
  const names = [...parameters, ...bodyFields].map((field) => field.name);
  const terminal = `[\`msgctl ${group} ${name}\`](/cli/${group}#${toSlug(`${group} ${name}`)})`;
  return {
    href: hrefOf(operation),
    file: `docs/api/${toSlug(tag)}.md`,
    title: summary,
    above: tag,
    route: { method, path, also: `${terminal} · \`${methodOf(command)}\`` },
    intro: [text(description)],
    samples: [
      section("request", "Request", [{ kind: "calls", calls: callsOf(contract, operation) }]),
      ...(sample === undefined
        ? []
        : [section("sample", "Example reply", [codeOf(sample.value, language, "the reply")])]),
    ],
    sections: [
      ...parameterSections(contract, parameters),
      ...(body === undefined
        ? []
        : [
            section("body", "Body", [
              text("`application/json`", "quiet"),
              { kind: "fields", fields: bodyFields, isRequest: true },
              ...otherBodies.map((example) => folded(example, "json")),
            ]),
          ]),
      {
        ...section("reply", "Reply", [
          text(success.description),
          ...replyBlocks(contract, operation),
          ...otherReplies.map((example) => folded(example, language)),
        ]),
        status: success.status,
      },
      section("errors", "Errors", errorBlocks(contract, operation)),
      section("try", "Try it", [{ kind: "form", operation }]),
    ],
    menu: { group: tag, title: summary },
    entries: [
      {
        ...{ title: summary, detail: `${method} ${path}`, href: hrefOf(operation) },
        terms: [operationId, `msgctl ${group} ${name}`, tag, ...names],
      },
    ],
  };
}

const PLACES = { path: "Path parameters", query: "Query parameters", header: "Headers" } as const;

function parameterSections(contract: Contract, parameters: readonly Parameter[]): Section[] {
  return (["path", "query", "header"] as const).flatMap((place) => {
    const own = parameters.filter((parameter) => parameter.in === place);
    if (own.length === 0) return [];
    return [section(`${place}-parameters`, PLACES[place], [parameterFields(contract, own, true)])];
  });
}

function parameterFields(contract: Contract, parameters: readonly Parameter[], isRequest: boolean): Block {
  const fields = parameters.map((parameter) => ({
    ...fieldOf(contract, { ...parameter, isRequired: parameter.required }),
    description: parameter.description,
  }));
  return { kind: "fields", fields, isRequest };
}

function replyBlocks(contract: Contract, { success: { mediaType, schema, schemaName } }: Operation): Block[] {
  if (mediaType === undefined || schema === undefined) return [text("The reply has no body.", "quiet")];
  if (schemaName === undefined) return [text(`\`${mediaType}\``, "quiet")];
  const type = text(`\`${mediaType}\`, ${typeInWords(contract, schema)}`, "quiet");
  return [type, { kind: "fields", fields: fieldsOf(contract, schema), isRequest: false }];
}

function errorBlocks(contract: Contract, { errors }: Operation): Block[] {
  const codes = new Set(errors.flatMap((error) => error.codes));
  const shared = sharedCodes(contract);
  const rows = contract.problems.filter(({ code }) => codes.has(code)).sort((one, other) => one.status - other.status);
  const common = rows.filter(({ code }) => shared.has(code));
  const own = rows.filter(({ code }) => !shared.has(code));
  return [
    text("Each code links to its remedy.", "quiet"),
    ...(own.length === 0 ? [] : [{ kind: "errors", problems: own } as const]),
    ...(common.length === 0
      ? []
      : [
          {
            kind: "fold",
            title: `${common.length} errors that every operation can return`,
            block: { kind: "errors", problems: common },
          } as const,
        ]),
  ];
}

function callbackPage(contract: Contract): Page {
  const { callbacks } = contract;
  return {
    href: CALLBACKS,
    file: "docs/api/callbacks.md",
    title: "Callbacks",
    intro: [
      text(
        "The service posts the events of calls to the callback URL of a request, and the events of messages to the URL that the operator has set for the tenant.",
      ),
    ],
    sections: callbacks.map((callback) => callbackSection(contract, callback)),
    menu: { group: "Guide", title: "Callbacks" },
    entries: callbacks.map(({ type, summary }) => ({
      ...{ title: summary, detail: type, href: `${CALLBACKS}#${type}`, terms: ["callback", "webhook"] },
    })),
  };
}

function callbackSection(contract: Contract, { type, summary, description, parameters, body }: Callback): Section {
  const [example] = body.examples;
  return section(type, summary, [
    text(`POST \`${type}\``, "quiet"),
    text(description),
    { kind: "heading", text: "Headers" },
    parameterFields(contract, parameters, false),
    { kind: "heading", text: "Body" },
    { kind: "fields", fields: fieldsOf(contract, body.schema), isRequest: false },
    ...(example === undefined ? [] : [folded(example, "json")]),
  ]);
}

function errorIndex({ problems }: Contract): Page {
  const statuses = [...new Set(problems.map(({ status }) => status))].sort((one, other) => one - other);
  return {
    href: ERRORS,
    file: "docs/errors/README.md",
    title: "Errors",
    intro: [
      text(
        "An error is `application/problem+json` (RFC 9457). Programs should decide by its `code`, which is stable; `title` and " +
          "`detail` are for people. The server's log has the error under the `requestId`. A refused request changes nothing.",
      ),
    ],
    sections: statuses.map((status) =>
      section(`status-${status}`, String(status), [
        { kind: "errors", problems: problems.filter((problem) => problem.status === status) },
      ]),
    ),
    menu: { group: "Guide", title: "Errors" },
    entries: [],
  };
}

function errorPage(contract: Contract, problem: Problem): Page {
  const { code, status, title, cause, hint, example } = problem;
  const answering = contract.operations.filter(({ errors }) => errors.some(({ codes }) => codes.includes(code)));
  const operations: Block = sharedCodes(contract).has(code)
    ? text("All operations.")
    : { kind: "list", items: answering.map((operation) => `[${operation.summary}](${hrefOf(operation)})`) };
  return {
    href: errorHref(code),
    file: `docs/errors/${code}.md`,
    title,
    above: `[Errors](${ERRORS})`,
    route: { method: String(status), path: code },
    intro: [],
    sections: [
      section("when", "When", [text(cause)]),
      section("cure", "What to do", [text(hint)]),
      section("reply", "Reply", [
        codeOf(example, "json", "the reply"),
        text(`The problem's \`type\` is \`${errorHref(code)}\`.`, "quiet"),
      ]),
      section("operations", "Operations", [operations]),
    ],
    entries: [{ title, detail: `${status} ${code}`, href: errorHref(code), terms: ["error"] }],
  };
}

/** The path of the operation's page on msgd. */
export function hrefOf({ command: { group, name } }: Operation): string {
  return `${START}/${group}/${name}`;
}

export function errorHref(code: string): string {
  return `${ERRORS}/${code}`;
}

function section(id: string, title: string, blocks: readonly Block[]): Section {
  return { id, title, blocks };
}

function text(words: string, look?: "quiet" | "lead"): Block {
  return { kind: "text", text: words, ...(look && { look }) };
}

function codeOf(value: unknown, language: Language, label: string): Block {
  return { kind: "code", language, text: toText(value), label };
}

function folded(example: Example, language: Language): Block {
  const title = titleOf(example);
  return { kind: "fold", title: `Example: ${title}`, block: codeOf(example.value, language, title) };
}

export function titleOf({ name, summary = name }: Example): string {
  return summary;
}

/** An example of the contract as text: a string as it is, anything else as JSON. */
export function toText(value: unknown): string {
  return typeof value === "string" ? value.trimEnd() : JSON.stringify(value, null, 2);
}
