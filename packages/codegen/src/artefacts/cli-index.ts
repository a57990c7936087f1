// The names and one-line summaries of all commands: the data that `msgctl --help` needs without loading the records.
import type { Artefact } from "../artefact.ts";
import { GenerationError } from "../faults.ts";
import type { Contract, Operation } from "../model.ts";
import { examplesOf } from "./cli-examples.ts";
import { inputsOf } from "./cli-inputs.ts";
import { literal } from "./literal.ts";

export const artefact: Artefact = {
  path: "packages/cli/src/generated/index.ts",
  render(contract) {
    const groups = [...byGroup(contract)];
    const index = {
      contractVersion: contract.version,
      groups: groups.map(([name, operations]) => ({
        name,
        description: describe(contract, operations),
        commands: operations.map(({ command, operationId, summary }) => {
          return { name: command.name, aliases: command.aliases, summary, operationId };
        }),
      })),
      examples: groups.slice(0, 3).flatMap(([, operations]) => firstExample(contract, operations)),
    };
    return [
      'import type { CommandIndex } from "../model/record.ts";',
      "",
      "/** All commands by group, in the contract's order. */",
      `export const index: CommandIndex = ${literal(index)};`,
      "",
    ].join("\n");
  },
};

function byGroup({ operations }: Contract): Map<string, Operation[]> {
  const groups = new Map<string, Operation[]>();
  for (const operation of operations) {
    checkGroup(operation);
    groups.set(operation.command.group, [...(groups.get(operation.command.group) ?? []), operation]);
  }
  return groups;
}

/** Refuses a group named `help`, which is msgctl's own command. */
function checkGroup({ command, operationId, line }: Operation): void {
  if (command.group !== "help") return;
  const message = `${operationId}: help is a command of msgctl itself; give the group another name.`;
  throw new GenerationError("openapi.yaml", [{ position: { line, column: 1 }, message }]);
}

/** A group's description is the first sentence of its operations' tag. */
function describe({ tags }: Contract, operations: readonly Operation[]): string {
  const tag = tags.find(({ name }) => name === operations[0]?.tag);
  return tag?.description.match(/^.*?[.!?](?=\s|$)/s)?.[0].replace(/\s+/g, " ") ?? tag?.description ?? "";
}

function firstExample(contract: Contract, operations: readonly Operation[]) {
  const [operation] = operations;
  return operation === undefined ? [] : examplesOf(operation, inputsOf(contract, operation)).slice(0, 1);
}
