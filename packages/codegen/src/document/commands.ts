// Checks `x-msgctl` against other parts of the contract: reports clashing names and fields that do not exist.
import { listed } from "../faults.ts";
import { type Contract, isNullable, type Operation, resolve, type Schema } from "../model.ts";
import type { Entry } from "./source.ts";
import { fieldOf, propertiesOf, viewOf } from "./views.ts";

/** Reports conflicts between commands, and between a command and its operation's parameters and views. */
export function checkCommands(root: Entry, contract: Contract): void {
  const owners = new Map<string, Operation>();
  for (const operation of contract.operations) {
    const entry = root.at("paths").at(operation.path).at(operation.method.toLowerCase()).at("x-msgctl");
    if (!entry.exists) continue;
    checkNames(entry, operation, owners);
    checkArgs(entry.at("args"), operation);
    checkColumns(entry, operation, contract);
    checkIdentity(entry, operation, contract);
    checkWait(entry.at("wait"), operation, contract);
    for (const completion of entry.at("complete").items()) checkCompletion(completion, contract);
    for (const fill of entry.at("fill").items()) checkFill(fill, operation, contract);
  }
}

function checkNames(entry: Entry, operation: Operation, owners: Map<string, Operation>): void {
  const words = [entry.at("name"), ...entry.at("aliases").items()];
  for (const word of words.filter(({ exists }) => exists)) {
    const spoken = `${operation.command.group} ${word.value}`;
    const owner = owners.get(spoken);
    if (owner === undefined) owners.set(spoken, operation);
    else word.fault(`The command "${spoken}" is taken by ${owner.operationId} (line ${owner.line}).`);
  }
}

function checkArgs(args: Entry, operation: Operation): void {
  const parameters = operation.parameters.filter((parameter) => parameter.in !== "header");
  const allowed = [...parameters.map(({ name }) => name), ...Object.keys(operation.body?.schema.properties ?? {})];
  for (const arg of args.items()) {
    if (!allowed.includes(String(arg.value)))
      arg.fault(`${arg.value} is neither a parameter nor a field of the body. Allowed: ${listed(allowed)}.`);
  }
}

function checkColumns(entry: Entry, operation: Operation, contract: Contract): void {
  const view = viewOf(operation, contract);
  const columns = entry.at("columns").items();
  if (view !== undefined && columns.length === 0)
    entry.fault("columns is missing: name the fields of the view that a table shows.");
  for (const column of columns) checkField(column, view, contract);
}

/** The SDK refuses a success without these members, so each must be required and never null. */
function checkIdentity(entry: Entry, operation: Operation, contract: Contract): void {
  const { success } = operation;
  const identity = entry.at("identity");
  const allowed = identifyingNames(operation, contract);
  if (success.mediaType === undefined) {
    if (identity.exists) identity.fault("identity must be left out: the reply has no body.");
  } else if (identity.items().length === 0) {
    entry.fault(`identity is missing: name what identifies the reply. Allowed: ${listed(allowed)}.`);
  }
  for (const name of success.mediaType === undefined ? [] : identity.items()) {
    if (!allowed.includes(String(name.value)))
      name.fault(`${name.value} is not in every success. Allowed: ${listed(allowed)}.`);
  }
}

/** Members that are required and never null; for an XML reply, its root element. */
function identifyingNames(operation: Operation, contract: Contract): string[] {
  const view = viewOf(operation, contract);
  if (view === undefined) {
    const { name } = resolve(contract, operation.success.schema ?? {}).xml ?? {};
    return name === undefined ? [] : [name];
  }
  const { required = [] } = resolve(contract, view);
  const properties = propertiesOf(contract, view);
  return required.filter((name) => !isNullable(resolve(contract, properties[name] ?? {})));
}

function checkWait(entry: Entry, operation: Operation, contract: Contract): void {
  if (!entry.exists) return;
  checkField(entry.at("from"), viewOf(operation, contract), contract);
  checkField(entry.at("field"), viewNamed(entry.at("operation"), contract), contract);
  const { until = [] } = operation.command.wait ?? {};
  for (const failed of entry.at("failed").items()) {
    if (!until.includes(String(failed.value)))
      failed.fault(`${failed.value} is not one of the values that end the wait. Allowed: ${listed(until)}.`);
  }
}

function checkCompletion(entry: Entry, contract: Contract): void {
  checkField(entry.at("field"), viewNamed(entry.at("operation"), contract), contract);
}

/** A filled-in value must replace a required flag and come from a read without required input. It must not be a secret. */
function checkFill(entry: Entry, { body, command }: Operation, contract: Contract): void {
  const field = entry.at("field");
  const view = viewNamed(entry.at("operation"), contract);
  checkField(field, view, contract);
  const name = String(field.value);
  const required = (body?.schema.required ?? []).filter((candidate) => !command.args.includes(candidate));
  if (field.exists && !required.includes(name))
    field.fault(`${name} is not a required flag of the body. Allowed: ${listed(required)}.`);
  const read = contract.operations.find(({ operationId }) => operationId === entry.at("operation").value);
  if (read !== undefined && !isPlainRead(read))
    entry.at("operation").fault(`${read.operationId} is not a GET of one object without required parameters.`);
  if (resolve(contract, fieldOf(contract, view ?? {}, name) ?? {})["x-secret"])
    field.fault(`${name} is a secret and must not be filled in, because filled-in values are shown.`);
}

function isPlainRead({ method, success, parameters }: Operation): boolean {
  const isObject = success.schemaName !== undefined && !success.isArray;
  return method === "GET" && isObject && parameters.every(({ required }) => !required);
}

function checkField(entry: Entry, view: Schema | undefined, contract: Contract): void {
  if (typeof entry.value !== "string" || fieldOf(contract, view ?? {}, entry.value) !== undefined) return;
  const fields = Object.keys(propertiesOf(contract, view));
  entry.fault(`${entry.value} is not a field of the view. Allowed: ${listed(fields)}.`);
}

function viewNamed(entry: Entry, contract: Contract): Schema | undefined {
  const operation = contract.operations.find(({ operationId }) => operationId === entry.value);
  if (operation !== undefined) return viewOf(operation, contract);
  entry.fault(`There is no operation ${entry.value}.`);
  return undefined;
}
