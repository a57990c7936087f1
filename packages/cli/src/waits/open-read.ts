/** The line of a written command that makes one read, perhaps over and over. */
import { resolveAccess } from "../access/resolve-access.ts";
import type { Fault } from "../errors.ts";
import { accessFlags } from "../hints.ts";
import type { Io } from "../io.ts";
import type { OperationRecord } from "../record.ts";
import { previewAccess } from "../request/preview-access.ts";
import { showPreview } from "../request/show-preview.ts";
import { type RawValues, readRequest } from "../request.ts";
import { shellLine } from "../shell-word.ts";
import { type OpenLine, openLine } from "../written/open-line.ts";
import type { WrittenContext, WrittenLine } from "../written/written-command.ts";
import type { Reading } from "./read-again.ts";
import { createRead } from "./service-read.ts";

export interface ReadLine {
  record: OperationRecord;
  /** By the name of the record's inputs. */
  values: RawValues;
  /** What is wrong with the command's own flags, and missing from them. */
  wrong?: readonly Fault[];
  missing?: readonly Fault[];
}

export interface OpenRead extends OpenLine {
  read: Reading["read"];
  /** One read of another operation, which takes what it needs of the same values. */
  readOther(record: OperationRecord): Promise<unknown>;
  /** A command for the same service and caller: `msgctl tts watch 9002 --profile demo`. */
  command(...words: readonly string[]): string;
}

/**
 * Checks the line and finds the credential. Undefined where --dry-run or --curl asked for the request: it is printed.
 *
 * @throws {InputError} Naming all that is wrong and missing.
 */
export async function openRead(
  { record, values, wrong = [], missing = [] }: ReadLine,
  line: WrittenLine,
  io: Io,
  context: WrittenContext,
): Promise<OpenRead | undefined> {
  const opened = await openLine(line, io, context, {
    output: line.command.output ?? record.output,
    requests: "one",
  });
  const { options, settings, query } = opened;
  const { request, ...faults } = readRequest(record, values);
  opened.refuse([...wrong, ...faults.wrong], [...missing, ...faults.missing]);
  const resolve = () => resolveAccess(options, settings, io.cwd);
  if (options.preview !== undefined) {
    const access = await previewAccess(resolve, [options.baseUrl, settings.baseUrl]);
    const { timeoutMs, retries, preview } = options;
    const call = { record, request, access, timeoutMs, retries, signal: io.signal, idempotencyKey: undefined };
    await showPreview(call, preview, { options, query, isColoured: context.isColoured }, io);
    return undefined;
  }
  const { catalog } = context;
  const common = { values, access: resolve(), options, io, catalog };
  return {
    ...opened,
    read: createRead({ ...common, record, request }),
    readOther(other) {
      const read = createRead({ ...common, record: other, request: readRequest(other, values).request });
      return read({ timeoutMs: options.timeoutMs, retries: undefined });
    },
    command: (...rest) => `msgctl ${shellLine(rest)}${accessFlags(options)}`,
  };
}
