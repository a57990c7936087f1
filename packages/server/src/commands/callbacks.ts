import { readCallbackSecrets, rotateCallbackSecret } from "../steps/callback-secrets.ts";
import { withKnownStore } from "./database.ts";
import type { CommandEnvironment, OutputFlags } from "./environment.ts";
import { readOverlap, readTenantId } from "./flags.ts";
import { print } from "./output.ts";
import { requireTenantIn } from "./tenancy.ts";

/** `msgd callbacks secret`: prints the tenant's newest signing secret, made now if there is none or for `--rotate`. */
export async function runCallbacksSecret(
  flags: OutputFlags & { tenant: string; rotate?: boolean; overlap: string },
  environment: CommandEnvironment,
): Promise<void> {
  const tenantId = readTenantId(flags.tenant);
  const overlapMs = readOverlap(flags.overlap);
  await withKnownStore(flags, environment, async (store, installation) => {
    const box = await installation.openSecretBox(store);
    const now = environment.clock.now();
    const [secret = "", ...older] = await store.write(async (tx) => {
      await requireTenantIn(tx, tenantId);
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
