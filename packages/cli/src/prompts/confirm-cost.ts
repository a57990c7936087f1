/** The last word before something that is charged for or cannot be taken back. */
import { CliError } from "../errors.ts";
import { EXIT } from "../exit-codes.ts";
import { printable } from "../output/printable.ts";
import type { OperationRecord } from "../record.ts";
import type { RawValues } from "../request.ts";
import type { Asker } from "./asker.ts";

/** What it costs is the service's to say: the contract has no prices. */
const CONSEQUENCES = {
  billable: "This is charged to the account.",
  irreversible: "This cannot be undone.",
} as const;

/** Shows what will be done, and where. @throws {CliError} With exit code 130 unless the user says yes. */
export async function confirmCost(
  record: OperationRecord,
  values: RawValues,
  baseUrl: string,
  asker: Asker,
): Promise<void> {
  if (record.cost === undefined) return;
  const given = record.inputs.filter(({ name }) => values.has(name));
  const rows = given.map(({ name, secret }) => [name, secret ? "(hidden)" : described(values.get(name))] as const);
  const nameWidth = Math.max(0, ...rows.map(([name]) => name.length));
  asker.tell(
    [
      `${record.summary}, at ${baseUrl}:`,
      ...rows.map(([name, value]) => `  ${name.padEnd(nameWidth)}  ${value}`),
      CONSEQUENCES[record.cost],
    ].join("\n"),
  );
  if (await asker.confirm("Go ahead?", false)) return;
  throw new CliError(EXIT.interrupted, "not_confirmed", "not confirmed; nothing was sent", {
    hints: ["Give -y to go ahead without being asked."],
  });
}

const LONGEST_VALUE = 200;

function described(value: string | boolean | readonly string[] | undefined): string {
  const text = typeof value === "boolean" ? (value ? "yes" : "no") : printable([value ?? ""].flat().join(", "));
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
}
