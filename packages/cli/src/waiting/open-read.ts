/** Prepares a command that reads from one operation, once or repeatedly. */
import { resolveAccess } from "../call/access/resolve-access.ts";
import type { Fault } from "../failures/errors.ts";
import type { CommandContext } from "../model/catalog.ts";
import type { CommandLine } from "../model/command.ts";
import type { OperationRecord } from "../model/record.ts";
import type { RawValues } from "../model/request.ts";
import { accessFlags } from "../operation/hints.ts";
import { type OpenLine, openLine } from "../operation/open-line.ts";
import { previewAccess } from "../operation/preview/preview-access.ts";
import { showPreview } from "../operation/preview/show-preview.ts";
import type { Reading } from "../operation/read-again.ts";
import { readRequest } from "../operation/request/request.ts";
import { createRead } from "../operation/service-read.ts";
import type { Io } from "../process/io.ts";
import { shellLine } from "../process/shell-word.ts";

export interface ReadLine {
  record: OperationRecord;
  /** Values by input name. */
  values: RawValues;
  /** Faults of the command's own flags: wrong values, and in `missing` required values that were not given. */
  wrong?: readonly Fault[];
  missing?: readonly Fault[];
}

export interface OpenRead extends OpenLine {
  read: Reading["read"];
  /** Reads from another operation, which takes its values from the same line. */
  readOther(record: OperationRecord): Promise<unknown>;
  /** Formats a command that reaches the same service as the same caller: `msgctl tts watch 9002 --profile demo`. */
  command(...words: readonly string[]): string;
}

/**
 * Checks the line and finds the credential. Returns undefined if --dry-run or --curl printed the request instead.
 *
 * @throws {InputError} With every wrong or missing value.
 */
export async function openRead(
  { record, values, wrong = [], missing = [] }: ReadLine,
  line: CommandLine,
  io: Io,
  context: CommandContext,
): Promise<OpenRead | undefined> {
  const opened = await openLine(line, io, context, { output: line.command.output ?? record.output });
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
