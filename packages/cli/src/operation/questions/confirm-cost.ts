/** Asks for confirmation before something that is billable or cannot be undone. */
import { CliError } from "../../failures/errors.ts";
import { printable } from "../../output/printable.ts";
import { EXIT } from "../../process/exit-codes.ts";
import type { Asker } from "../../prompts/asker.ts";
import type { TypedCommand } from "./command-line.ts";

/** No amounts: prices are up to the service, the contract has none. */
export const CONSEQUENCES = {
  billable: "This is charged to the account.",
  irreversible: "This cannot be undone.",
} as const;

/** Shows what will be done, and where. @throws {CliError} With exit code 130 unless the user says yes. */
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

/** Other sources of the body; a --set value may be secret, its path is not. */
function bodyRows({ bodyFile, set }: TypedCommand["flags"]): (readonly [string, string])[] {
  const paths = Array.isArray(set) ? set.map((text) => String(text).split("=", 1)[0] ?? "") : [];
  return [
    ...(typeof bodyFile === "string" ? [["body-file", printable(bodyFile)] as const] : []),
    ...(paths.length === 0 ? [] : [["set", printable(paths.join(", "))] as const]),
  ];
}

const LONGEST_VALUE = 200;

function described(value: string | boolean | readonly string[] | undefined): string {
  const text = typeof value === "boolean" ? (value ? "yes" : "no") : printable([value ?? ""].flat().join(", "));
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
}
