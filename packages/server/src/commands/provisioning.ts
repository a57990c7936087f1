import { isUtf8 } from "node:buffer";
import { readFileSync } from "node:fs";
import { toStoredProvisioning } from "../operations/provisioning.ts";
import { readSecretKey } from "../settings/config.ts";
import { replaceProvisioning } from "../store/provisioning.ts";
import { findTenant } from "../store/tenants.ts";
import { withKnownStore } from "./database.ts";
import type { CommandEnvironment, DataFlags } from "./environment.ts";
import { type OutputFormat, print } from "./output.ts";
import { parseProvisioningFile } from "./provisioning-file.ts";
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
  const secretKey = readSecretKey(environment.env);
  const document = parseProvisioningFile(readText(file), tenantId);
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
    if ("file" in database && secretKey === undefined && document.sipUsers.some(({ password }) => password !== null)) {
      environment.output.err(
        `Passwords are sealed with the key in ${folder.path}. Set MSGD_SECRET_KEY to keep it away from the database.\n`,
      );
    }
  });
}

/** Throws for invalid UTF-8, which would be read and stored as U+FFFD. */
function readText(file: string): string {
  const bytes = readBytes(file);
  if (!isUtf8(bytes)) throw new Error(`cannot read ${file}: it is not UTF-8`);
  return bytes.toString("utf8");
}

function readBytes(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    const reason = { ENOENT: "there is no such file", EISDIR: "it is a folder", EACCES: "no permission to read it" };
    throw new Error(`cannot read ${file}: ${reason[code as keyof typeof reason] ?? String(code)}`, { cause: error });
  }
}
