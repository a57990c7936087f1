import type { CommandContext } from "../../model/catalog.ts";
import type { CommandLine } from "../../model/command.ts";
import type { OpenLine } from "../../operation/open-line.ts";
import { JSON_FORMATS } from "../../output/format.ts";
import { hasColour } from "../../process/config.ts";
import type { Io } from "../../process/io.ts";
import type { RegistrationRecords } from "./registration-records.ts";

/** Shared by all parts of the command. */
export interface ApplyContext {
  line: OpenLine;
  flags: CommandLine;
  io: Io;
  context: CommandContext;
  records: RegistrationRecords;
  /** The file's name in messages. */
  fileName: string;
}

/** Whether to print progress for people. Programs read it from the answer and expect only errors on standard error. */
export function isReported({ line: { options } }: ApplyContext): boolean {
  return !options.quiet && !JSON_FORMATS.includes(options.output);
}

export function isScreenColoured({ flags, io }: ApplyContext): boolean {
  return flags.globalFlags.color !== false && hasColour(io.env, io.stderr);
}
