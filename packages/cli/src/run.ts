/** From the words of a command line to an exit code. Never throws, never exits. */
import { type Catalog, catalog as realCatalog } from "./catalog.ts";
import { hasColour, programName } from "./config.ts";
import type { CliError } from "./errors.ts";
import { EXIT } from "./exit-codes.ts";
import type { Io, Sink } from "./io.ts";
import type { Format } from "./output/render.ts";
import { COLOURED, PLAIN } from "./output/style.ts";
import { versionLine } from "./version.ts";

/** Runs `msgctl ...argv` in the world of `io`. */
export async function run(argv: readonly string[], io: Io, catalog: Catalog = realCatalog): Promise<number> {
  const version = versionLine(catalog.index.contractVersion);
  // Answered here, because scripts and prompts ask for it often and commander takes most of such a start.
  if (argv.length === 1 && argv[0] === "--version") {
    io.stdout.write(`${version}\n`);
    return EXIT.ok;
  }
  const isColoured = (sink: Sink) => !hasFlag(argv, "--no-color") && hasColour(io.env, sink);
  try {
    const { createProgram } = await import("./program.ts");
    const { createPage } = await import("./help/page.ts");
    const page = createPage(isColoured(io.stdout), io.stdout.columns);
    await createProgram({ catalog, io, page, version }).parseAsync(argv, { from: "user" });
    return EXIT.ok;
  } catch (error) {
    const failure = await understand(error, argv, catalog);
    if (failure === undefined) return EXIT.ok;
    const { calledAs, describeFailure } = await import("./failure.ts");
    const style = isColoured(io.stderr) ? COLOURED : PLAIN;
    const width = io.stderr.isTTY ? io.stderr.columns : undefined;
    io.stderr.write(describeFailure(calledAs(programName(io.env), failure), formatOf(argv, io), { style, width }));
    return failure.exitCode;
  }
}

/** What was thrown as an error to print; undefined for commander's way of saying that help or the version was shown. */
async function understand(error: unknown, argv: readonly string[], { index }: Catalog): Promise<CliError | undefined> {
  const { CommanderError } = await import("commander");
  if (!(error instanceof CommanderError)) return (await import("./failure.ts")).asCliError(error);
  const isShown = ["commander.help", "commander.helpDisplayed", "commander.version"].includes(error.code);
  return isShown ? undefined : (await import("./usage-error.ts")).asUsageError(error, argv, index);
}

/** Read by hand, since a line that could not be parsed has no options but still says how it wants its errors. */
function formatOf(argv: readonly string[], io: Io): Format {
  const words = beforeEnd(argv);
  const wants = words.some((word, index) => {
    const value = /^(?:--output=|-o=?)(.+)$/.exec(word)?.[1];
    return (value ?? (word === "-o" || word === "--output" ? words[index + 1] : undefined)) === "json";
  });
  const decided = words.some((word) => /^(?:-o|--output(?:=|$))/.test(word));
  return wants || (!decided && io.env.MSGCTL_OUTPUT === "json") ? "json" : "table";
}

function hasFlag(argv: readonly string[], flag: string): boolean {
  return beforeEnd(argv).includes(flag);
}

function beforeEnd(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf("--");
  return end === -1 ? argv : argv.slice(0, end);
}
