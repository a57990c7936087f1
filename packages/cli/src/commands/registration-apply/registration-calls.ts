/** The calls that a run makes to the service. */
import type { Access } from "../../call/access/access.ts";
import { call } from "../../call/connection.ts";
import type { OperationRecord } from "../../model/record.ts";
import type { RequestParts } from "../../model/request.ts";
import { accessFlags, withContractHint } from "../../operation/hints.ts";
import { traceTo } from "../../operation/preview/trace.ts";
import { withSpinner } from "../../prompts/spinner.ts";
import type { ApplyContext } from "./apply-context.ts";
import type { Present } from "./present.ts";

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
