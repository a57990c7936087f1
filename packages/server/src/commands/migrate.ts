import { type DatabaseEnvironment, withDatabase } from "./database.ts";

/** `msgd migrate`: migrates the tables to this build's version, and prints each step, or that there was none. */
export async function runMigrate(flags: { data?: string }, environment: DatabaseEnvironment): Promise<void> {
  const { clock, databaseFiles, output } = environment;
  await withDatabase(flags, environment, async ({ databaseFile }) => {
    const steps = await databaseFiles.migrate(databaseFile, clock.now());
    for (const { version, name } of steps) output.out(`${version}  ${name}\n`);
    output.err(
      steps.length === 0 ? "The database is up to date: there was nothing to do.\n" : "The database is up to date.\n",
    );
  });
}
