/** Runs a command that makes one call per row of a file: checks the list, then plans or sends it. */
import type { CommandContext } from "../model/catalog.ts";
import type { CommandLine } from "../model/command.ts";
import type { Io } from "../process/io.ts";
import type { BulkJob } from "./bulk-job.ts";
import { readBulkFlags } from "./bulk-options.ts";
import { createBulkPrinter } from "./bulk-printer.ts";
import { writeExampleList } from "./example-list.ts";
import { checkList } from "./list/checked-list.ts";
import { openSource } from "./list/source-file.ts";
import { remarkOn } from "./list-remarks.ts";
import { tellStatus } from "./list-status.ts";
import { runList } from "./run-list.ts";

/** Runs the command line. @throws {CliError} Unless every row is done. */
export async function runBulk(job: BulkJob, line: CommandLine, io: Io, { catalog }: CommandContext): Promise<void> {
  const flags = readBulkFlags(line, io, job.words, job.record);
  const listener = createBulkPrinter({ format: flags.format, quiet: flags.global.quiet }, io);
  if (line.flags.example === true) {
    io.stdout.write(writeExampleList(job.record));
    return;
  }
  const source = await openSource(line.arguments.get("csv") ?? "", io);
  try {
    const list = await checkList(source, job, flags);
    if (!flags.asksStatus) for (const text of remarkOn(list, source, job)) listener({ type: "remark", text });
    if (flags.global.preview !== undefined) listener({ type: "planned", job, list });
    else if (flags.asksStatus) await tellStatus({ job, flags, source, list, io });
    else await runList({ job, flags, source, list, io, catalog }, listener);
  } finally {
    await source.close();
  }
}
