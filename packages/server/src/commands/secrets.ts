// `msgd secrets reseal` and `msgd callbacks secret`.

import { readCallbackSecrets, rotateCallbackSecret } from "../domain/callbacks/secrets.ts";
import { EVERY_TENANT } from "../domain/tenancy/rows.ts";
import { reseal } from "../domain/tenancy/secrets.ts";
import { requireTenant } from "../domain/tenancy/tenants.ts";
import { noteCommand } from "./command-audit.ts";
import { withKnownStore } from "./database.ts";
import { type CommandEnvironment, type OutputFlags, print, readOverlap, readTenantId } from "./environment.ts";

/** `msgd secrets reseal`: reseals all secrets that are sealed with other keys, using the first key of MSGD_SECRET_KEY. */
export async function runSecretsReseal(flags: OutputFlags, environment: CommandEnvironment): Promise<void> {
  const { clock, output } = environment;
  await withKnownStore(flags, environment, async (store, installation) => {
    const box = await installation.openSecretBox(store);
    const { count, unopened } = await reseal((work) => store.write(work), { box, now: clock.now() });
    const isPepperResealed = await installation.resealPepper(store);
    const resealed = count + (isPepperResealed ? 1 : 0);
    const target = `${resealed} resealed, ${unopened.length} could not be opened`;
    await store.write((tx) =>
      noteCommand(tx, environment, { tenantId: EVERY_TENANT, operation: "secrets reseal", target }),
    );
    print(output, flags.output, { resealed, unopened: unopened.length });
    if (unopened.length > 0) throw new Error(["these secrets could not be opened:", ...unopened].join("\n"));
    const left = await installation.countOlderSeals(store, clock.now());
    if (left > 0) {
      throw new Error(
        `while this command ran, a server sealed ${left} secrets with an older key: restart every server with the new key, then run msgd secrets reseal again`,
      );
    }
    output.err("Everything is sealed with the first key. When every server has that key, remove the others.\n");
  });
}

/** `msgd callbacks secret`: prints the tenant's newest signing secret. Makes one if there is none, or for `--rotate`. */
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
      await requireTenant(tx, tenantId);
      if (flags.rotate) await rotateCallbackSecret(tx, box, { tenantId, now, overlapMs });
      const target = flags.rotate ? `rotated, overlap ${flags.overlap}` : "shown";
      await noteCommand(tx, environment, { tenantId, operation: "callbacks secret", target });
      return readCallbackSecrets(tx, box, { tenantId, now });
    });
    print(environment.output, flags.output, { tenantId: String(tenantId), callbackSecret: secret });
    // there may be no previous secret, or its key may be lost
    if (flags.rotate && older.length > 0) {
      const until = new Date(now + overlapMs).toISOString();
      environment.output.err(`Callbacks are also signed with the previous secret until ${until}.\n`);
    }
  });
}
