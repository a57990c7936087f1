import { resolve } from "node:path";
import { type DataFolder, lockDataFolder, openDataFolder, writePrivateFile } from "../platform/data-folder.ts";
import type { DatabaseLocation } from "../platform/database-location.ts";
import { hidePassword } from "../platform/database-url.ts";
import { SealedError } from "../platform/secret-box.ts";
import { openSecretBox } from "../platform/secret-keys.ts";
import { readSecretKeys, requireSecretKeys } from "../settings/config.ts";
import { requirePepper } from "../steps/kept-pepper.ts";
import { reseal } from "../steps/reseal.ts";
import { bringPepper, readSharedPepper } from "../steps/shared-pepper.ts";
import type { Transfer, TransferPlace } from "../store/databases.ts";
import { findInstallation as findRow, markTransferred } from "../store/installation.ts";
import { checkInvariants } from "../store/invariants.ts";
import { CommitInDoubt } from "../store/store.ts";
import { listTenants } from "../store/tenants.ts";
import { requireEmptyTables, TargetInUse } from "../store/transfer/copies.ts";
import { compareRows, copyRows, type Progress, type TableCount } from "../store/transfer/transfer-rows.ts";
import { withDataFolder } from "./data-failure.ts";
import { withDatabaseServer } from "./database-failure.ts";
import type { CommandEnvironment } from "./environment.ts";
import type { Output } from "./output.ts";
import { beginDraft, placeDraft, removeDraft } from "./transfer-draft.ts";
import { markFolder, requireFolderUntransferred, requireServerUntransferred, unmarkFolder } from "./transfer-marks.ts";
import { readRoute, type TransferFlags, type TransferRoute } from "./transfer-route.ts";
import { report } from "./verify.ts";

/** A line is printed each time that so many rows more are done. */
const ROWS_A_LINE = 100_000;

/** Parts of a transfer: the route, the names of its ends, and the keys that instances share. */
interface Surroundings extends TransferRoute {
  readonly server: string;
  readonly keys: readonly [Buffer, ...Buffer[]];
}

/**
 * `msgd transfer`: copies an installation from its data folder to a database on a server, or back, and compares every
 * row before it is kept. Throws, with the target as empty as it was and the source in use still, when anything is in the
 * way or differs; after it succeeds, the source refuses to be served.
 */
export async function runTransfer(flags: TransferFlags, environment: CommandEnvironment): Promise<void> {
  const route = readRoute(flags, environment.env);
  const keys = requireSecretKeys(readSecretKeys(environment.env));
  const surroundings = { ...route, server: hidePassword(route.url), keys };
  const run = route.isFromFolder ? transferToServer : transferToFolder;
  await withDataFolder(route.folder.path, () => withDatabaseServer(route.url, () => run(surroundings, environment)));
}

async function transferToServer(surroundings: Surroundings, environment: CommandEnvironment): Promise<void> {
  const { folder, server } = surroundings;
  const { output } = environment;
  await requireData({ file: folder.databaseFile }, folder.path, environment);
  requireFolderUntransferred(folder);
  const lock = lockDataFolder(folder);
  try {
    await requireSound({ file: folder.databaseFile }, folder.path, environment);
    const counts = await fillServer(surroundings, environment).catch((error) => {
      throw error instanceof TargetInUse
        ? new Error(`${server} is in use, ${error.message}: make an empty database for it (createdb), and name that`)
        : error;
    });
    printCounts(output, counts, `${folder.path} was transferred to ${server}`);
    output.err(
      `Start msgd with DATABASE_URL and this MSGD_SECRET_KEY. ${folder.path} is as it was, and is served no more.\n`,
    );
  } finally {
    lock.release();
  }
}

async function fillServer({ folder, url, keys }: Surroundings, environment: CommandEnvironment): Promise<TableCount[]> {
  const { clock, output } = environment;
  await prepareServer(url, environment);
  return transfer({ from: placeInFolder(folder), to: placeOnServer(url) }, environment, {
    async begin({ source, target }) {
      await bringPepper(target.tx, keys[0], await requirePepper(source.tx, folder));
    },
    async finish({ target }) {
      const box = openSecretBox(folder, keys);
      const { count, unopened } = await reseal((work) => work(target.tx), { box, now: clock.now() });
      if (unopened.length > 0) throw new SealedError(unopened.join("\n"));
      if (count > 0) output.err(`sealed anew with MSGD_SECRET_KEY: ${count} secrets\n`);
    },
    async keep({ target }) {
      markFolder(folder, url);
      try {
        await target.commit();
      } catch (error) {
        // where that is unknown, neither is served before somebody has looked
        if (!(error instanceof CommitInDoubt)) unmarkFolder(folder);
        throw error;
      }
    },
  });
}

/** Makes the tables, or brings them up to date. Throws for a database that is in use. */
async function prepareServer(url: string, { clock, databases }: CommandEnvironment): Promise<void> {
  if (await databases.exists({ url })) {
    await databases.writeUnserved(url, async (tx) => {
      const [tenant] = await listTenants(tx);
      if (tenant !== undefined) throw new TargetInUse("tenants");
    });
  }
  await databases.migrate({ url }, clock.now());
}

async function transferToFolder(surroundings: Surroundings, environment: CommandEnvironment): Promise<void> {
  const { folder, url, server, keys } = surroundings;
  const { clock, databases, output } = environment;
  await requireData({ url }, server, environment);
  const lock = lockDataFolder(openDataFolder(folder.path));
  try {
    const draft = beginDraft(folder);
    await requireSound({ url }, server, environment);
    await databases.migrate({ file: draft.databaseFile }, clock.now());
    const counts = await transfer({ from: placeOnServer(url), to: placeInFolder(draft) }, environment, {
      async begin({ source }) {
        requireServerUntransferred(url, (await findRow(source.tx))?.transferredTo ?? null);
        writePrivateFile(draft.pepperFile, await readSharedPepper(source.tx, keys));
      },
      async keep({ source, target }) {
        await target.commit();
        await markTransferred(source.tx, resolve(folder.path));
        await source.commit();
        try {
          placeDraft(folder, draft, databases.flush);
        } catch (error) {
          // where that fails too, the mark says how to take it back
          await databases.writeUnserved(url, (tx) => markTransferred(tx, null)).catch(() => {});
          throw error;
        }
      },
    });
    printCounts(output, counts, `${server} was transferred to ${folder.path}`);
    output.err(
      `Start msgd without DATABASE_URL, and with this MSGD_SECRET_KEY still: secrets are sealed with it. ${server} is as it was, and is served no more.\n`,
    );
  } finally {
    removeDraft(folder);
    lock.release();
  }
}

interface Steps {
  /** Brings what the rows need and is no row. */
  begin(transfer: Transfer): Promise<void>;
  /** Changes the rows that cannot stay as they are, once they were compared. */
  finish?(transfer: Transfer): Promise<void>;
  /** Keeps the target, and marks the source. */
  keep(transfer: Transfer): Promise<void>;
}

async function transfer(
  { from, to }: { from: TransferPlace; to: TransferPlace },
  { databases, output }: CommandEnvironment,
  { begin, finish, keep }: Steps,
): Promise<TableCount[]> {
  const opened = await databases.openTransfer(from, to);
  const { source, target, copies } = opened;
  try {
    await requireEmptyTables(target);
    await begin(opened);
    const note = createPrinter(output);
    const counts = await copyRows(opened, copies, note);
    await compareRows(opened, copies, note);
    await finish?.(opened);
    const reports = await checkInvariants(target.tx);
    if (report({ reports: reports.filter(({ faults }) => faults.length > 0) }, output) > 0) {
      throw new Error("what arrived does not stand the checks above: nothing of it is kept");
    }
    await keep(opened);
    return counts;
  } finally {
    await source.abandon();
    await target.abandon();
  }
}

function placeInFolder({ databaseFile, simulatorFile }: DataFolder): TransferPlace {
  return { database: { file: databaseFile }, ledger: { file: simulatorFile } };
}

function placeOnServer(url: string): TransferPlace {
  return { database: { url }, ledger: { url } };
}

async function requireData(database: DatabaseLocation, name: string, { databases }: CommandEnvironment): Promise<void> {
  if (!(await databases.exists(database))) throw new Error(`there is no data of msgd in ${name}: correct --from`);
}

/** Throws for data that `msgd verify` finds fault with, after printing the faults. */
async function requireSound(
  database: DatabaseLocation,
  name: string,
  { clock, databases, output }: CommandEnvironment,
): Promise<void> {
  output.err(`verifying ${name}\n`);
  const { age, reports } = await databases.inspect(database, clock.now());
  if (age === undefined) throw new Error(`${name} is no database of msgd`);
  if (age === "older") throw new Error(`the tables in ${name} are of an earlier msgd: run msgd migrate first`);
  if (age === "newer") throw new Error(`the tables in ${name} are of a newer msgd: transfer them with that one`);
  const broken = reports.filter(({ faults }) => faults.length > 0);
  if (report({ reports: broken }, output) > 0) {
    throw new Error(`${name} does not stand the checks above, as msgd verify shows them: nothing was transferred`);
  }
}

/** Returns what prints how far a long table is. */
function createPrinter(output: Output): (progress: Progress) => void {
  let step: Progress["step"] | undefined;
  return (progress) => {
    const { table, rows } = progress;
    if (progress.step !== step) output.err(progress.step === "copied" ? "copying\n" : "comparing each row\n");
    step = progress.step;
    if (rows > 0 && rows % ROWS_A_LINE === 0) output.err(`  ${table}: ${rows} rows ${step}\n`);
  };
}

function printCounts(output: Output, counts: readonly TableCount[], done: string): void {
  const filled = counts.filter(({ rows }) => rows > 0);
  const width = Math.max(...filled.map(({ table }) => table.length));
  for (const { table, rows } of filled) output.out(`${table.padEnd(width)}  ${rows}\n`);
  const all = filled.reduce((sum, { rows }) => sum + rows, 0);
  output.out(`${done}: ${all} rows, each the same at both ends\n`);
}
