// `msgd provisioning import`.

import { schemas } from "@msgctl/contract/schemas";
import { type ProvisioningView, toStoredProvisioning } from "../domain/provisioning/operations.ts";
import { replaceProvisioning } from "../domain/provisioning/rows.ts";
import { findProvisioningFaults } from "../domain/provisioning/rules.ts";
import { requireTenant } from "../domain/tenancy/tenants.ts";
import { requirePrivateFile } from "../platform/data-folder.ts";
import { readSecretKeys } from "../settings/config.ts";
import { noteCommand } from "./command-audit.ts";
import { withKnownStore } from "./database.ts";
import { type CommandEnvironment, type OutputFlags, print, readTenantId } from "./environment.ts";
import { findShapeFaults, readJsonFile, requireFaultless } from "./json-file.ts";

/**
 * `msgd provisioning import`: replaces the tenant's provisioning with that of the file, in one transaction, and prints the
 * counts. Reports all faults of the file at once. A running server uses the new data at once.
 */
export async function runProvisioningImport(
  file: string,
  flags: OutputFlags & { tenant: string },
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
    const counts = {
      sipUsers: document.sipUsers.length,
      phoneNumbers: document.phoneNumbers.length,
      ringGroups: document.ringGroups.length,
      menus: document.menus.length,
    };
    await store.write(async (tx) => {
      await requireTenant(tx, tenantId);
      await replaceProvisioning(tx, tenantId, stored, environment.clock.now());
      const target = Object.entries(counts).map(([name, count]) => `${name} ${count}`);
      await noteCommand(tx, environment, { tenantId, operation: "provisioning import", target: target.join(", ") });
    });
    print(environment.output, flags.output, { tenantId: String(tenantId), ...counts });
    if ("file" in database && secretKeys.length === 0 && hasPasswords) {
      environment.output.err(
        `Passwords are sealed with the key in ${folder.path}. To keep the key apart from the database, set MSGD_SECRET_KEY.\n`,
      );
    }
  });
}

/**
 * Checks a document against the schema of getVoiceProvisioning's reply and further rules. If there are faults, throws an error
 * that has a line for each fault, with the fault's JSON pointer.
 */
export function requireProvisioning(document: unknown, tenantId: number): ProvisioningView {
  const shape = findShapeFaults(document, closed(schemas.V1VoiceProvisioningResponse) as object);
  requireFaultless([...shape, ...findProvisioningFaults(document, tenantId)], "nothing was imported");
  return document as ProvisioningView;
}

/** Makes the schema refuse additional fields. In a reply these are extensions, but in a file they are typos. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== "object" || schema === null) return schema;
  const members = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closed(value)]));
  return "properties" in members ? { ...members, additionalProperties: false } : members;
}
