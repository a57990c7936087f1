/** Reads from the service within a command, with the same credentials, trace and hints as any call. */
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

/** Makes a single read. By default it has no input values, and `bounds` are --timeout and --retries. */
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

/** Creates a read for polling. --timeout limits each read, and --retries, if given, sets its retries. */
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
