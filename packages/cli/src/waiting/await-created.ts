/** `--wait`: follows the work that a command started until it is finished. */

import { CliError } from "../failures/errors.ts";
import type { Catalog } from "../model/catalog.ts";
import type { OperationRecord, Output, WaitRecipe } from "../model/record.ts";
import { accessFlags } from "../operation/hints.ts";
import { followingCommand } from "../operation/look-again.ts";
import type { Created } from "../operation/run-operation.ts";
import { createRead } from "../operation/service-read.ts";
import { asCliError } from "../output/failure.ts";
import { readField } from "../output/fields.ts";
import { show } from "../output/show.ts";
import { cell } from "../output/table/cell.ts";
import { EXIT } from "../process/exit-codes.ts";
import type { Io } from "../process/io.ts";
import { shellWord } from "../process/shell-word.ts";
import { follow, MINUTES } from "./follow.ts";
import { createLiveLine } from "./live-line.ts";

/**
 * Waits and prints the final state. The command has already created something, so every error names it.
 *
 * @throws {CliError} With exit code 8 if the final state calls for it, 10 at the deadline, 130 if interrupted.
 */
export async function awaitCreated(created: Created, io: Io, catalog: Catalog): Promise<void> {
  const { data, recipe } = created;
  const id = readField(data, recipe.from);
  if (typeof id !== "string" && typeof id !== "number" && typeof id !== "bigint") {
    await print(created, data, created.record, io);
    const message = `the request succeeded, but the response has no ${recipe.from}, so msgctl cannot wait for it`;
    throw new CliError(EXIT.service, "unexpected_reply", message);
  }
  const awaited = await catalog.record(recipe.operation);
  const again = `msgctl ${followingCommand(awaited, catalog)} ${shellWord(String(id))}${accessFlags(created.options)}`;
  try {
    await waitFor({ ...created, id: String(id), awaited, again }, io, catalog);
  } catch (error) {
    const identity = { [recipe.from]: typeof id === "bigint" ? String(id) : id };
    throw withCreated(asCliError(error), identity, `${recipe.from} ${id}`, again);
  }
}

async function waitFor(
  created: Created & { id: string; awaited: OperationRecord; again: string },
  io: Io,
  catalog: Catalog,
): Promise<void> {
  const { replayed, recipe, timeoutMs, access, options, id, awaited, again } = created;
  const input = awaited.inputs.find((each) => each.in === "path");
  const values = new Map([[input?.name ?? recipe.from, id]]);
  // no validation, since the id comes from the service
  const request = { path: { [input?.path[0] ?? recipe.from]: id }, query: {}, headers: {}, body: undefined };
  const subject = `${recipe.from} ${id}`;
  const line = createLiveLine(io.stderr, { ...options, isLogged: false });
  if (replayed) line.say("Already done with this idempotency key; waiting for the earlier request.");
  line.say(`Accepted as ${subject}; waiting for it to finish.`);
  const beganAtMs = io.clock.now();
  const final = await follow(
    {
      ...{ subject, again, timeoutMs, line, hasAnswered: true, pace: MINUTES },
      read: createRead({ record: awaited, values, request, access, options, io, catalog }),
      stateOf: (view) => String(readField(view, recipe.field)),
      isOver: (view) => recipe.until.includes(String(readField(view, recipe.field))),
      onRead: (view) => {
        const seconds = Math.round((io.clock.now() - beganAtMs) / 1000);
        line.show(`${stateLine(view, recipe, awaited.output)} (${seconds} s)`);
      },
    },
    io,
  );
  await print(created, final, awaited, io);
  const state = String(readField(final, recipe.field));
  if (!recipe.failed.includes(state)) return;
  throw new CliError(EXIT.partial, "work_failed", `${subject} ended as ${state}`);
}

async function print({ options, query, isColoured }: Created, data: unknown, { output }: OperationRecord, io: Io) {
  await show({ data, output, options, query, isColoured }, io);
}

/** Adds the identifier to any error, for people and for programs. */
function withCreated(
  { exitCode, code, message, details }: CliError,
  created: NonNullable<CliError["details"]["created"]>,
  subject: string,
  again: string,
): CliError {
  const said = message.includes(subject) ? message : `${subject} was accepted, but: ${message}`;
  const hints = details.hints ?? [];
  const isHinted = hints.some((hint) => hint.includes(again));
  return new CliError(exitCode, code, said, {
    ...details,
    created,
    hints: isHinted ? hints : [...hints, `Look at it with \`${again}\`.`],
  });
}

/** Formats a view on one line: its state and its nonzero numbers. */
function stateLine(view: unknown, { field }: WaitRecipe, { columns }: Output): string {
  const state = cell(readField(view, field));
  const counts = columns.filter((name) => {
    const value = readField(view, name);
    return name !== field && (typeof value === "number" || typeof value === "bigint") && Number(value) !== 0;
  });
  return [state, ...counts.map((name) => `${name} ${cell(readField(view, name), { name })}`)].join(", ");
}
