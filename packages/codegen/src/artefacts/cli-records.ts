// One record for each operation: the data from which msgctl's runtime makes a command.
import type { Artefact } from "../artefact.ts";
import type { Contract, Operation } from "../model.ts";
import { examplesOf } from "./cli-examples.ts";
import { alternativesOf, inputsOf, isIdempotent } from "./cli-inputs.ts";
import { outputOf } from "./cli-output.ts";
import { literal } from "./literal.ts";

export const artefact: Artefact = {
  path: "packages/cli/src/generated/records.ts",
  render(contract) {
    const records = Object.fromEntries(
      contract.operations.map((operation) => [operation.operationId, recordOf(contract, operation)]),
    );
    return [
      'import type { OperationRecord } from "../record.ts";',
      "",
      "/** Every operation as a command, by operationId. */",
      `export const records: Readonly<Record<string, OperationRecord>> = ${literal(records)};`,
      "",
    ].join("\n");
  },
};

function recordOf(contract: Contract, operation: Operation) {
  const { command, operationId, summary, description, method, path } = operation;
  const inputs = inputsOf(contract, operation);
  const anyOf = alternativesOf(contract, operation);
  return {
    operationId,
    group: command.group,
    name: command.name,
    aliases: command.aliases,
    summary,
    description,
    method,
    path,
    idempotent: isIdempotent(operation),
    inputs,
    ...(anyOf.length > 0 && { anyOf }),
    output: outputOf(contract, operation),
    ...(command.cost && { cost: command.cost }),
    ...(command.wait && { wait: command.wait }),
    examples: examplesOf(operation, inputs),
  };
}
