// Records the presence of SIP users when their phones register and unregister.

import type { Transaction } from "../../store/store.ts";
import type { AgentStatus } from "../transitions.ts";
import { findProvisioning, lockSipUser, updatePresence } from "./rows.ts";
import { agentStatusAfter, isOfDomain, splitSipName } from "./rules.ts";

/** Records that a user's phone registered or unregistered. Returns the user's id; undefined if there is no such user. */
export async function notePresence(
  tx: Transaction,
  tenantId: number,
  { sipUsername, registered }: { sipUsername: string; registered: boolean },
): Promise<number | undefined> {
  const { name, domain } = splitSipName(sipUsername);
  const user = (await isForeign(tx, tenantId, domain)) ? undefined : await lockSipUser(tx, tenantId, name);
  if (user === undefined) return undefined;
  const agentStatus = agentStatusAfter(user.agentStatus as AgentStatus, registered);
  await updatePresence(tx, { tenantId, userId: user.userId, agentStatus, registered });
  return user.userId;
}

/** Returns whether a domain differs from that of the tenant's provisioning. */
async function isForeign(tx: Transaction, tenantId: number, domain: string | undefined): Promise<boolean> {
  if (domain === undefined) return false;
  const settings = await findProvisioning(tx, tenantId);
  return settings === undefined || settings.sipDomain === null || !isOfDomain(domain, settings.sipDomain);
}
