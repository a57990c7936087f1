import type { OperationRecord } from "../../model/record.ts";
import type { RawValues } from "../../model/request.ts";
import type { Io } from "../../process/io.ts";
import { completeBody } from "./complete-body.ts";
import { type BodyFlags, readGivenBody } from "./given-body.ts";
import { type ReadRequest, readRequest } from "./request.ts";

/** Reads a line's values into a request. May be called again when more values are known. */
export type RequestReader = (values: RawValues) => ReadRequest;

/** Creates a reader that includes --body-file and --set; the file is read once. */
export async function createRequestReader(record: OperationRecord, flags: BodyFlags, io: Io): Promise<RequestReader> {
  if (flags.bodyFile === undefined && flags.sets.length === 0) return (values) => readRequest(record, values);
  const given = await readGivenBody(record, flags, io);
  return (values) => completeBody(record, values, given);
}
