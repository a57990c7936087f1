/** Formats errors for standard error: as text for people, or as a JSON object for programs. */

import { CliError, type Fault } from "../failures/errors.ts";
import { describeSystemFault } from "../failures/system-faults.ts";
import { readMessage } from "../failures/thrown.ts";
import { EXIT } from "../process/exit-codes.ts";
import { type Format, JSON_FORMATS } from "./format.ts";
import { printable, printableJson } from "./printable.ts";
import type { Style } from "./text/style.ts";
import { wrap } from "./text/wrap.ts";

/** Converts any thrown value to a CliError. */
export function asCliError(error: unknown): CliError {
  if (error instanceof CliError) return error;
  const fault = describeSystemFault(error);
  if (fault !== undefined)
    return new CliError(EXIT.internal, "system_fault", fault, {
      hints: ["Correct that on this machine, then run the command again."],
      cause: error,
    });
  return new CliError(EXIT.internal, "internal", readMessage(error), {
    hints: ["This is a bug in msgctl: please report it with the command that caused it."],
    cause: error,
  });
}

export interface FailureLayout {
  style: Style;
  /** Width of the terminal in columns. Undefined without a terminal: lines are not wrapped then, so that grep finds them. */
  width: number | undefined;
}

/** Replaces `msgctl` in the commands of hints by `program`, the name by which the user calls it. */
export function calledAs(program: string, { exitCode, code, message, details }: CliError): CliError {
  const hints = details.hints?.map((hint) => hint.replaceAll("`msgctl ", `\`${program} `)) ?? [];
  return new CliError(exitCode, code, message, { ...details, hints });
}

/** Formats an error, with a trailing newline. */
export function describeFailure(error: CliError, format: Format, layout: FailureLayout): string {
  if (!JSON_FORMATS.includes(format)) return asText(error, layout);
  return `${printableJson(JSON.stringify(asJson(error), null, format === "json" ? 2 : undefined))}\n`;
}

/** Converts an error to JSON. Every key is always present, so that scripts need not check. */
function asJson({ message, code, exitCode, details }: CliError) {
  return {
    code,
    type: details.type ?? null,
    message,
    hints: details.hints ?? [],
    errors: details.faults ?? [],
    requestId: details.requestId ?? null,
    idempotencyKey: details.idempotencyKey ?? null,
    status: details.status ?? null,
    created: details.created ?? null,
    exitCode,
  };
}

/** Indent of continuation lines. It distinguishes them from the next hint or fault. */
const HANGING = "    ";

function asText({ message, code, details }: CliError, { style, width }: FailureLayout): string {
  const { status, type, requestId, idempotencyKey, faults = [], hints = [] } = details;
  const origin = status === undefined ? "" : ` ${style.dim(`(${printable(code)}, HTTP ${status})`)}`;
  const trail = [
    ...(requestId === undefined ? [] : [`request id ${printable(requestId)}`]),
    ...(idempotencyKey === undefined ? [] : [`idempotency key ${printable(idempotencyKey)}`]),
  ];
  const lines = [
    `${style.red("error:")} ${printable(message)}${origin}`,
    ...faults.map((fault) => `  ${describeFault(fault, style)}`),
    ...hints.map((hint) => `${style.bold("hint:")} ${printable(hint)}`),
    ...(type === undefined || type === "about:blank" ? [] : [style.dim(`see ${printable(type)}`)]),
    ...(trail.length === 0 ? [] : [style.dim(trail.join(", "))]),
  ];
  const fitted = width === undefined ? lines : lines.flatMap((line) => wrap(line, width, HANGING));
  return fitted.map((line) => `${line}\n`).join("");
}

function describeFault({ where, message }: Fault, style: Style): string {
  return `${style.bold(`${printable(where)}:`)} ${printable(message)}`;
}
