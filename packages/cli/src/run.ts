/** Turns the words of a command line into an exit code. Never throws, never exits. */

import { catalog as realCatalog } from "./catalog.ts";
import type { Catalog } from "./model/catalog.ts";
import { EXIT } from "./process/exit-codes.ts";
import type { Io } from "./process/io.ts";
import { versionLine } from "./process/version.ts";

const VERSION_WORDS = ["--version", "-V", "version"];

/** Runs `msgctl ...argv` with the environment `io`. */
export async function run(argv: readonly string[], io: Io, catalog: Catalog = realCatalog): Promise<number> {
  const version = versionLine(catalog.index.contractVersion);
  // Answered here, because scripts and prompts ask for it often and loading commander is most of such a start.
  if (argv.length === 1 && VERSION_WORDS.includes(argv[0] ?? "")) {
    io.stdout.write(`${version}\n`);
    return EXIT.ok;
  }
  // One file: each file that a start has to load costs about half a millisecond.
  const { runCommand } = await import("./run-command.ts");
  return runCommand(argv, { io, catalog, version });
}
