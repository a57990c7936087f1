import type { OperationRecord } from "../../model/record.ts";
import type { RawValues } from "../../model/request.ts";
import type { Io } from "../../process/io.ts";
import { completeBody } from "./complete-body.ts";
import { type BodyFlags, readGivenBody } from "./given-body.ts";
import { type ReadRequest, readRequest } from "./request.ts";

/** Builds a request from a line's values. May be called again with more values. */
export type RequestReader = (values: RawValues) => ReadRequest;

/** Creates a reader that includes --body-file and --set. It reads the file only once. */
export async function createRequestReader(record: OperationRecord, flags: BodyFlags, io: Io): Promise<RequestReader> {
  if (flags.bodyFile === undefined && flags.sets.length === 0) return (values) => readRequest(record, values);
  const given = await readGivenBody(record, flags, io);
  return (values) => completeBody(record, values, given);
}
