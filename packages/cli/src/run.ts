/** Runs a command line and returns its exit code. Never throws, and never ends the process. */

import { catalog as realCatalog } from "./catalog.ts";
import type { Catalog } from "./model/catalog.ts";
import { EXIT } from "./process/exit-codes.ts";
import type { Io } from "./process/io.ts";
import { versionLine } from "./process/version.ts";

const VERSION_WORDS = ["--version", "-V", "version"];

/** Runs `msgctl ...argv` with the environment `io`. */
export async function run(argv: readonly string[], io: Io, catalog: Catalog = realCatalog): Promise<number> {
  const version = versionLine(catalog.index.contractVersion);
  // Answer --version without loading commander, which takes most of the startup time: scripts and shell prompts often
  // ask for the version.
  if (argv.length === 1 && VERSION_WORDS.includes(argv[0] ?? "")) {
    io.stdout.write(`${version}\n`);
    return EXIT.ok;
  }
  // Load a single file: each further file would add about half a millisecond to every start.
  const { runCommand } = await import("./run-command.ts");
  return runCommand(argv, { io, catalog, version });
}
