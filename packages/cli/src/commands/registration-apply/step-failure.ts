/** Describes a step's failure in terms of the file, with what was done and how to go on. */
import { ApiError } from "@msgctl/sdk";
import { CliError, type Fault } from "../../failures/errors.ts";
import { EXIT } from "../../process/exit-codes.ts";
import type { Applied } from "./apply-steps.ts";
import { formatTitle } from "./plan-text.ts";
import type { Step } from "./step.ts";
import { formatPlace } from "./wanted-part.ts";

export const GO_ON = "Run the same command again: it continues with what is left, and repeats nothing.";

/**
 * The error that ends the run. A refusal after a completed step exits with code 8; any other failure (the network, the
 * credential, the user) keeps its own code.
 */
export function stepFailure({ results, failure }: Applied): unknown {
  if (failure === undefined || !(failure.error instanceof CliError)) return failure?.error;
  const { step, error } = failure;
  const done = results.filter(({ outcome }) => outcome === "done");
  const left = results.filter(({ outcome }) => outcome === "left");
  const isPartial = done.length > 0 && error.exitCode === EXIT.refused;
  const { idempotencyKey: _ofOneStep, hints = [], ...details } = error.details;
  const remains = left.length === 0 ? "" : `; left: ${left.map((result) => formatTitle(result.step)).join(", ")}`;
  const message = `${formatPlace(step.part, "")}, ${formatTitle(step)}: ${error.message}`;
  return new CliError(isPartial ? EXIT.partial : error.exitCode, error.code, message, {
    ...details,
    faults: toFaults(error, step),
    hints: [
      // the command makes its own keys and accepts none
      ...hints.filter((hint) => !hint.includes("--idempotency-key")),
      `${done.length === 0 ? "Nothing was done" : `Done: ${done.map((result) => formatTitle(result.step)).join(", ")}`}${remains}.`,
      GO_ON,
    ],
  });
}

/** Maps faults to their place in the file; a pointer to no field of the file stays as it is. */
function toFaults({ details: { cause, faults = [] } }: CliError, { part }: Step): Fault[] {
  if (!(cause instanceof ApiError)) return [...faults];
  return cause.errors.map(({ pointer, detail }) => {
    const [field = "", index] = pointer.split("/").slice(1);
    const isKnown = Object.hasOwn(part.fields, field) || pointer.split("/").length === 2;
    const place = index === undefined ? field : `${field}[${index}]`;
    return { where: isKnown ? formatPlace(part, place) : pointer, message: detail };
  });
}
