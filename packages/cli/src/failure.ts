/** How a failure reads: words for people, or one JSON object for programs. Both go to standard error. */
import { CliError, type Fault } from "./errors.ts";
import { EXIT } from "./exit-codes.ts";
import { printable } from "./output/printable.ts";
import type { Format } from "./output/render.ts";
import type { Style } from "./output/style.ts";

/** Whatever was thrown, as an error that has an exit code. */
export function asCliError(error: unknown): CliError {
  if (error instanceof CliError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new CliError(EXIT.internal, "internal", message, {
    hints: ["This is a fault of msgctl: please report it with the command that caused it."],
    cause: error,
  });
}

/** The text of a failure, with its line end. */
export function describeFailure(error: CliError, format: Format, style: Style): string {
  return format === "json" ? `${JSON.stringify(asJson(error), null, 2)}\n` : asText(error, style);
}

/** Every key is always there, so that a script need not ask whether it is. */
function asJson({ message, code, exitCode, details }: CliError) {
  return {
    code,
    message,
    hints: details.hints ?? [],
    errors: details.faults ?? [],
    requestId: details.requestId ?? null,
    idempotencyKey: details.idempotencyKey ?? null,
    status: details.status ?? null,
    exitCode,
  };
}

function asText({ message, code, details }: CliError, style: Style): string {
  const { status, requestId, idempotencyKey, faults = [], hints = [] } = details;
  const origin = status === undefined ? "" : ` ${style.dim(`(${printable(code)}, HTTP ${status})`)}`;
  const trail = [
    ...(requestId === undefined ? [] : [`request id ${printable(requestId)}`]),
    ...(idempotencyKey === undefined ? [] : [`idempotency key ${printable(idempotencyKey)}`]),
  ];
  const lines = [
    `${style.red("error:")} ${printable(message)}${origin}`,
    ...faults.map((fault) => `  ${describeFault(fault, style)}`),
    ...hints.map((hint) => `${style.bold("hint:")} ${printable(hint)}`),
    ...(trail.length === 0 ? [] : [style.dim(trail.join(", "))]),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

function describeFault({ where, message }: Fault, style: Style): string {
  return `${style.bold(`${printable(where)}:`)} ${printable(message)}`;
}
