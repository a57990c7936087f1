/** Reads of the service that are made over and over: the same call, credentials, trace and hints as any command's. */
import type { Access } from "../access/access.ts";
import type { Catalog } from "../catalog.ts";
import { call } from "../connection.ts";
import type { GlobalOptions } from "../global-flags.ts";
import { accessFlags, withContractHint } from "../hints.ts";
import type { Io } from "../io.ts";
import type { OperationRecord } from "../record.ts";
import { traceTo } from "../request/trace.ts";
import type { RawValues, RequestParts } from "../request.ts";
import type { Reading } from "./read-again.ts";

export interface ServiceRead {
  record: OperationRecord;
  values: RawValues;
  request: RequestParts;
  access: Access;
  options: GlobalOptions;
  io: Io;
  catalog: Catalog;
}

/** Each read takes no longer than --timeout, and is repeated as --retries says where that is given. */
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
