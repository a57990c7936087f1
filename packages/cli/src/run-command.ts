/** Parses and runs a command line that does more than ask for the version. */
import { CommanderError } from "commander";
import { CliError, UsageError } from "./failures/errors.ts";
import { wordAmong } from "./failures/similar.ts";
import { createPage } from "./help/page.ts";
import { asUsageError, knownWords } from "./help/usage-error.ts";
import type { Catalog } from "./model/catalog.ts";
import { asCliError, calledAs, describeFailure } from "./output/failure.ts";
import { FORMATS, type Format } from "./output/format.ts";
import { COLOURED, PLAIN } from "./output/text/style.ts";
import { hasColour, programName } from "./process/config.ts";
import { EXIT } from "./process/exit-codes.ts";
import type { Io, Sink } from "./process/io.ts";
import { createProgram } from "./program.ts";

interface World {
  io: Io;
  catalog: Catalog;
  version: string;
}

/** Returns the exit code; failures are printed on standard error. */
export async function runCommand(argv: readonly string[], { io, catalog, version }: World): Promise<number> {
  const isColoured = (sink: Sink) => !hasFlag(argv, "--no-color") && hasColour(io.env, sink);
  try {
    const page = createPage(isColoured(io.stdout), io.stdout.columns);
    const showLacking = (help: string) => {
      if (hasFlag(argv, "-v") && knownWords(argv, catalog).length === 0) throw onlyVerbose();
      io.stdout.write(help);
    };
    await createProgram({ catalog, io, page, version, showLacking }).parseAsync(argv, { from: "user" });
    return EXIT.ok;
  } catch (error) {
    const failure = ofSignal(await understand(error, argv, catalog), io);
    if (failure === undefined) return EXIT.ok;
    const style = isColoured(io.stderr) ? COLOURED : PLAIN;
    const width = io.stderr.isTTY ? io.stderr.columns : undefined;
    const shown = calledAs(programName(io.env), failure);
    io.stderr.write(describeFailure(shown, await findFormat(argv, io), { style, width }));
    return failure.exitCode;
  }
}

/** The thrown value as an error to print; undefined for commander's signal that help or the version was shown. */
async function understand(error: unknown, argv: readonly string[], catalog: Catalog): Promise<CliError | undefined> {
  if (!(error instanceof CommanderError)) return asCliError(error);
  const isShown = ["commander.help", "commander.helpDisplayed", "commander.version"].includes(error.code);
  return isShown ? undefined : asUsageError(error, argv, catalog);
}

/** Elsewhere -v is the version. */
function onlyVerbose(): UsageError {
  return new UsageError("-v prints the requests of a command, but no command was given", [
    "Run `msgctl -V` for the version, or `msgctl --help` to see all commands.",
  ]);
}

/** The failure of an interrupted command with the exit code of the signal that did it. */
function ofSignal(failure: CliError | undefined, io: Io): CliError | undefined {
  if (failure?.exitCode !== EXIT.interrupted) return failure;
  const { code, message, details } = failure;
  return new CliError(io.interruptedExitCode(), code, message, details);
}

/** Reads the format by hand, since a line that failed to parse has no options but still says how to print errors. */
async function findFormat(argv: readonly string[], io: Io): Promise<Format> {
  const words = beforeEnd(argv);
  const given = words.flatMap((word, index) => {
    const value = FORMAT_FLAG.exec(word)?.[1];
    return value === undefined ? [] : [value === "" ? (words[index + 1] ?? "") : value];
  });
  const wanted = (given.at(-1) ?? io.env.MSGCTL_OUTPUT?.trim()) || (await outputSetting(words, io));
  return wordAmong(wanted ?? "", FORMATS) ?? "table";
}

async function outputSetting(words: readonly string[], io: Io): Promise<string | undefined> {
  const flag = words.findLastIndex((word) => /^--profile(?:=|$)/.test(word));
  const profile = words[flag]?.includes("=") ? words[flag].slice("--profile=".length) : words[flag + 1];
  const { profileOutput } = await import("./runtime.ts");
  return profileOutput(flag === -1 ? undefined : profile, io.env);
}

/** `-o json`, `-ojson`, `-yo json`, `--output json`, `--output=json`. */
const FORMAT_FLAG = /^(?:--output(?:=|$)|-[hvy]*o=?)(.*)$/;

function hasFlag(argv: readonly string[], flag: string): boolean {
  return beforeEnd(argv).includes(flag);
}

function beforeEnd(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf("--");
  return end === -1 ? argv : argv.slice(0, end);
}
