/** Repeated reads from the service, with the same call, credentials, trace and hints as any command. */
import type { Access } from "../call/access/access.ts";
import { call } from "../call/connection.ts";
import type { GlobalOptions } from "../flags/global-options.ts";
import type { Catalog } from "../model/catalog.ts";
import type { OperationRecord } from "../model/record.ts";
import type { RawValues, RequestParts } from "../model/request.ts";
import type { Io } from "../process/io.ts";
import { withSpinner } from "../prompts/spinner.ts";
import { accessFlags, withContractHint } from "./hints.ts";
import { traceTo } from "./preview/trace.ts";
import type { Bounds, Reading } from "./read-again.ts";
import { readRequest } from "./request/request.ts";

/** A service and its caller. */
export interface Service {
  access: Access;
  options: GlobalOptions;
  io: Io;
  catalog: Catalog;
}

export interface ServiceRead extends Service {
  record: OperationRecord;
  values: RawValues;
  request: RequestParts;
}

/** Makes one read before the command itself, by default without input values; `bounds` default to --timeout and --retries. */
export async function readOnce(
  record: OperationRecord,
  service: Service,
  { bounds, values = new Map() }: { bounds?: Bounds; values?: RawValues } = {},
): Promise<unknown> {
  const { options, io } = service;
  const read = createRead({ ...service, record, values, request: readRequest(record, values).request });
  const reply = read(bounds ?? { timeoutMs: options.timeoutMs, retries: undefined });
  return options.quiet || options.verbose ? reply : withSpinner({ screen: io.stderr, label: record.summary }, reply);
}

/** Bounds each read by --timeout, and retries it as --retries says if given. */
export function createRead({ record, values, request, access, options, io, catalog }: ServiceRead): Reading["read"] {
  return async ({ timeoutMs, retries }) => {
    const hooks = options.verbose ? traceTo(io.stderr, request.query) : undefined;
    const bounds = { timeoutMs: Math.min(timeoutMs, options.timeoutMs), retries: options.retries ?? retries };
    try {
      const sending = { record, request, access, signal: io.signal, idempotencyKey: undefined, hooks };
      return (await call({ ...sending, ...bounds })).data;
    } catch (error) {
      const failed = { record, values, body: request.body, access: accessFlags(options) };
      throw await withContractHint(error, failed, catalog);
    }
  };
}
