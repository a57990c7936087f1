/** The flags of a wait, for help, completion and commands. */
import type { DefinedFlag } from "../model/command.ts";
import type { OperationRecord } from "../model/record.ts";
import { WAIT_SECONDS } from "./durations.ts";

const WAIT: DefinedFlag = {
  flags: "--wait",
  description: "Wait until the work is finished, then print its final state; exit with 8 if some of it failed.",
};

/** Returns the flags that a record's wait recipe adds. */
export function listWaitFlags({ wait }: Pick<OperationRecord, "wait">): readonly DefinedFlag[] {
  return wait === undefined ? [] : [WAIT, waitTimeoutFlag(String(WAIT_SECONDS))];
}

/** Returns `--wait-timeout` for a command that waits `fallback` seconds by default. */
export function waitTimeoutFlag(fallback: string): DefinedFlag {
  return {
    flags: "--wait-timeout <seconds>",
    description: `Seconds to wait; exit with 10 after that. (default ${fallback})`,
  };
}
