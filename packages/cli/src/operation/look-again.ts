/** Tells users how to check the state of a request that they have just sent. */
import { allGroups, type Catalog } from "../model/catalog.ts";
import type { OperationRecord } from "../model/record.ts";
import { readField } from "../output/fields.ts";
import { printable } from "../output/printable.ts";
import { shellWord } from "../process/shell-word.ts";
import { commandLine, type TypedCommand } from "./questions/command-line.ts";

/** Returns the command that polls this operation, such as `tts watch`; if there is none, the operation's own command. */
export function followingCommand({ operationId, group, name }: OperationRecord, catalog: Catalog): string {
  const entries = allGroups(catalog).flatMap((each) => each.commands.map((entry) => ({ group: each.name, entry })));
  const follower = entries.find(({ entry }) => "follows" in entry && entry.follows === operationId);
  return follower === undefined ? `${group} ${name}` : `${follower.group} ${follower.entry.name}`;
}

/** A longer command is not shown, since nobody would type or copy it. */
const LONGEST_COMMAND = 400;

export interface Sent extends TypedCommand {
  data: unknown;
  idempotencyKey: string;
  /** Name under which the tool is invoked. */
  program: string;
  /** Global flags that select the same service and credential: ` --profile demo`. */
  access: string;
}

/**
 * Returns the lines to show after a billable request: its idempotency key, and the command that shows its state. The
 * contract cannot read a single message or payment, but repeating the command with its key shows the state and sends nothing.
 */
export async function lookAgain({ data, idempotencyKey, program, access, ...typed }: Sent, catalog: Catalog) {
  const { record, flags } = typed;
  const id = record.wait === undefined ? undefined : readField(data, record.wait.from);
  if (record.wait !== undefined && (typeof id === "string" || typeof id === "number" || typeof id === "bigint")) {
    const words = followingCommand(await catalog.record(record.wait.operation), catalog);
    return [
      `Idempotency key ${idempotencyKey}. Check it again with \`${program} ${words} ${shellWord(String(id))}${access}\`.`,
    ];
  }
  const command = commandLine({ ...typed, flags: { ...flags, yes: true, idempotencyKey } }, program);
  const isWhole = !record.inputs.some(({ name, secret }) => secret && typed.values.has(name)) && flags.bodyFile !== "-";
  const isShown = isWhole && command.length <= LONGEST_COMMAND && printable(command) === command;
  return [
    `Idempotency key ${idempotencyKey}. To check it again, repeat the command with this key; nothing is sent twice:`,
    isShown ? `  ${command}` : `  the same command with --idempotency-key ${idempotencyKey}`,
  ];
}
