import type { Inspection } from "../store/databases.ts";
import { withDatabase } from "./database.ts";
import type { CommandEnvironment, DataFlags } from "./environment.ts";
import { countOthers } from "./installation.ts";
import type { Output } from "./output.ts";

const olderTables = "The tables are of an earlier msgd: run msgd migrate, then verify the data.\n";

/**
 * `msgd verify`: checks the database and the invariants of its data, in one snapshot, even beside a running
 * server. Prints a line for each check. Throws unless all hold, after printing the faults.
 */
export async function runVerify(flags: DataFlags, environment: CommandEnvironment): Promise<void> {
  await withDatabase(flags, environment, async ({ database, name, findSealPrefix }) => {
    const inspection = await environment.databases.inspect(database, environment.clock.now());
    const broken = report(inspection, environment.output);
    environment.output.err(describeUnknown(inspection));
    environment.output.err(describeSeals(inspection, findSealPrefix));
    if (inspection.age === "older") environment.output.err(olderTables);
    if (inspection.age === "newer") throw new Error("the tables are of a newer msgd: verify them with that one");
    if (inspection.age === undefined) throw new Error(`${name} is no database of msgd`);
    if (broken > 0) {
      const checks = broken === 1 ? "1 check does" : `${broken} checks do`;
      const help =
        "url" in database
          ? "keep a dump of it, put a backup back, and then run msgd restore --mark"
          : "keep a copy of the folder, and put a backup back with msgd restore";
      throw new Error(`${checks} not hold in ${name}: ${help}`);
    }
  });
}

/** Prints each check and its faults. Returns how many do not hold. */
export function report({ reports }: Pick<Inspection, "reports">, output: Output): number {
  for (const { name, faults } of reports) {
    output.out(`${faults.length === 0 ? "ok    " : "WRONG "} ${name}\n`);
    for (const fault of faults) output.out(`         ${describe(fault)}\n`);
  }
  return reports.filter(({ faults }) => faults.length > 0).length;
}

/** Describes what no check of the data can find out, because only the carriers know it. */
function describeUnknown({ restoration }: Inspection): string {
  const common = "Not known from the data: what carriers did that they have not told of yet.\n";
  if (restoration === undefined) return common;
  const { restoredAt, messages, calls, payments } = restoration;
  const moment = new Date(restoredAt).toISOString();
  const cause = "a backup was put back, or a carrier did not say what it had";
  const known = `${common}At ${moment} it may have been older than its carriers: ${cause}.\n`;
  const doubts = [count(messages, "message"), count(calls, "call"), count(payments, "payment")].flat();
  if (doubts.length === 0) return known;
  return `${known}Of what it held, in doubt still: ${doubts.join(", ")}; each is asked about before it is handed over.\n`;
}

/** Nothing is wrong with what an older key sealed, but the server needs that key for as long. */
function describeSeals({ seals }: Inspection, findPrefix: () => string | undefined): string {
  if (seals.length === 0) return "";
  const others = countOthers(seals, findPrefix());
  const secrets = others === 1 ? "1 secret is" : `${others} secrets are`;
  return others === 0
    ? ""
    : `${secrets} sealed with a key that is not the first of MSGD_SECRET_KEY: msgd secrets reseal\n`;
}

/** Returns nothing for a count of zero. */
function count(number: number, noun: string): string[] {
  return number === 0 ? [] : [`${number} ${noun}${number === 1 ? "" : "s"}`];
}

function describe(fault: Readonly<Record<string, unknown>>): string {
  return Object.entries(fault)
    .map(([name, value]) => `${name} ${value ?? "-"}`)
    .join(", ");
}
