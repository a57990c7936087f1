// Reasons for not running the checks, and the tool's exit codes.

export const EXIT = { kept: 0, violated: 1, notRun: 2, refused: 3, interrupted: 130 } as const;

/** The checks cannot run with this command line. The message says what was received and what to do. */
export class Refusal extends Error {
  readonly exitCode: number;
  constructor(message: string, exitCode: number = EXIT.notRun) {
    super(message);
    this.exitCode = exitCode;
  }
}
