import { CliError } from "../failures/errors.ts";
import type { CommandContext } from "../model/catalog.ts";
import { EXIT } from "../process/exit-codes.ts";
import type { Io } from "../process/io.ts";
import type { Access } from "./access/access.ts";
import { call } from "./connection.ts";

/** A read that every credential may make. It changes nothing and is free of charge. */
const HARMLESS = "listAlerts";

/** Asks the service whether it accepts the credential. @throws {CliError} If it refuses the credential or does not answer. */
export async function checkCredential(
  access: Access,
  { timeoutMs, io, context }: { timeoutMs: number; io: Io; context: CommandContext },
): Promise<void> {
  const record = await context.catalog.record(HARMLESS);
  const request = { path: {}, query: {}, headers: {}, body: undefined };
  try {
    await call({ record, request, access, timeoutMs, signal: io.signal, idempotencyKey: undefined });
  } catch (error) {
    throw error instanceof CliError && error.exitCode === EXIT.auth ? await refused(error, access, context) : error;
  }
}

async function refused({ exitCode, code, message, details }: CliError, { baseUrl }: Access, context: CommandContext) {
  const hints = [
    `Check that the credential is for ${baseUrl}, and has not been revoked or replaced. \`msgctl auth login\` stores another.`,
  ];
  const known = await context.catalog.hint(code);
  return new CliError(exitCode, code, message, {
    ...details,
    hints: known?.includes("<") === false ? [known, ...hints] : hints,
  });
}
