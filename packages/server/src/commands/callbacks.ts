import { openSecretBox } from "../platform/secret-keys.ts";
import { readSecretKey } from "../settings/config.ts";
import { readCallbackSecrets, rotateCallbackSecret } from "../steps/callback-secrets.ts";
import { findTenant } from "../store/tenants.ts";
import { type OutputFormat, print } from "./output.ts";
import { readOverlap } from "./overlap.ts";
import { type CommandEnvironment, readTenantId, withKnownStore } from "./tenancy.ts";

/** `msgd callbacks secret`: prints the tenant's newest signing secret, made now if there is none or for `--rotate`. */
export async function runCallbacksSecret(
  flags: { data?: string; output: OutputFormat; tenant: string; rotate?: boolean; overlap: string },
  environment: CommandEnvironment,
): Promise<void> {
  const tenantId = readTenantId(flags.tenant);
  const overlapMs = readOverlap(flags.overlap);
  const secretKey = readSecretKey(environment.env);
  await withKnownStore(flags, environment, async (store, folder) => {
    const box = openSecretBox(folder, secretKey);
    const now = environment.clock.now();
    const [secret = "", ...older] = await store.write(async (tx) => {
      if ((await findTenant(tx, tenantId)) === undefined) {
        throw new Error(`there is no tenant ${tenantId}: msgd tenants list shows them`);
      }
      if (flags.rotate) await rotateCallbackSecret(tx, box, { tenantId, now, overlapMs });
      return readCallbackSecrets(tx, box, { tenantId, now });
    });
    print(environment.output, flags.output, { tenantId: String(tenantId), callbackSecret: secret });
    // there may be no previous secret, or one whose key was lost
    if (flags.rotate && older.length > 0) {
      const until = new Date(now + overlapMs).toISOString();
      environment.output.err(`Callbacks are signed with the secret before it, too, until ${until}.\n`);
    }
  });
}
