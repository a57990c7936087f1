/** Errors that a user can act on. Their type determines the exit code; failure.ts prints them. */
import { EXIT, type ExitCode } from "../process/exit-codes.ts";

/** A value that msgctl or the service refused. */
export interface Fault {
  /** The name of the value as the user types it: `--to`, `<merchantId>`. A JSON pointer if the command has no such input. */
  where: string;
  message: string;
}

export interface FailureDetails {
  /** The next steps, with the command to run if there is one. */
  hints?: readonly string[];
  faults?: readonly Fault[];
  status?: number;
  /** Address of the page that explains the problem, if the service gave one (RFC 9457). */
  type?: string;
  requestId?: string;
  idempotencyKey?: string;
  /** The pause before the next attempt, as requested by the service. */
  retryAfterMs?: number;
  /** Identifiers of objects created before the command failed, by field: `{ batchId: "9002" }`. */
  created?: Readonly<Record<string, unknown>>;
  /** The service's answer. Hints take values from it. */
  reply?: Readonly<Record<string, unknown>>;
  cause?: unknown;
}

export class CliError extends Error {
  override readonly name: string = "CliError";
  readonly exitCode: ExitCode;
  /** Stable code for programs. If the service answered, it is the service's code. */
  readonly code: string;
  readonly details: FailureDetails;

  constructor(exitCode: ExitCode, code: string, message: string, details: FailureDetails = {}) {
    super(message, { cause: details.cause });
    this.exitCode = exitCode;
    this.code = code;
    this.details = details;
  }
}

/** The command line itself is wrong: an unknown command, flag or topic. */
export class UsageError extends CliError {
  override readonly name = "UsageError";

  constructor(message: string, hints: readonly string[] = []) {
    super(EXIT.usage, "usage", message, { hints });
  }
}

/** Values are wrong or missing. Nothing was sent. */
export class InputError extends CliError {
  override readonly name = "InputError";

  /** The exit code is 9 if values are only missing, 2 if any is wrong. */
  constructor(faults: readonly Fault[], missing: readonly Fault[], hints: readonly string[] = []) {
    const all = [...faults, ...missing];
    const onlyMissing = faults.length === 0;
    super(
      onlyMissing ? EXIT.inputNeeded : EXIT.usage,
      onlyMissing ? "input_missing" : "invalid_input",
      summarise(faults.length, missing.length),
      { faults: all, hints },
    );
  }
}

function summarise(wrong: number, missing: number): string {
  const parts = [];
  if (wrong > 0) parts.push(wrong === 1 ? "one value is not valid" : `${wrong} values are not valid`);
  if (missing > 0)
    parts.push(missing === 1 ? "one required value is missing" : `${missing} required values are missing`);
  return `${parts.join(" and ")}; nothing was sent`;
}

/** No usable credential or address is configured. */
export class ConfigurationError extends CliError {
  override readonly name = "ConfigurationError";

  constructor(code: string, message: string, hints: readonly string[]) {
    super(EXIT.auth, code, message, { hints });
  }
}
