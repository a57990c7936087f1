/** State shared by all parts of the command: the command line, the records of its operations, and the calls of a run. */

import type { Access } from "../../call/access/access.ts";
import { call } from "../../call/connection.ts";
import type { Catalog, CommandContext } from "../../model/catalog.ts";
import type { CommandLine } from "../../model/command.ts";
import type { OperationRecord } from "../../model/record.ts";
import type { RequestParts } from "../../model/request.ts";
import { accessFlags, withContractHint } from "../../operation/hints.ts";
import type { OpenLine } from "../../operation/open-line.ts";
import { traceTo } from "../../operation/preview/trace.ts";
import { JSON_FORMATS } from "../../output/format.ts";
import { hasColour } from "../../process/config.ts";
import type { Io } from "../../process/io.ts";
import { withSpinner } from "../../prompts/spinner.ts";
import type { Present } from "./present.ts";

/** The context of one run. */
export interface ApplyContext {
  line: OpenLine;
  flags: CommandLine;
  io: Io;
  context: CommandContext;
  records: RegistrationRecords;
  /** How messages name the registration file: its path, or `standard input`. */
  fileName: string;
}

/** Whether to print progress for people. Programs read the outcome from the answer and expect only errors on standard error. */
export function isReported({ line: { options } }: ApplyContext): boolean {
  return !options.quiet && !JSON_FORMATS.includes(options.output);
}

export function isScreenColoured({ flags, io }: ApplyContext): boolean {
  return flags.globalFlags.color !== false && hasColour(io.env, io.stderr);
}

const OPERATIONS = {
  brand: "registerBrand",
  campaign: "registerCampaign",
  number: "registerNumber",
  assignment: "assignNumber",
  status: "getRegistrationStatus",
} as const;

/** The records of the operations that make up a registration. */
export type RegistrationRecords = Readonly<Record<keyof typeof OPERATIONS, OperationRecord>>;

/** Loads the records. */
export async function loadRecords({ record }: Catalog): Promise<RegistrationRecords> {
  const [brand, campaign, number, assignment, status] = await Promise.all([
    record(OPERATIONS.brand),
    record(OPERATIONS.campaign),
    record(OPERATIONS.number),
    record(OPERATIONS.assignment),
    record(OPERATIONS.status),
  ]);
  return { brand, campaign, number, assignment, status };
}

export interface RegistrationCall {
  record: OperationRecord;
  request: RequestParts;
  idempotencyKey: string | undefined;
  label: string;
}

/** Makes one call of the run. @throws {CliError} With the contract's hint for the failure. */
export async function send(
  { record, request, idempotencyKey, label }: RegistrationCall,
  access: Access,
  run: ApplyContext,
): Promise<unknown> {
  const { line, io, context } = run;
  const { timeoutMs, retries, verbose, quiet } = line.options;
  const hooks = verbose ? traceTo(io.stderr, request.query) : undefined;
  const called = call({
    ...{ record, request, access, timeoutMs, retries, idempotencyKey },
    ...{ signal: io.signal, hooks },
  });
  try {
    const answer = await (quiet || verbose ? called : withSpinner({ screen: io.stderr, label }, called));
    return answer.data;
  } catch (error) {
    const values = new Map(Object.entries(request.path).map(([name, value]) => [kebabCase(name), String(value)]));
    const failed = { record, values, body: request.body, access: accessFlags(line.options) };
    throw await withContractHint(error, failed, context.catalog);
  }
}

function kebabCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Reads the service's current state of the registration. */
export async function readPresent(merchantId: string, access: Access, run: ApplyContext): Promise<Present> {
  const { status: record } = run.records;
  const request = { path: { merchantId }, query: {}, headers: {}, body: undefined };
  const label = "Read the registration";
  return (await send({ record, request, idempotencyKey: undefined, label }, access, run)) as Present;
}
