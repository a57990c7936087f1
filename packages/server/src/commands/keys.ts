// `msgd keys list`, `rotate` and `revoke`.

import { viewTime } from "../domain/calendar.ts";
import { isApiKey } from "../domain/tenancy/credentials.ts";
import type { RecordedCommand } from "../domain/tenancy/operator-audit.ts";
import { type ListedCredential, listCredentials, listTenants } from "../domain/tenancy/rows.ts";
import { credentialState, endCredential, rotateCredential } from "../domain/tenancy/tenants.ts";
import { ConfigError } from "../settings/config.ts";
import type { Transaction } from "../store/store.ts";
import { noteCommand } from "./command-audit.ts";
import { withKnownStore } from "./database.ts";
import {
  type CommandEnvironment,
  type OutputFlags,
  print,
  printList,
  readOptionalTenantId,
  readOverlap,
} from "./environment.ts";

/** `msgd keys list`: lists the keys of one tenant or of all, with owner, age, last use and state, but no secrets. */
export async function runKeysList(
  flags: OutputFlags & { tenant?: string },
  environment: CommandEnvironment,
): Promise<void> {
  const tenantId = readOptionalTenantId(flags);
  await withKnownStore(flags, environment, async (store) => {
    const now = environment.clock.now();
    const credentials = await store.read(async (tx) => {
      const tenantIds = tenantId === undefined ? (await listTenants(tx)).map((tenant) => tenant.tenantId) : [tenantId];
      const lists: ListedCredential[][] = [];
      for (const id of tenantIds) lists.push(await listCredentials(tx, id, now));
      return lists.flat();
    });
    const rows = credentials.map(viewCredential);
    const none = "There is no key yet: create one with msgd keys create --tenant <id>";
    printList(environment.output, { format: flags.output, rows, none, describe });
  });
}

/** `msgd keys rotate`: prints the key with a new secret, shown only once. The old one works until the overlap ends. */
export async function runKeysRotate(
  apiKey: string,
  flags: OutputFlags & { overlap: string },
  environment: CommandEnvironment,
): Promise<void> {
  requireApiKey(apiKey);
  const overlapMs = readOverlap(flags.overlap);
  await withKnownStore(flags, environment, async (store, installation) => {
    const now = environment.clock.now();
    const request = { apiKey, overlapMs, pepper: await installation.readPepper(store), now };
    const credential = await store.write(async (tx) => {
      const rotated = await rotateCredential(tx, request);
      await noteKey(tx, environment, rotated, "keys rotate");
      return rotated;
    });
    print(environment.output, flags.output, { ...credential, tenantId: String(credential.tenantId) });
    const { output } = environment;
    output.err("Store the secret now: it is not shown again.\n");
    if (overlapMs === 0) output.err("The previous secret no longer works.\n");
    else output.err(`The previous secret works until ${viewTime(now + overlapMs)}.\n`);
  });
}

/** `msgd keys revoke`: revokes the key with all its secrets, on every server within a second. */
export async function runKeysRevoke(
  apiKey: string,
  flags: OutputFlags,
  environment: CommandEnvironment,
): Promise<void> {
  requireApiKey(apiKey);
  await withKnownStore(flags, environment, async (store) => {
    const now = environment.clock.now();
    const credential = await store.write(async (tx) => {
      const ended = await endCredential(tx, apiKey, now);
      await noteKey(tx, environment, ended, "keys revoke");
      return ended;
    });
    print(environment.output, flags.output, viewCredential(credential));
  });
}

function noteKey(
  tx: Transaction,
  environment: CommandEnvironment,
  { tenantId, apiKey }: { tenantId: number; apiKey: string },
  operation: RecordedCommand,
): Promise<void> {
  return noteCommand(tx, environment, { tenantId, operation, target: `apiKey ${apiKey}` });
}

/** Throws if the text is not an API key. The error does not quote it, because it may be the secret, given by mistake. */
function requireApiKey(text: string): void {
  if (isApiKey(text)) return;
  throw new ConfigError("<key>: expected an API key (mkt_… or mkm_…): msgd keys list shows them");
}

type CredentialView = Readonly<Record<"apiKey" | "tenantId" | "createdAt" | "state", string>> &
  Readonly<Record<"merchantId" | "name" | "lastUsedAt" | "overlapEndsAt" | "revokedAt", string | null>>;

function viewCredential(credential: ListedCredential): CredentialView {
  const { apiKey, tenantId, merchantId, name, createdAt, lastUsedAt, overlapEndsAt, revokedAt } = credential;
  return {
    apiKey,
    tenantId: String(tenantId),
    merchantId,
    name,
    state: credentialState(credential),
    createdAt: viewTime(createdAt),
    lastUsedAt: viewTime(lastUsedAt),
    overlapEndsAt: viewTime(overlapEndsAt),
    revokedAt: viewTime(revokedAt),
  };
}

function describe({ apiKey, tenantId, merchantId, name, state, createdAt, lastUsedAt }: CredentialView): string {
  const owner = merchantId === null ? `tenant ${tenantId}` : `tenant ${tenantId}, merchant ${merchantId}`;
  const used = lastUsedAt === null ? "never used" : `last used ${lastUsedAt}`;
  const called = name === null ? "" : `${name}  `;
  return `${apiKey}  ${called}${state}  ${owner}  created ${createdAt}  ${used}\n`;
}
