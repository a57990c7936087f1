/** Parses the flags of a bulk command. */
import {
  BULK_CONCURRENCY_DEFAULT,
  BULK_CONCURRENCY_MAXIMUM,
  BULK_CONCURRENCY_MINIMUM,
} from "@msgctl/contract/constants";
import { withProfileDefaults } from "../call/access/setting-keys.ts";
import { type Fault, InputError } from "../failures/errors.ts";
import { didYouMean, wordAmong } from "../failures/similar.ts";
import { type GlobalOptions, readGlobalOptions } from "../flags/global-options.ts";
import type { CommandLine } from "../model/command.ts";
import type { OperationRecord } from "../model/record.ts";
import { readSettings } from "../process/config.ts";
import type { Io } from "../process/io.ts";

export interface BulkFlags {
  global: GlobalOptions;
  format: BulkFormat;
  map: readonly string[];
  set: readonly string[];
  concurrency: number;
  isOpenResent: boolean;
  /** Whether to send nothing and only report the status of each row (--status). */
  asksStatus: boolean;
  /** Whether to skip rows that were sent before (--only-new). */
  isOnlyNew: boolean;
  /** Value of `--run`: a word that names a deliberate repeat of the list. */
  word: string | undefined;
  /** Whether the API key belongs to the account that started the list (--same-account). */
  isSameAccount: boolean;
}

const FORMATS = ["table", "json", "jsonl"] as const;

/** `table` prints nothing on standard output, `json` a summary at the end, `jsonl` a line per outcome. */
export type BulkFormat = (typeof FORMATS)[number];

/** Global flags that make no sense for many requests, and their alternatives. */
const ONE_ANSWER_FLAGS = [
  ["curl", "--curl", "shows one request, but this command makes many; use --dry-run to count them"],
  ["bodyFile", "--body-file", "is for one request; here each row is a request body"],
  ["query", "--query", "works on one response; pipe -o jsonl to a filter such as jq"],
  ["columns", "--columns", "works on one response; -o jsonl prints every field of each outcome"],
  [
    "verbose",
    "--verbose",
    "traces one request; -o jsonl prints each outcome, with the request id of those that failed",
  ],
  ["out", "--out", "works on one response; redirect standard output instead"],
  ["idempotencyKey", "--idempotency-key", "is for one request; here the key of each row is made from its content"],
] as const;

/** @throws {InputError} Naming every flag with an invalid value. */
export function readBulkFlags(
  { flags, globalFlags }: CommandLine,
  io: Io,
  words: string,
  record: OperationRecord,
): BulkFlags {
  const settings = readSettings(io.env);
  const { output, columns: _refusedBelow, ...others } = withProfileDefaults(globalFlags, settings);
  const { options, faults } = readGlobalOptions(others, { output: undefined }, { ...record, idempotent: true });
  const bulk = {
    global: options,
    format: readFormat(globalFlags.output, settings.output ?? output, faults),
    map: texts(flags.map),
    set: texts(globalFlags.set),
    concurrency: readConcurrency(flags.concurrency, faults),
    isOpenResent: flags.resendOpen === true,
    asksStatus: flags.status === true,
    isOnlyNew: flags.onlyNew === true,
    word: readWord(flags.run, faults),
    isSameAccount: flags.sameAccount === true,
  };
  for (const [name, where, message] of ONE_ANSWER_FLAGS)
    if (globalFlags[name] !== undefined) faults.push({ where, message });
  if (faults.length > 0) throw new InputError(faults, [], [`Run \`msgctl ${words} --help\`.`]);
  return bulk;
}

function readFormat(flag: unknown, preset: unknown, faults: Fault[]): BulkFormat {
  const format = wordAmong(String(flag ?? preset ?? "table"), FORMATS);
  if (format !== undefined) return format;
  // A preset format applies to all commands. Ignore it if this command does not support it.
  if (typeof flag !== "string") return "table";
  const message = `received ${JSON.stringify(flag)}; expected one of ${FORMATS.join(", ")}${didYouMean(flag, FORMATS)}`;
  faults.push({ where: "--output", message });
  return "table";
}

const LONGEST_WORD = 60;

function readWord(value: unknown, faults: Fault[]): string | undefined {
  if (typeof value !== "string") return undefined;
  if (value.trim() !== "" && value.length <= LONGEST_WORD) return value;
  const message = `received ${JSON.stringify(value)}; expected a word of 1 to ${LONGEST_WORD} characters, such as 2026-12-01`;
  faults.push({ where: "--run", message });
  return undefined;
}

function readConcurrency(value: unknown, faults: Fault[]): number {
  if (value === undefined) return BULK_CONCURRENCY_DEFAULT;
  const count = typeof value === "string" && /^\d+$/.test(value) ? Number(value) : 0;
  if (count >= BULK_CONCURRENCY_MINIMUM && count <= BULK_CONCURRENCY_MAXIMUM) return count;
  const message = `received ${JSON.stringify(value)}; expected an integer from ${BULK_CONCURRENCY_MINIMUM} to ${BULK_CONCURRENCY_MAXIMUM}`;
  faults.push({ where: "--concurrency", message });
  return BULK_CONCURRENCY_DEFAULT;
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
