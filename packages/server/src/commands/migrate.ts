import { withDatabase } from "./database.ts";
import type { CommandEnvironment, DataFlags } from "./environment.ts";

/** `msgd migrate`: migrates the tables to this build's version, and prints each step, or that there was none. */
export async function runMigrate(flags: DataFlags, environment: CommandEnvironment): Promise<void> {
  const { clock, databases, output } = environment;
  await withDatabase(flags, environment, async ({ database }) => {
    const steps = await databases.migrate(database, clock.now());
    for (const { version, name } of steps) output.out(`${version}  ${name}\n`);
    output.err(
      steps.length === 0 ? "The database is up to date: there was nothing to do.\n" : "The database is up to date.\n",
    );
  });
}
