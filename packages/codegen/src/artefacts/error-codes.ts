import type { Artefact } from "../artefact.ts";
import { literal } from "./literal.ts";

export const artefact: Artefact = {
  path: "packages/contract/src/generated/errors.ts",
  render({ problems }) {
    const table = Object.fromEntries(problems.map(({ code, example: _, ...problem }) => [code, problem]));
    return [
      'import type { ProblemEntry } from "../problem-entry.ts";',
      "",
      "/** The status, title, cause and hint of each problem code. */",
      `export const problems = ${literal(table)} as const satisfies Record<string, ProblemEntry>;`,
      "",
    ].join("\n");
  },
};
