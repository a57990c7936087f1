/** Asks for confirmation before an operation that is billable or irreversible. */
import { CliError } from "../../failures/errors.ts";
import { printable } from "../../output/printable.ts";
import { EXIT } from "../../process/exit-codes.ts";
import type { Asker } from "../../prompts/asker.ts";
import type { TypedCommand } from "./command-line.ts";

/** The warnings name no amounts, since the contract has no prices. */
export const CONSEQUENCES = {
  billable: "This is charged to the account.",
  irreversible: "This cannot be undone.",
} as const;

/** Shows what will be sent to which service, and asks. @throws {CliError} With exit code 130 unless the user says yes. */
export async function confirmCost(
  { record, values, flags }: TypedCommand,
  baseUrl: string,
  asker: Asker,
): Promise<void> {
  if (record.cost === undefined) return;
  const given = record.inputs.filter(({ name }) => values.has(name));
  const rows = [
    ...given.map(({ name, secret }) => [name, secret ? "(hidden)" : described(values.get(name))] as const),
    ...bodyRows(flags),
  ];
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
    hints: ["Give -y to skip the question."],
  });
}

/** Formats the other sources of the body: --body-file and --set. Only the path of a --set is shown: its value may be secret. */
function bodyRows({ bodyFile, set }: TypedCommand["flags"]): (readonly [string, string])[] {
  const paths = Array.isArray(set) ? set.map((text) => String(text).split("=", 1)[0] ?? "") : [];
  return [
    ...(typeof bodyFile === "string" ? [["body-file", printable(bodyFile)] as const] : []),
    ...(paths.length === 0 ? [] : [["set", printable(paths.join(", "))] as const]),
  ];
}

const LONGEST_VALUE = 200;

/** The value on one line that a terminal can show, cut to 200 characters. */
export function described(value: string | boolean | readonly string[] | undefined): string {
  const text = typeof value === "boolean" ? (value ? "yes" : "no") : printable([value ?? ""].flat().join(", "));
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
}
