// One record for each operation: the data that msgctl's runtime turns into a command.
import type { Artefact } from "../artefact.ts";
import { type Contract, isIdempotent, type Operation } from "../model.ts";
import { examplesOf } from "./cli-examples.ts";
import { alternativesOf, inputsOf, kebab } from "./cli-inputs.ts";
import { outputOf } from "./cli-output.ts";
import { literal } from "./literal.ts";
import { identityOf } from "./sdk-arguments.ts";

export const artefact: Artefact = {
  path: "packages/cli/src/generated/records.ts",
  render(contract) {
    const records = Object.fromEntries(
      contract.operations.map((operation) => [operation.operationId, recordOf(contract, operation)]),
    );
    return [
      'import type { OperationRecord } from "../model/record.ts";',
      "",
      "/** Every operation as a command, by operationId. */",
      `export const records: Readonly<Record<string, OperationRecord>> = ${literal(records)};`,
      "",
    ].join("\n");
  },
};

function recordOf(contract: Contract, operation: Operation) {
  const { command, operationId, summary, description, method, path } = operation;
  const completed = new Map(command.complete.map(({ field }) => [kebab(field), field]));
  const filled = new Map(command.fill.map((source) => [kebab(source.field), source]));
  const inputs = inputsOf(contract, operation).map((input) => {
    const complete = completed.get(input.name);
    const fill = filled.get(input.name);
    return { ...input, ...(complete !== undefined && { complete }), ...(fill && { fill }) };
  });
  const listed = listedIds(contract, operation);
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
    identity: identityOf(operation),
    ...(listed.length > 0 && { listed }),
    ...(command.cost && { cost: command.cost }),
    ...(command.wait && { wait: command.wait }),
    examples: examplesOf(operation, inputs),
  };
}

/** Fields of the operation's list whose values other commands take as arguments. */
function listedIds({ operations }: Contract, { operationId }: Operation): string[] {
  const completions = operations.flatMap(({ command }) => command.complete);
  return [...new Set(completions.filter(({ operation }) => operation === operationId).map(({ field }) => field))];
}
