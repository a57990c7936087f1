/** Fills in values that a command line may omit because the service knows them: those of inputs with `fill`. */
import { CliError, type Fault, InputError } from "../../failures/errors.ts";
import { formatInputName } from "../../flags/input-name.ts";
import { parseValue } from "../../flags/value.ts";
import type { Input, OperationRecord } from "../../model/record.ts";
import type { RawValues } from "../../model/request.ts";
import { readField } from "../../output/fields.ts";
import { EXIT } from "../../process/exit-codes.ts";
import { readOnce, type Service } from "../service-read.ts";
import { place } from "./request.ts";
import type { RequestReader } from "./request-reader.ts";

type FillableInput = Input & Required<Pick<Input, "fill">>;

/** Returns the missing inputs that the service can fill in. */
export function findFillable({ inputs }: OperationRecord, missing: readonly Fault[]): FillableInput[] {
  return inputs.filter((input): input is FillableInput => input.fill !== undefined && isAmong(missing, input));
}

/** Returns the missing values that the service cannot fill in. */
export function withoutFillable(missing: readonly Fault[], fillable: readonly FillableInput[]): Fault[] {
  return missing.filter((fault) => !fillable.some((input) => isAmong([fault], input)));
}

function isAmong(missing: readonly Fault[], input: Input): boolean {
  return missing.some(({ where }) => where === formatInputName(input));
}

/** The placeholder for a fillable value in a request that is only printed. */
export function formatPlaceholder({ name }: Input): string {
  return `<${name}>`;
}

/** Wraps the reader for a request that is only printed: uses placeholders instead of reading values from the service. */
export function withPlaceholders(reader: RequestReader, record: OperationRecord): RequestReader {
  return (values) => {
    const { request, wrong, missing } = reader(values);
    const fillable = findFillable(record, missing);
    for (const input of fillable) place(request, input, formatPlaceholder(input));
    return { request, wrong, missing: withoutFillable(missing, fillable) };
  };
}

/**
 * Adds the values that the service fills in, with one read for each. Keeps only the value itself, because the rest of the
 * reply may contain secrets. @throws {CliError} If a value cannot be read; the error names the flag to give instead.
 */
export async function fillValues(
  values: RawValues,
  fillable: readonly FillableInput[],
  service: Service,
): Promise<RawValues> {
  if (fillable.length === 0) return values;
  const all = new Map(values);
  for (const input of fillable) all.set(input.name, await readFill(input, service));
  return all;
}

async function readFill(input: FillableInput, service: Service): Promise<string> {
  const { operation, field } = input.fill;
  const record = await service.catalog.record(operation);
  const where = formatInputName(input);
  const advice = `Give ${where}. With a key that may read it, \`msgctl ${record.group} ${record.name} -q ${field}\` prints it.`;
  const reply = await readOnce(record, service).catch((error: unknown) => {
    throw explainFailedFill(error, where, advice);
  });
  const value = readField(reply, field);
  const text = typeof value === "object" ? "" : String(value ?? "");
  if (text !== "" && parseValue(input, text).ok) return text;
  throw new InputError([], [{ where, message: "missing: the service has no usable value" }], [advice]);
}

function explainFailedFill(error: unknown, where: string, advice: string): unknown {
  if (!(error instanceof CliError) || error.exitCode === EXIT.interrupted) return error;
  const message = `${where} is missing, and could not be read from the service: ${error.message}`;
  // the hints for a forbidden read do not apply to the command that the user typed
  const others = error.details.status === 403 ? [] : (error.details.hints ?? []);
  return new CliError(error.exitCode, error.code, message, { ...error.details, hints: [advice, ...others] });
}
