import { rmSync } from "node:fs";
import { lockDataFolder } from "../platform/data-folder.ts";
import { withDatabase } from "./database.ts";
import { describeDoubts } from "./doubts.ts";
import type { CommandEnvironment, DataFlags } from "./environment.ts";

/**
 * `msgd restore --mark`: marks what waits in a database that was put back by other means than `msgd restore`, so that
 * it is asked about before it is sent. Throws, with nothing changed, while a server runs on the database.
 */
export async function runRestoreMark(flags: DataFlags, environment: CommandEnvironment): Promise<void> {
  const { clock, databases, output } = environment;
  await withDatabase(flags, environment, async ({ database, folder, name }) => {
    const lock = "file" in database ? lockDataFolder(folder) : undefined;
    try {
      await databases.migrate(database, clock.now());
      const doubts = await databases.markRestored(database, clock.now());
      if ("file" in database) rmSync(folder.markFile, { force: true });
      output.out(`${name} is marked as put back\n`);
      output.err(describeDoubts(doubts));
    } finally {
      lock?.release();
    }
  });
}
