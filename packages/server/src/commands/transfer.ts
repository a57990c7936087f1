// `msgd transfer`.

import { listTenants } from "../domain/tenancy/rows.ts";
import { bringPepper, requirePepper, reseal } from "../domain/tenancy/secrets.ts";
import { type DataFolder, locateDataFolder, lockDataFolder, openSecretBox } from "../platform/data-folder.ts";
import { findUrlFault, hasPassword, hidePassword } from "../platform/database-url.ts";
import { SealedError } from "../platform/secret-box.ts";
import { ConfigError, readDatabaseUrl, readDataFolder, readSecretKeys, requireSecretKeys } from "../settings/config.ts";
import { checkInvariants } from "../store/invariants.ts";
import { CommitInDoubt } from "../store/store.ts";
import {
  compareRows,
  copyRows,
  type Progress,
  requireEmptyTables,
  type TableCount,
  TargetInUse,
  type TransferTarget,
} from "../store/transfer/transfer.ts";
import { report } from "./backup.ts";
import { markTransferred, requireUntransferred, unmarkTransferred } from "./database.ts";
import type { CommandEnvironment, Output } from "./environment.ts";
import { withDatabaseServer, withDataFolder } from "./failures.ts";

/** Number of rows of a table after which another line of progress is printed. */
const ROWS_A_LINE = 100_000;

/** The source folder, the URL of the target database, and the keys that its instances share. */
interface Route {
  readonly folder: DataFolder;
  readonly url: string;
  readonly keys: readonly [Buffer, ...Buffer[]];
}

/**
 * `msgd transfer`: copies an installation from its data folder to a database on a server, and compares every row before the
 * commit. If anything prevents the copy or differs, throws; in that case the database is still empty and the folder still
 * usable. After a success the folder can no longer be served.
 */
export async function runTransfer(flags: { from: string; to: string }, environment: CommandEnvironment): Promise<void> {
  const { env } = environment;
  const folder = readFolder(flags.from);
  const url = readTarget(flags.to, env);
  const route = { folder, url, keys: requireSecretKeys(readSecretKeys(env)) };
  await withDataFolder(folder.path, () => withDatabaseServer(url, () => transferFolder(route, environment)));
}

function readFolder(from: string): DataFolder {
  if (from !== "postgres" && !from.includes("://")) return locateDataFolder(readDataFolder(from, {}));
  throw new ConfigError(
    "--from: expected a data folder, received a database on a server: transfer copies a folder to PostgreSQL; to copy a database, use pg_dump and pg_restore",
  );
}

/** Reads `--to`. A text with a scheme is a URL. */
function readTarget(to: string, env: NodeJS.ProcessEnv): string {
  if (to === "postgres") {
    const url = readDatabaseUrl(env);
    if (url !== undefined) return url;
    throw new ConfigError("--to postgres: uses the database that DATABASE_URL names, but DATABASE_URL is not set");
  }
  if (!to.includes("://")) {
    throw new ConfigError(
      "--to: expected postgres, or a URL, received a data folder: to copy a folder, use msgd backup and msgd restore",
    );
  }
  if (hasPassword(to)) {
    throw new ConfigError(
      "--to: received a URL with a password, which a process list would show: put the URL into DATABASE_URL and use --to postgres",
    );
  }
  const fault = findUrlFault(to);
  if (fault === undefined) return to;
  throw new ConfigError(`--to: expected postgres, or postgres://user@host:5432/name, received ${fault}`);
}

async function transferFolder(route: Route, environment: CommandEnvironment): Promise<void> {
  const { folder, url } = route;
  const { databases, output } = environment;
  const server = hidePassword(url);
  if (!(await databases.exists({ file: folder.databaseFile }))) {
    throw new Error(`there is no data of msgd in ${folder.path}: correct --from`);
  }
  requireUntransferred(folder);
  const lock = lockDataFolder(folder);
  try {
    await requireSound(folder, environment);
    const counts = await fillServer(route, environment).catch((error) => {
      throw error instanceof TargetInUse
        ? new Error(`${server} is in use, ${error.message}: create an empty database (createdb), and name that`)
        : error;
    });
    printCounts(output, counts, `${folder.path} was transferred to ${server}`);
    output.err(
      `Start msgd with DATABASE_URL and this MSGD_SECRET_KEY. ${folder.path} is unchanged, but can no longer be served.\n`,
    );
  } finally {
    lock.release();
  }
}

/** Checks the data like `msgd verify`. If there are faults, prints them and throws. */
async function requireSound(
  { path, databaseFile }: DataFolder,
  { clock, databases, output }: CommandEnvironment,
): Promise<void> {
  output.err(`verifying ${path}\n`);
  const { age, reports } = await databases.inspect({ file: databaseFile }, clock.now());
  if (age === undefined) throw new Error(`${path} is not a database of msgd`);
  if (age === "older")
    throw new Error(`the tables in ${path} belong to an older version of msgd: run msgd migrate first`);
  if (age === "newer")
    throw new Error(`the tables in ${path} belong to a newer version of msgd: transfer them with that version`);
  const broken = reports.filter(({ faults }) => faults.length > 0);
  if (report({ reports: broken }, output) > 0) {
    throw new Error(`${path} fails the checks above, as msgd verify shows them: nothing was transferred`);
  }
}

async function fillServer(route: Route, environment: CommandEnvironment): Promise<TableCount[]> {
  const { folder, url, keys } = route;
  const { databases, output } = environment;
  await prepareServer(url, environment);
  const opened = await databases.openTransfer(folder, url);
  const { source, target, copies } = opened;
  try {
    await requireEmptyTables(target);
    await bringPepper(target.tx, keys[0], await requirePepper(source.tx, folder));
    const note = createPrinter(output);
    const counts = await copyRows(opened, copies, note);
    await compareRows(opened, copies, note);
    await resealSecrets(route, target, environment);
    const reports = await checkInvariants(target.tx);
    if (report({ reports: reports.filter(({ faults }) => faults.length > 0) }, output) > 0) {
      throw new Error("the copied data fails the checks above: the copy was discarded");
    }
    await keep(route, target);
    return counts;
  } finally {
    await source.abandon();
    await target.abandon();
  }
}

/** Creates or migrates the tables. Throws if the database is in use. */
async function prepareServer(url: string, { clock, databases }: CommandEnvironment): Promise<void> {
  if (await databases.exists({ url })) {
    await databases.writeUnserved(url, async (tx) => {
      const [tenant] = await listTenants(tx);
      if (tenant !== undefined) throw new TargetInUse("tenants");
    });
  }
  await databases.migrate({ url }, clock.now());
}

/** Reseals the secrets, after the rows were compared: from the folder's key to the key that instances share. */
async function resealSecrets(
  { folder, keys }: Route,
  { tx }: TransferTarget,
  { clock, output }: CommandEnvironment,
): Promise<void> {
  const box = openSecretBox(folder, keys);
  const { count, unopened } = await reseal((work) => work(tx), { box, now: clock.now() });
  if (unopened.length > 0) throw new SealedError(unopened.join("\n"));
  if (count > 0) output.err(`resealed with MSGD_SECRET_KEY: ${count} secrets\n`);
}

async function keep({ folder, url }: Route, target: TransferTarget): Promise<void> {
  markTransferred(folder, url);
  try {
    await target.commit();
  } catch (error) {
    // if the outcome of the commit is unknown, the folder stays marked until an operator has checked
    if (!(error instanceof CommitInDoubt)) unmarkTransferred(folder);
    throw error;
  }
}

/** Returns a function that prints the progress of a long table. */
function createPrinter(output: Output): (progress: Progress) => void {
  let phase: Progress["phase"] | undefined;
  return (progress) => {
    const { table, rows } = progress;
    if (progress.phase !== phase) output.err(progress.phase === "copied" ? "copying\n" : "comparing each row\n");
    phase = progress.phase;
    if (rows > 0 && rows % ROWS_A_LINE === 0) output.err(`  ${table}: ${rows} rows ${phase}\n`);
  };
}

function printCounts(output: Output, counts: readonly TableCount[], done: string): void {
  const filled = counts.filter(({ rows }) => rows > 0);
  const width = Math.max(...filled.map(({ table }) => table.length));
  for (const { table, rows } of filled) output.out(`${table.padEnd(width)}  ${rows}\n`);
  const all = filled.reduce((sum, { rows }) => sum + rows, 0);
  output.out(`${done}: ${all} rows, each the same at both ends\n`);
}
