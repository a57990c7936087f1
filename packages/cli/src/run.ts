/** From the words of a command line to an exit code. Never throws, never exits. */

import { catalog as realCatalog } from "./catalog.ts";
import type { Catalog } from "./model/catalog.ts";
import { EXIT } from "./process/exit-codes.ts";
import type { Io } from "./process/io.ts";
import { versionLine } from "./process/version.ts";

/** Runs `msgctl ...argv` in the world of `io`. */
export async function run(argv: readonly string[], io: Io, catalog: Catalog = realCatalog): Promise<number> {
  const version = versionLine(catalog.index.contractVersion);
  // Answered here, because scripts and prompts ask for it often and commander takes most of such a start.
  if (argv.length === 1 && argv[0] === "--version") {
    io.stdout.write(`${version}\n`);
    return EXIT.ok;
  }
  // In one piece: each file that a start has to load costs it about half a millisecond.
  const { runCommand } = await import("./run-command.ts");
  return runCommand(argv, { io, catalog, version });
}
