import { abbreviateKey } from "../access/credential-form.ts";
import { locateAccess } from "../access/resolve-access.ts";
import { CliError } from "../errors.ts";
import { EXIT } from "../exit-codes.ts";
import type { Output } from "../record.ts";
import { openLine } from "./open-line.ts";
import type { WrittenCommand } from "./written-command.ts";

const FIELDS = ["profile", "source", "store", "location", "apiKey", "baseUrl", "accepted"];
const OUTPUT: Output = { kind: "object", columns: FIELDS, fields: FIELDS, secrets: [] };

export const authStatus: WrittenCommand = {
  words: "auth status",
  description:
    "Shows which credential a command would use: its profile, where it comes from (flag, environment, profile or demo), " +
    "where it is kept, the address it is for, and whether the service accepts it. Exits with 3 when it does not, or when " +
    "there is none.",
  arguments: [],
  flags: [{ flags: "--no-check", description: "Do not ask the service." }],
  output: OUTPUT,
  examples: [
    { title: "See what is in use", argv: ["auth", "status"] },
    { title: "The same for a script", argv: ["auth", "status", "-o", "json"] },
  ],
  async run(line, io, context) {
    const { settings, options, refuse, print } = await openLine(
      { words: "auth status", output: OUTPUT },
      line,
      io,
      context,
    );
    refuse([]);
    const { access, origin } = locateAccess(options, settings, io.cwd);
    let failure: unknown;
    if (line.flags.check !== false) {
      const { checkCredential } = await import("./check-credential.ts");
      failure = await checkCredential(access, { timeoutMs: options.timeoutMs, io, context }).catch((error) => error);
    }
    const { profile = null, source, store, location } = origin;
    const accepted = line.flags.check === false ? null : verdict(failure);
    const found = { profile, source, store, location, apiKey: abbreviateKey(access.apiKey), baseUrl: access.baseUrl };
    await print({ ...found, accepted });
    if (failure !== undefined) throw failure;
  },
};

/** Null: nobody knows, since the service did not say. */
function verdict(failure: unknown): boolean | null {
  if (failure === undefined) return true;
  return failure instanceof CliError && failure.exitCode === EXIT.auth ? false : null;
}
