/** Decides when `listen` ends, and reports the end. */
import { CliError } from "../../failures/errors.ts";
import { EXIT } from "../../process/exit-codes.ts";
import type { Io } from "../../process/io.ts";
import type { ListenFlags } from "./listen-flags.ts";
import { formatSummary, type Session } from "./session.ts";

/** Why listening ended: enough events, the timeout, a closed standard output, or an interruption by the user. */
export type End = "count" | "time" | "reader" | "user";

/** Waits for the first cause to end. Rejects if events cannot be shown. */
export async function waitForEnd(
  { done }: Session,
  { timeoutMs }: ListenFlags,
  { clock, signal, outputEnd }: Io,
): Promise<End> {
  const over = new AbortController();
  const aborted = (cause: AbortSignal) =>
    new Promise<void>((resolve) => {
      if (cause.aborted) return resolve();
      cause.addEventListener("abort", () => resolve(), { once: true, signal: over.signal });
    });
  const ends: Promise<End>[] = [
    done.then(() => "count"),
    aborted(signal).then(() => "user"),
    aborted(outputEnd).then(() => "reader"),
    ...(timeoutMs === undefined ? [] : [clock.pause(timeoutMs, over.signal).then((): End => "time")]),
  ];
  return Promise.race(ends).finally(() => over.abort());
}

/** Reports what arrived. @throws {CliError} If the user ended it, or fewer events arrived than expected. */
export function reportEnd(end: End, { counts }: Session, flags: ListenFlags, say: (text: string) => void): void {
  const summary = formatSummary(counts, flags.forward !== undefined);
  if (end === "user") throw new CliError(EXIT.interrupted, "interrupted", `interrupted after ${summary}`);
  if (end === "time" && Number.isFinite(flags.count)) {
    const message = `${summary} within ${(flags.timeoutMs ?? 0) / 1000} s, of ${flags.count} expected`;
    throw new CliError(EXIT.deadline, "deadline", message, {
      hints: ["Check that the callbackUrl leads to this address, or give a longer --timeout."],
    });
  }
  say(`Stopped after ${summary}.`);
}
