import { toStoredProvisioning } from "../operations/provisioning.ts";
import { requirePrivateFile } from "../platform/private-files.ts";
import { readSecretKeys } from "../settings/config.ts";
import { replaceProvisioning } from "../store/provisioning.ts";
import { findTenant } from "../store/tenants.ts";
import { withKnownStore } from "./database.ts";
import type { CommandEnvironment, DataFlags } from "./environment.ts";
import { readJsonFile } from "./json-file.ts";
import { type OutputFormat, print } from "./output.ts";
import { requireProvisioning } from "./provisioning-file.ts";
import { readTenantId } from "./tenancy.ts";

/**
 * `msgd provisioning import`: replaces the tenant's provisioning with the file's, in one transaction, and prints the
 * counts. Throws with every fault of the file. A running server uses the new data at once.
 */
export async function runProvisioningImport(
  file: string,
  flags: DataFlags & { output: OutputFormat; tenant: string },
  environment: CommandEnvironment,
): Promise<void> {
  const tenantId = readTenantId(flags.tenant);
  const secretKeys = readSecretKeys(environment.env);
  const document = requireProvisioning(readJsonFile(file), tenantId);
  const hasPasswords = document.sipUsers.some(({ password }) => password !== null);
  if (hasPasswords) requirePrivateFile(file);
  await withKnownStore(flags, environment, async (store, { database, folder, openSecretBox }) => {
    const { seal } = await openSecretBox(store);
    const stored = toStoredProvisioning(document, seal);
    await store.write(async (tx) => {
      if ((await findTenant(tx, tenantId)) === undefined) {
        throw new Error(`there is no tenant ${tenantId}: msgd tenants list shows them`);
      }
      await replaceProvisioning(tx, tenantId, stored, environment.clock.now());
    });
    print(environment.output, flags.output, {
      tenantId: String(tenantId),
      sipUsers: document.sipUsers.length,
      phoneNumbers: document.phoneNumbers.length,
      ringGroups: document.ringGroups.length,
      menus: document.menus.length,
    });
    if ("file" in database && secretKeys.length === 0 && hasPasswords) {
      environment.output.err(
        `Passwords are sealed with the key in ${folder.path}. Set MSGD_SECRET_KEY to keep it away from the database.\n`,
      );
    }
  });
}
