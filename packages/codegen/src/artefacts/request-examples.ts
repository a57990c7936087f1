// A call of each operation for a shell and for a program, as in docs/api, msgctl and the SDK: for msgd's /docs.
import type { Artefact } from "../artefact.ts";
import type { Contract, Operation } from "../model.ts";
import { formatCurl } from "../pages/api/curl.ts";
import { commandLine } from "../shell.ts";
import { examplesOf } from "./cli-examples.ts";
import { inputsOf } from "./cli-inputs.ts";
import { literal } from "./literal.ts";
import { dataTypeOf } from "./sdk-arguments.ts";
import { callOf } from "./sdk-documentation.ts";

export const artefact: Artefact = {
  path: "packages/server/src/generated/request-examples.ts",
  render(contract) {
    const examples = contract.operations.map((operation) => [operation.operationId, exampleOf(contract, operation)]);
    return [
      'import type { RequestExample } from "../http/docs/request-example.ts";',
      "",
      "/** A call of each operation with the contract's first example, by operationId. */",
      `export const requestExamples: Readonly<Record<string, RequestExample>> = ${literal(Object.fromEntries(examples))};`,
      "",
    ].join("\n");
  },
};

function exampleOf(contract: Contract, operation: Operation) {
  const [first] = examplesOf(operation, inputsOf(contract, operation));
  return {
    curl: formatCurl(operation),
    msgctl: commandLine(["msgctl", ...(first?.argv ?? [])]),
    typescript: programOf(operation),
  };
}

/** A complete program: the client takes address and credential from the environment. */
function programOf(operation: Operation): string {
  const lines = ['import { MessagingClient } from "@msgctl/sdk";', "", "const client = new MessagingClient();"];
  const shown = dataTypeOf(operation) === "undefined" ? [] : ["console.log(reply);"];
  return [...lines, callOf(operation), ...shown].join("\n");
}
