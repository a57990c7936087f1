// A call of an operation with the contract's first example, for a shell and for a program.
import { examplesOf } from "../../artefacts/cli-examples.ts";
import { inputsOf } from "../../artefacts/cli-inputs.ts";
import { dataTypeOf } from "../../artefacts/sdk-arguments.ts";
import { callOf } from "../../artefacts/sdk-documentation.ts";
import { type Contract, IDEMPOTENCY_HEADER, isIdempotent, type Operation, type Parameter } from "../../model.ts";
import { commandLine, shellWord } from "../../shell.ts";
import type { Calls } from "./page.ts";

export function callsOf(contract: Contract, operation: Operation): Calls {
  const [first] = examplesOf(operation, inputsOf(contract, operation));
  return {
    curl: formatCurl(operation),
    msgctl: commandLine(["msgctl", ...(first?.argv ?? [])]),
    typescript: formatProgram(operation),
  };
}

/** A complete program: the client takes address and credential from the environment. */
function formatProgram(operation: Operation): string {
  const lines = ['import { MessagingClient } from "@msgctl/sdk";', "", "const client = new MessagingClient();"];
  const shown = dataTypeOf(operation) === "undefined" ? [] : ["console.log(reply);"];
  return [...lines, callOf(operation), ...shown].join("\n");
}

const HEADERS = ['-H "X-API-KEY: $MSGCTL_API_KEY"', '-H "X-API-SECRET: $MSGCTL_API_SECRET"'];

/** The request for a shell with msgctl's three variables set. */
export function formatCurl(operation: Operation): string {
  const { method, path, parameters, body } = operation;
  const values = (place: Parameter["in"]) => parameters.filter((parameter) => parameter.in === place);
  const target = values("path").reduce(
    (text, parameter) =>
      text.replace(`{${parameter.name}}`, encodeURIComponent(exampleOf(parameter) ?? parameter.name)),
    path,
  );
  const query = values("query")
    .filter(({ required }) => required)
    .map((parameter) => `${parameter.name}=${encodeURIComponent(exampleOf(parameter) ?? parameter.name)}`);
  const url = `"$MSGCTL_BASE_URL${[target, ...(query.length > 0 ? [query.join("&")] : [])].join("?")}"`;
  const parts = [
    method === "GET" ? `curl ${url}` : `curl -X ${method} ${url}`,
    ...HEADERS,
    ...(isIdempotent(operation) ? [`-H "${IDEMPOTENCY_HEADER}: doc-$(date +%s)"`] : []),
    ...(body === undefined
      ? []
      : [
          '-H "Content-Type: application/json"',
          `-d ${shellWord(JSON.stringify(body.examples[0]?.value ?? {}, null, 2))}`,
        ]),
  ];
  return parts.join(" \\\n  ");
}

/** The parameter's first example. */
export function exampleOf({ schema }: Parameter): string | undefined {
  const example = schema.examples?.[0] ?? schema.enum?.[0];
  return example === undefined ? undefined : String(example);
}
