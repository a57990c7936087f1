// Data of the dashboard's forms, one per operation: the values that msgctl takes, and the contract's examples.
import type { Artefact } from "../artefact.ts";
import type { Contract, Operation } from "../model.ts";
import { type CliInput, inputsOf } from "./cli-inputs.ts";
import { literal } from "./literal.ts";

export const artefact: Artefact = {
  path: "packages/dashboard/src/generated/contract-forms.ts",
  render(contract) {
    const forms = contract.operations.map((operation) => [operation.operationId, formOf(contract, operation)]);
    return [
      'import type { OperationId } from "@msgctl/contract";',
      'import type { ContractForm } from "../pages/operations/contract-form.ts";',
      "",
      "/** Every operation as a form. */",
      `export const contractForms: Readonly<Record<OperationId, ContractForm>> = ${literal(Object.fromEntries(forms))};`,
      "",
    ].join("\n");
  },
};

function formOf(contract: Contract, operation: Operation) {
  const { summary, description, command, body } = operation;
  return {
    summary,
    description: description.trim(),
    ...(command.cost && { cost: command.cost }),
    fields: inputsOf(contract, operation).map(fieldOf),
    examples: (body?.examples ?? []).map(({ name, summary: title, value }) => ({ title: title ?? name, body: value })),
  };
}

/** Describes a field. Leaves out most constraints: the server checks them, and its errors are more specific. */
function fieldOf(input: CliInput) {
  const { name, in: place, path, type, description, required, positional, repeatable, secret } = input;
  const { enum: values, format, maxLength, example } = input;
  return {
    ...{ name, in: place, path, type, description },
    ...(required && { required }),
    ...(positional && { positional }),
    ...(repeatable && { repeatable }),
    ...(secret && { secret }),
    ...(values && { enum: values }),
    ...(format !== undefined && { format }),
    ...(maxLength !== undefined && { maxLength }),
    ...(example !== undefined && { example }),
  };
}
