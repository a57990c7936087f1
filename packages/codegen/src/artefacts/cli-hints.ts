// The next step for each problem code: loaded by msgctl only when a call fails.
import type { Artefact } from "../artefact.ts";
import { literal } from "./literal.ts";

export const artefact: Artefact = {
  path: "packages/cli/src/generated/hints.ts",
  render({ problems }) {
    const hints = Object.fromEntries(problems.map(({ code, hint }) => [code, hint]));
    return [
      "/** The next step for each problem code of the service. */",
      `export const hints: Readonly<Record<string, string>> = ${literal(hints)};`,
      "",
    ].join("\n");
  },
};
