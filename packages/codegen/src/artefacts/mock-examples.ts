// The contract's example of each operation's reply and of each problem: the answers of mocks without a server.
import type { Artefact } from "../artefact.ts";
import type { HeaderExamples, Operation } from "../model.ts";
import { literal } from "./literal.ts";

export const artefact: Artefact = {
  path: "packages/mocks/src/generated/examples.ts",
  render({ operations, problems }) {
    const replies = Object.fromEntries(operations.map((operation) => [operation.operationId, replyOf(operation)]));
    const refusals = Object.fromEntries(problems.map(({ code, example }) => [code, example]));
    return [
      'import type { Problem, ProblemCode } from "@msgctl/contract";',
      'import type { ExampleReplies } from "../example-replies.ts";',
      "",
      "/** The first example of each operation's success reply. */",
      `export const replies: ExampleReplies = ${literal(replies)};`,
      "",
      "/** The example of each problem code. */",
      `export const problems: Readonly<Record<ProblemCode, Problem>> = ${literal(refusals)};`,
      "",
      "/** The headers that error replies always have, by status. */",
      `export const problemHeaders: Readonly<Record<number, Readonly<Record<string, string>>>> = ${literal(headersByStatus(operations))};`,
      "",
    ].join("\n");
  },
};

function replyOf({ success: { status, mediaType, headers, examples } }: Operation) {
  return { status, mediaType: mediaType ?? null, headers, value: examples[0]?.value };
}

function headersByStatus(operations: readonly Operation[]): Record<number, HeaderExamples> {
  const byStatus: Record<number, HeaderExamples> = {};
  for (const { status, headers } of operations.flatMap(({ errors }) => errors)) {
    const shared = Object.entries(byStatus[status] ?? headers).filter(([name]) => Object.hasOwn(headers, name));
    byStatus[status] = Object.fromEntries(shared);
  }
  return byStatus;
}
