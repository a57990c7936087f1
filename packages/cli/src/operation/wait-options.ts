/** Parses the flags of a wait. */
import type { Fault } from "../failures/errors.ts";
import { readSecondsAsMs } from "../flags/global-options.ts";
import type { OperationRecord, WaitRecipe } from "../model/record.ts";
import { LONGEST_WAIT_SECONDS, WAIT_SECONDS } from "./durations.ts";

/** Parses --wait-timeout. Returns milliseconds. */
export function readWaitTimeout(text: unknown, faults: Fault[], fallbackSeconds = WAIT_SECONDS): number {
  if (typeof text !== "string") return fallbackSeconds * 1000;
  return readSecondsAsMs("--wait-timeout", text, LONGEST_WAIT_SECONDS, faults);
}

/** Parses --wait and --wait-timeout. */
export function readWait(
  { wait, waitTimeout }: Readonly<Record<string, unknown>>,
  record: Pick<OperationRecord, "wait">,
): { wait: { recipe: WaitRecipe; timeoutMs: number } | undefined; faults: Fault[] } {
  const faults: Fault[] = [];
  if (wait === true && record.wait !== undefined)
    return { wait: { recipe: record.wait, timeoutMs: readWaitTimeout(waitTimeout, faults) }, faults };
  if (waitTimeout !== undefined) faults.push({ where: "--wait-timeout", message: "limits a wait; also give --wait" });
  return { wait: undefined, faults };
}
