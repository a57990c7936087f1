import type { DefinedFlag } from "../model/command.ts";

/** `--wait-timeout` of a command that waits for so long unless told otherwise. */
export function waitTimeoutFlag(fallback: string): DefinedFlag {
  return {
    flags: "--wait-timeout <seconds>",
    description: `Longest wait; exit with 10 after it. (default ${fallback})`,
  };
}
