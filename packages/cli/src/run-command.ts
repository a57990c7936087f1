/** Parses and runs a command line. run.ts answers --version without loading this file. */
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

/** Runs the command line. Prints errors on standard error, and returns the exit code. */
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

/** Converts a thrown value to an error to print. Returns undefined if commander has shown help or the version. */
async function understand(error: unknown, argv: readonly string[], catalog: Catalog): Promise<CliError | undefined> {
  if (!(error instanceof CommanderError)) return asCliError(error);
  const isShown = ["commander.help", "commander.helpDisplayed", "commander.version"].includes(error.code);
  return isShown ? undefined : asUsageError(error, argv, catalog);
}

/** The error for `msgctl -v`, which in many tools prints the version. */
function onlyVerbose(): UsageError {
  return new UsageError("-v prints the requests of a command, but no command was given", [
    "Run `msgctl -V` for the version, or `msgctl --help` to see all commands.",
  ]);
}

/** Gives the error of an interrupted command the exit code of the signal that interrupted it. */
function ofSignal(failure: CliError | undefined, io: Io): CliError | undefined {
  if (failure?.exitCode !== EXIT.interrupted) return failure;
  const { code, message, details } = failure;
  return new CliError(io.interruptedExitCode(), code, message, details);
}

/** Finds the format for errors without commander, since a line that it could not parse has no options. */
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

/** Matches `-o json`, `-ojson`, `-yo json`, `--output json` and `--output=json`. */
const FORMAT_FLAG = /^(?:--output(?:=|$)|-[hvy]*o=?)(.*)$/;

function hasFlag(argv: readonly string[], flag: string): boolean {
  return beforeEnd(argv).includes(flag);
}

function beforeEnd(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf("--");
  return end === -1 ? argv : argv.slice(0, end);
}
