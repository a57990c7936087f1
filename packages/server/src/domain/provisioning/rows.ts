// Stores the provisioning of tenants' phones, with sealed passwords.

import { findCount, type Transaction } from "../../store/store.ts";

export interface ProvisioningRow {
  readonly sipHost: string | null;
  readonly sipDomain: string | null;
  readonly wssUrl: string | null;
  readonly udpPort: number | null;
  readonly tlsPort: number | null;
  readonly wsPort: number | null;
  /** JSON lists. */
  readonly phoneNumbers: string;
  readonly ringGroups: string;
  readonly menus: string;
}

export interface SipUserRow {
  readonly userId: number;
  readonly email: string;
  readonly extension: string;
  readonly sipUsername: string;
  readonly sealedPassword: string | null;
  readonly agentStatus: string;
  readonly voiceEnabled: 0 | 1;
  readonly browserEnabled: 0 | 1;
  readonly forwardNumber: string | null;
}

export interface RingGroupMemberRow {
  readonly userId: number;
  readonly ringGroupId: number;
  readonly email: string;
  readonly priority: number;
  readonly enabled: 0 | 1;
  readonly agentStatus: string;
  readonly forwardNumber: string | null;
  readonly browserEnabled: 0 | 1;
  readonly browserClientIdentity: string | null;
  readonly browserActive: 0 | 1;
}

export interface Provisioning {
  readonly settings: ProvisioningRow;
  readonly users: readonly SipUserRow[];
  readonly members: readonly RingGroupMemberRow[];
}

const userColumns = `user_id AS "userId", email, extension, sip_username AS "sipUsername",
  sealed_password AS "sealedPassword", agent_status AS "agentStatus", voice_enabled AS "voiceEnabled",
  browser_enabled AS "browserEnabled", forward_number AS "forwardNumber"`;

/** Finds the tenant's settings and lists; undefined if nothing was imported. */
export function findProvisioning(tx: Transaction, tenantId: number): Promise<ProvisioningRow | undefined> {
  return tx.get<ProvisioningRow>(
    `SELECT sip_host AS "sipHost", sip_domain AS "sipDomain", wss_url AS "wssUrl", udp_port AS "udpPort",
            tls_port AS "tlsPort", ws_port AS "wsPort", phone_numbers AS "phoneNumbers", ring_groups AS "ringGroups", menus
       FROM voice_provisioning WHERE tenant_id = $1`,
    tenantId,
  );
}

/** Lists the users in the order of import. */
export function listSipUsers(tx: Transaction, tenantId: number): Promise<SipUserRow[]> {
  return tx.all<SipUserRow>(`SELECT ${userColumns} FROM sip_users WHERE tenant_id = $1 ORDER BY position`, tenantId);
}

/** Counts the tenant's SIP users and ring group members, together. */
export function countUsersAndMembers(tx: Transaction, tenantId: number): Promise<number> {
  return findCount(
    tx,
    `SELECT (SELECT COUNT(*) FROM sip_users WHERE tenant_id = $1)
          + (SELECT COUNT(*) FROM ring_group_members WHERE tenant_id = $1) AS count`,
    tenantId,
  );
}

/** Lists the ids of the tenant's users in import order, and whether each has a password. */
export function listSipUserIds(tx: Transaction, tenantId: number): Promise<{ userId: number; isSealed: 0 | 1 }[]> {
  return tx.all(
    `SELECT user_id AS "userId", CASE WHEN sealed_password IS NULL THEN 0 ELSE 1 END AS "isSealed"
       FROM sip_users WHERE tenant_id = $1 ORDER BY position`,
    tenantId,
  );
}

/** Finds the user with this id. */
export function findSipUserById(tx: Transaction, tenantId: number, userId: number): Promise<SipUserRow | undefined> {
  return tx.get<SipUserRow>(
    `SELECT ${userColumns} FROM sip_users WHERE tenant_id = $1 AND user_id = $2`,
    tenantId,
    userId,
  );
}

/** Lists the members of ring groups in import order. */
export function listRingGroupMembers(tx: Transaction, tenantId: number): Promise<RingGroupMemberRow[]> {
  return tx.all<RingGroupMemberRow>(
    `SELECT user_id AS "userId", ring_group_id AS "ringGroupId", email, priority, enabled, agent_status AS "agentStatus",
            forward_number AS "forwardNumber", browser_enabled AS "browserEnabled",
            browser_client_identity AS "browserClientIdentity", browser_active AS "browserActive"
       FROM ring_group_members WHERE tenant_id = $1 ORDER BY position`,
    tenantId,
  );
}

const userByUsername = `SELECT ${userColumns} FROM sip_users WHERE tenant_id = $1 AND sip_username = $2`;
const userByExtension = `SELECT ${userColumns} FROM sip_users WHERE tenant_id = $1 AND extension = $2`;

/** Finds the user with this username or extension. At most one matches: imports reject users that share a name. */
export async function findSipUser(tx: Transaction, tenantId: number, name: string): Promise<SipUserRow | undefined> {
  return (
    (await tx.get<SipUserRow>(userByUsername, tenantId, name)) ?? tx.get<SipUserRow>(userByExtension, tenantId, name)
  );
}

/** Like `findSipUser`, and locks the user until the transaction ends. First waits for any import, which replaces rows. */
export async function lockSipUser(tx: Transaction, tenantId: number, name: string): Promise<SipUserRow | undefined> {
  tx.lock("SELECT tenant_id FROM voice_provisioning WHERE tenant_id = $1 FOR SHARE", tenantId);
  return (
    (await tx.get<SipUserRow>(`${userByUsername} FOR UPDATE`, tenantId, name)) ??
    tx.get<SipUserRow>(`${userByExtension} FOR UPDATE`, tenantId, name)
  );
}

/** Saves a user's presence, in the user's row and in every ring group. */
export async function updatePresence(
  tx: Transaction,
  {
    tenantId,
    userId,
    agentStatus,
    registered,
  }: { tenantId: number; userId: number; agentStatus: string; registered: boolean },
): Promise<void> {
  await tx.run(
    "UPDATE sip_users SET agent_status = $3 WHERE tenant_id = $1 AND user_id = $2",
    tenantId,
    userId,
    agentStatus,
  );
  await tx.run(
    `UPDATE ring_group_members SET agent_status = $3, browser_active = $4 * browser_enabled
      WHERE tenant_id = $1 AND user_id = $2`,
    tenantId,
    userId,
    agentStatus,
    Number(registered),
  );
}

/** Replaces all of the tenant's provisioning. */
export async function replaceProvisioning(
  tx: Transaction,
  tenantId: number,
  { settings, users, members }: Provisioning,
  now: number,
): Promise<void> {
  // update this row first, without deleting it: `lockSipUser` waits for it
  await tx.run(
    `INSERT INTO voice_provisioning (tenant_id, sip_host, sip_domain, wss_url, udp_port, tls_port, ws_port,
       phone_numbers, ring_groups, menus, imported_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
     ON CONFLICT (tenant_id) DO UPDATE
       SET sip_host = $2, sip_domain = $3, wss_url = $4, udp_port = $5, tls_port = $6, ws_port = $7,
           phone_numbers = $8, ring_groups = $9, menus = $10, imported_at = $11`,
    tenantId,
    settings.sipHost,
    settings.sipDomain,
    settings.wssUrl,
    settings.udpPort,
    settings.tlsPort,
    settings.wsPort,
    settings.phoneNumbers,
    settings.ringGroups,
    settings.menus,
    now,
  );
  await tx.run("DELETE FROM ring_group_members WHERE tenant_id = $1", tenantId);
  await tx.run("DELETE FROM sip_users WHERE tenant_id = $1", tenantId);
  for (const [position, user] of users.entries()) await insertSipUser(tx, tenantId, position, user);
  for (const [position, member] of members.entries()) await insertMember(tx, tenantId, position, member);
}

function insertSipUser(tx: Transaction, tenantId: number, position: number, user: SipUserRow): Promise<number> {
  return tx.run(
    `INSERT INTO sip_users (tenant_id, user_id, position, email, extension, sip_username, sealed_password, agent_status,
       voice_enabled, browser_enabled, forward_number)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    tenantId,
    user.userId,
    position,
    user.email,
    user.extension,
    user.sipUsername,
    user.sealedPassword,
    user.agentStatus,
    user.voiceEnabled,
    user.browserEnabled,
    user.forwardNumber,
  );
}

function insertMember(
  tx: Transaction,
  tenantId: number,
  position: number,
  member: RingGroupMemberRow,
): Promise<number> {
  return tx.run(
    `INSERT INTO ring_group_members (tenant_id, user_id, ring_group_id, position, email, priority, enabled, agent_status,
       forward_number, browser_enabled, browser_client_identity, browser_active)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    tenantId,
    member.userId,
    member.ringGroupId,
    position,
    member.email,
    member.priority,
    member.enabled,
    member.agentStatus,
    member.forwardNumber,
    member.browserEnabled,
    member.browserClientIdentity,
    member.browserActive,
  );
}
