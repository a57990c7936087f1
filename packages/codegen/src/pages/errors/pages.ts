// docs/errors: a page for each problem code, and an index by status.
import type { Contract, Operation, Problem } from "../../model.ts";
import type { PageSet } from "../../page-set.ts";
import { operationPlace } from "../api/links.ts";
import { code, jsonBlock, link, list, markdownPage, table } from "../markdown.ts";

const FOLDER = "docs/errors";

export const pageSet: PageSet<Contract> = {
  folders: [FOLDER],
  render: (contract) =>
    new Map([
      [`${FOLDER}/README.md`, index(contract)],
      ...contract.problems.map((problem): [string, string] => [
        `${FOLDER}/${problem.code}.md`,
        page(contract, problem),
      ]),
    ]),
};

function index({ problems }: Contract): string {
  const statuses = [...new Set(problems.map(({ status }) => status))].sort((a, b) => a - b);
  return markdownPage("openapi.yaml", [
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
          .map((problem) => [link(code(problem.code), `${problem.code}.md`), problem.cause]),
      ),
    ]),
  ]);
}

function page({ operations, problemPages }: Contract, problem: Problem): string {
  const { status, title, cause, hint, example } = problem;
  const answering = operations.filter(({ errors }) => errors.some(({ codes }) => codes.includes(problem.code)));
  return markdownPage("openapi.yaml", [
    `# ${problem.code}`,
    `${title}. HTTP ${status}, ${code("type")} ${code(problemPages + problem.code)}.`,
    "## Cause",
    cause,
    "## Cure",
    hint,
    "## Reply",
    jsonBlock(example),
    "## Operations",
    answering.length === operations.length ? "Every one." : operationList(answering),
    link("All errors", "README.md"),
  ]);
}

function operationList(operations: readonly Operation[]): string {
  return list(
    operations.map((operation) => {
      const { summary, method, path } = operation;
      return `${link(summary, `../api/${operationPlace(operation)}`)}: ${code(`${method} ${path}`)}`;
    }),
  );
}
