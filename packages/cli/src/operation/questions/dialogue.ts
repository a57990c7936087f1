/** Asks the questions before an operation runs. Loaded only if there is something to ask, since it loads inquirer. */

import type { Fault } from "../../failures/errors.ts";
import type { RawValues } from "../../model/request.ts";
import { printableLines } from "../../output/printable.ts";
import { hasColour, programName } from "../../process/config.ts";
import type { Io } from "../../process/io.ts";
import { createAsker } from "../../prompts/create-asker.ts";
import { askMissing } from "./ask-missing.ts";
import { commandLine, type TypedCommand } from "./command-line.ts";
import { confirmCost } from "./confirm-cost.ts";
import type { Offer } from "./offer.ts";

export interface Dialogue extends TypedCommand {
  baseUrl: string;
  missing: readonly Fault[];
  offer: Offer;
  /** Whether no confirmation is needed: the operation is free of charge, or the user gave -y. */
  isConfirmed: boolean;
  quiet: boolean;
}

/** Returns the line's values together with the answers. @throws {CliError} With exit code 130 if the user cancels. */
export async function converse(dialogue: Dialogue, keyboard: NodeJS.ReadableStream, io: Io): Promise<RawValues> {
  const { record, values, missing, offer, flags, baseUrl, isConfirmed, quiet } = dialogue;
  const isColoured = flags.color !== false && hasColour(io.env, io.stderr);
  const asker = createAsker({ keyboard, screen: io.stderr, isColoured, signal: io.signal });
  const all = await askMissing({ record, values, missing, offer }, asker);
  const typed = { record, values: all, flags };
  // printed before the confirmation, so that a user who declines does not lose the answers
  if (missing.length > 0 && !quiet) io.stderr.write(scriptable(asScript(typed), programName(io.env)));
  if (!isConfirmed) await confirmCost(typed, baseUrl, asker);
  return all;
}

/** Adds -y to an irreversible operation: a script cannot be asked. */
function asScript(typed: TypedCommand): TypedCommand {
  return typed.record.cost === "irreversible" ? { ...typed, flags: { ...typed.flags, yes: true } } : typed;
}

/** Formats the command for copying. It is not wrapped, so that it can be copied in one piece. */
function scriptable(typed: TypedCommand, program: string): string {
  const secrets = typed.record.inputs.filter(({ name, secret }) => secret && typed.values.has(name));
  const omitted = secrets.map(({ name }) => `--${name}-file`).join(", ");
  const remark = omitted === "" ? "" : `, with ${omitted} for the secret`;
  return `The same without questions${remark}:\n  ${printableLines(commandLine(typed, program))}\n`;
}
