import { abbreviateKey } from "../../call/access/credential-form.ts";
import { locateAccess } from "../../call/access/resolve-access.ts";
import { checkCredential } from "../../call/check-credential.ts";
import { CliError } from "../../failures/errors.ts";
import type { CommandRun } from "../../model/catalog.ts";
import { openLine } from "../../operation/open-line.ts";
import { EXIT } from "../../process/exit-codes.ts";

export const runAuthStatus: CommandRun = async (line, io, context) => {
  const { settings, options, refuse, print } = await openLine(line, io, context);
  refuse([]);
  const { access, origin } = locateAccess(options, settings, io.cwd);
  let failure: unknown;
  if (line.flags.check !== false) {
    failure = await checkCredential(access, { timeoutMs: options.timeoutMs, io, context }).catch((error) => error);
  }
  const { profile = null, source, store, location } = origin;
  const accepted = line.flags.check === false ? null : verdict(failure);
  const found = { profile, source, store, location, apiKey: abbreviateKey(access.apiKey), baseUrl: access.baseUrl };
  await print({ ...found, accepted });
  if (failure !== undefined) throw failure;
};

/** Whether the service accepts the credential; null if it did not answer or was not asked. */
function verdict(failure: unknown): boolean | null {
  if (failure === undefined) return true;
  return failure instanceof CliError && failure.exitCode === EXIT.auth ? false : null;
}
