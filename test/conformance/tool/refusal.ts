// Why the checks are not run, and what the tool ends with.

import { EXIT as CLI_EXIT } from "../../../packages/cli/src/process/exit-codes.ts";

export const EXIT = { kept: 0, violated: 1, notRun: 2, refused: 3, interrupted: CLI_EXIT.interrupted } as const;

/** The checks cannot be run as asked; the message says what was received and what to do. */
export class Refusal extends Error {
  readonly exitCode: number;
  constructor(message: string, exitCode: number = EXIT.notRun) {
    super(message);
    this.exitCode = exitCode;
  }
}
