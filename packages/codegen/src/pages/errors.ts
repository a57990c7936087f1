// docs/errors: a page for each problem code, and an index by status.
import type { Contract, Operation, Problem } from "../model.ts";
import type { PageSet } from "../page-set.ts";
import { jsonBlock, operationLink, pageOf, table } from "./markdown.ts";

export const pageSet: PageSet = {
  folder: "docs/errors",
  render: (contract) =>
    new Map([
      ["README.md", index(contract)],
      ...contract.problems.map((problem): [string, string] => [`${problem.code}.md`, page(contract, problem)]),
    ]),
};

function index({ problems }: Contract): string {
  const statuses = [...new Set(problems.map(({ status }) => status))].sort((a, b) => a - b);
  return pageOf([
    "# Errors",
    "A refusal is `application/problem+json` (RFC 9457). Decide by its `code`, which is stable; `title` and `detail` are " +
      "for people, and `requestId` finds it in the server's log. What was refused changed nothing. How a program handles " +
      "them: [error handling](../how-to/error-handling.md).",
    ...statuses.flatMap((status) => [
      `## ${status}`,
      table(
        ["Code", "When"],
        problems
          .filter((problem) => problem.status === status)
          .map(({ code, cause }) => [`[\`${code}\`](${code}.md)`, cause]),
      ),
    ]),
  ]);
}

function page({ operations }: Contract, { code, status, title, type, cause, hint, example }: Problem): string {
  const answering = operations.filter(({ errors }) => errors.some(({ codes }) => codes.includes(code)));
  return pageOf([
    `# ${code}`,
    `${title}. HTTP ${status}, \`type\` \`${type}\`.`,
    "## Cause",
    cause,
    "## Cure",
    hint,
    "## Reply",
    jsonBlock(example),
    "## Operations",
    answering.length === operations.length ? "Every one." : operationList(answering),
    "[All errors](README.md)",
  ]);
}

function operationList(operations: readonly Operation[]): string {
  return operations
    .map(
      (operation) => `- [${operation.summary}](${operationLink(operation)}): \`${operation.method} ${operation.path}\``,
    )
    .join("\n");
}
