// The contract's example of each operation's request, which the conformance tool sends to a server.
import type { Artefact } from "../artefact.ts";
import { literal } from "./literal.ts";

export const artefact: Artefact = {
  path: "packages/conformance/src/generated/request-bodies.ts",
  render({ operations }) {
    const bodies = operations.map(({ operationId, body }) => [operationId, body?.examples[0]?.value]);
    return [
      'import type { OperationId } from "@msgctl/contract";',
      "",
      "/** The contract's first example of each request that has a body, by operationId. */",
      `export const requestBodies: Readonly<Partial<Record<OperationId, object>>> = ${literal(Object.fromEntries(bodies))};`,
      "",
    ].join("\n");
  },
};
