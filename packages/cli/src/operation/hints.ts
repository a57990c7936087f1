import { CliError } from "../failures/errors.ts";
import type { GlobalOptions } from "../flags/global-options.ts";
import type { Catalog } from "../model/catalog.ts";
import type { OperationRecord } from "../model/record.ts";
import type { RawValues } from "../model/request.ts";
import { readField } from "../output/fields.ts";
import { shellWord } from "../process/shell-word.ts";

/** The command that failed. */
export interface Failed {
  record: OperationRecord;
  values: RawValues;
  /** The body as sent, with values from flags, files and answers. */
  body: unknown;
  error: CliError;
  /** Global flags of the line that the hinted command must repeat: `--profile demo`. */
  access: string;
}

/**
 * Turns a hint of the contract into a command that users can run: `<merchantId>` becomes that field's value in the failed
 * command or the reply; `<group>` and `<command>` become the command's name; `<SMS|VOICE|EMAIL>` and
 * `<sms-limit|email-limit>` become the choice that matches the command's name (`send sms`) or the reply's channel.
 * Other placeholders are left for the user.
 */
export function fillHint(hint: string, failed: Failed): string {
  return hint
    .replace(/<([A-Za-z|-]+)>/g, (placeholder, name: string) => {
      return (name.includes("|") ? choose(name.split("|"), failed) : fill(name, failed)) ?? placeholder;
    })
    .replace(/`(msgctl [^`]*)`/g, (quoted, command: string) => {
      return command.endsWith(" --help") ? quoted : `\`${command}${failed.access}\``;
    })
    .replaceAll("Idempotency-Key", "--idempotency-key");
}

function choose(names: readonly string[], { record, error }: Failed): string | undefined {
  const words = [...record.name.toUpperCase().split("-"), error.details.reply?.channel];
  return names.find((name) => name.split("-").some((part) => words.includes(part.toUpperCase())));
}

function fill(field: string, { record, values, body, error }: Failed): string | undefined {
  if (field === "group" || field === "command") return field === "group" ? record.group : record.name;
  const input = record.inputs.find(({ path, secret }) => path.at(-1) === field && !secret);
  const given = input?.in === "body" ? readField(body, input.path.join(".")) : values.get(input?.name ?? "");
  return toWord(given) ?? toWord(error.details.reply?.[field]);
}

function toWord(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number" ? shellWord(String(value)) : undefined;
}

/** Adds the contract's hint to the thrown error. */
export async function withContractHint(error: unknown, command: Omit<Failed, "error">, catalog: Catalog) {
  if (!(error instanceof CliError) || error.details.status === undefined) return error;
  const hint = await catalog.hint(error.code);
  if (hint === undefined) return error;
  const hints = [fillHint(hint, { ...command, error }), ...(error.details.hints ?? [])];
  return new CliError(error.exitCode, error.code, error.message, { ...error.details, hints });
}

/** Formats the flags with which another command reaches the same service as the same caller. */
export function accessFlags({ profile, baseUrl }: Pick<GlobalOptions, "profile" | "baseUrl">): string {
  const flags = { "--profile": profile, "--base-url": baseUrl };
  return Object.entries(flags)
    .map(([flag, value]) => (value === undefined ? "" : ` ${flag} ${shellWord(value)}`))
    .join("");
}
