/** Follows work of the service until it is finished. If the wait ends first, the error says how to resume waiting. */

import { CliError } from "../failures/errors.ts";
import { type Pace, type Reading, readAgain } from "../operation/read-again.ts";
import { formatDuration } from "../output/text/quantities.ts";
import { EXIT } from "../process/exit-codes.ts";
import type { Io } from "../process/io.ts";
import type { LiveLine } from "./live-line.ts";

export interface Followed {
  /** The work's name in messages: `batchId 9002`. */
  subject: string;
  /** The command that shows the state of the work. */
  again: string;
  read: Reading["read"];
  pace: Pace;
  timeoutMs: number;
  hasAnswered: boolean;
  line: LiveLine;
  /** Returns the state in a word. */
  stateOf(view: unknown): string;
  isOver(view: unknown): boolean;
  /** Called with the result of each read. */
  onRead(view: unknown): void | Promise<void>;
}

/** The polling pace for work that finishes within minutes. */
export const MINUTES: Pace = { firstMs: 1_000, growth: 1.5, longestMs: 10_000 };

/**
 * Polls until the work is finished. Returns the final state.
 *
 * @throws {CliError} With exit code 10 at the deadline, 130 if interrupted; a read's error.
 */
export async function follow(followed: Followed, { clock, signal }: Io): Promise<unknown> {
  const { subject, again, read, pace, timeoutMs, hasAnswered, line, stateOf, isOver, onRead } = followed;
  let state: string | undefined;
  const onTrouble = (error: CliError | undefined) => line.say(troubleWords(error));
  try {
    for await (const view of readAgain({ read, pace, timeoutMs, clock, signal, onTrouble, hasAnswered })) {
      state = stateOf(view);
      await onRead(view);
      if (isOver(view)) return view;
    }
  } catch (error) {
    if (!(error instanceof CliError) || error.exitCode !== EXIT.interrupted) throw error;
    throw new CliError(
      error.exitCode,
      error.code,
      `interrupted while ${standing(subject, state)}; ${GOES_ON}`,
      goOn(again),
    );
  } finally {
    line.clear();
  }
  const message = `${standing(subject, state, "still ")} after ${formatDuration(timeoutMs / 1000)}; ${GOES_ON}`;
  throw new CliError(EXIT.deadline, "wait_deadline", message, goOn(again));
}

/** Returns the message that the service does not respond (if there is an error), or that it responds again. */
export function troubleWords(error: CliError | undefined): string {
  if (error === undefined) return "The service responds again.";
  return `The service does not respond at the moment (${error.message.replace(/\.$/, "")}); trying again.`;
}

const GOES_ON = "msgctl stopped waiting, the work continues";

function standing(subject: string, state: string | undefined, still = ""): string {
  return state === undefined ? `${subject} was never read` : `${subject} was ${still}${state}`;
}

function goOn(again: string) {
  return { hints: [`Check it again with \`${again}\`.`] };
}
