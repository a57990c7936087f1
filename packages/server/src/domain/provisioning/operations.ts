// Operations on voice provisioning: the imported data, the directory that FreeSWITCH queries, and user presence.

import type { OperationContext } from "../context.ts";
import type { Handlers, OperationResult } from "../handler.ts";
import { Refusal } from "../refusal.ts";
import { tenantOnly } from "../tenancy/access.ts";
import { bindPassword } from "../tenancy/credentials.ts";
import { notePresence } from "./presence.ts";
import {
  countUsersAndMembers,
  findProvisioning,
  findSipUser,
  findSipUserById,
  listRingGroupMembers,
  listSipUserIds,
  listSipUsers,
  type Provisioning,
  type ProvisioningRow,
  type RingGroupMemberRow,
  type SipUserRow,
} from "./rows.ts";
import { directoryDocument, hashA1, isOfDomain, isXmlText, notFoundDocument, splitSipName } from "./rules.ts";

export type ProvisioningView = OperationResult<"getVoiceProvisioning">;
type SipUserView = ProvisioningView["sipUsers"][number];
type NumberView = ProvisioningView["phoneNumbers"][number];
type MemberView = ProvisioningView["ringGroups"][number]["members"][number];
/** A ring group as stored. Its members are separate rows, because presence changes them. */
type KeptGroup = Omit<ProvisioningView["ringGroups"][number], "members">;

/** Users and members handled in one turn of the event loop. That takes 3 ms, half of it for opening passwords. */
const MOST_AT_ONCE = 100;

const nothingImported: ProvisioningRow = {
  sipHost: null,
  sipDomain: null,
  wssUrl: null,
  udpPort: null,
  tlsPort: null,
  wsPort: null,
  phoneNumbers: "[]",
  ringGroups: "[]",
  menus: "[]",
};

export const provisioningHandlers: Handlers<"getVoiceProvisioning" | "getDirectoryEntry" | "reportSipPresence"> = {
  getVoiceProvisioning: {
    authorize: tenantOnly,
    async read(context) {
      const users = await listSipUsers(context.tx, context.caller.tenantId);
      return { ...(await readAllButUsers(context)), sipUsers: users.map((user) => viewUser(context, user)) };
    },
    itemwise: {
      member: "sipUsers",
      isNeeded: async ({ tx, caller }) => (await countUsersAndMembers(tx, caller.tenantId)) > MOST_AT_ONCE,
      async read(context) {
        const users = await listSipUserIds(context.tx, context.caller.tenantId);
        // all passwords are sealed with one key: open one first, so that a missing key fails before any item is sent
        const sealed = users.find(({ isSealed }) => isSealed === 1);
        if (sealed !== undefined) await readUser(context, sealed.userId);
        return {
          frame: await readAllButUsers(context),
          ids: users.map(({ userId }) => userId),
          readItem: (userId) => readUser(context, userId),
        };
      },
    },
  },

  getDirectoryEntry: {
    authorize: tenantOnly,
    async read(context, { path }) {
      // no user can have such a name, and not every database accepts it in a query
      if (!isXmlText(path.identifier)) return notFoundDocument;
      const { name, domain } = splitSipName(path.identifier);
      const { tenantId } = context.caller;
      const settings = await findProvisioning(context.tx, tenantId);
      if (settings === undefined || settings.sipDomain === null) return notFoundDocument;
      if (!isOfDomain(domain, settings.sipDomain)) return notFoundDocument;
      const user = await findSipUser(context.tx, tenantId, name);
      if (user === undefined || user.voiceEnabled === 0 || user.sealedPassword === null) return notFoundDocument;
      const password = openPassword(context, user, user.sealedPassword);
      const primary = (JSON.parse(settings.phoneNumbers) as NumberView[]).find((number) => number.primary);
      return directoryDocument({
        domain: settings.sipDomain,
        sipUsername: user.sipUsername,
        extension: user.extension,
        credential:
          context.settings.directoryCredential === "password"
            ? { name: "password", value: password }
            : { name: "a1-hash", value: hashA1(name, settings.sipDomain, password) },
        accountCode: String(tenantId),
        outboundName: primary?.label ?? null,
        outboundNumber: primary?.e164Number ?? null,
      });
    },
  },

  reportSipPresence: {
    authorize: tenantOnly,
    async write({ tx, caller }, { body }) {
      const userId = await notePresence(tx, caller.tenantId, body);
      if (userId === undefined) throw sipUserNotFound(body.sipUsername);
      return { result: undefined, reference: { userId } };
    },
    replay: async () => undefined,
  },
};

async function readAllButUsers({ tx, caller }: OperationContext): Promise<ProvisioningView> {
  const { tenantId } = caller;
  const { phoneNumbers, ringGroups, menus, ...plain } = (await findProvisioning(tx, tenantId)) ?? nothingImported;
  const members = await listRingGroupMembers(tx, tenantId);
  return {
    tenantId,
    ...plain,
    sipUsers: [],
    phoneNumbers: JSON.parse(phoneNumbers),
    ringGroups: (JSON.parse(ringGroups) as KeptGroup[]).map((group) => ({
      ...group,
      members: members.filter(({ ringGroupId }) => ringGroupId === group.id).map(viewMember),
    })),
    menus: JSON.parse(menus),
  };
}

async function readUser(context: OperationContext, userId: number): Promise<SipUserView> {
  const user = await findSipUserById(context.tx, context.caller.tenantId, userId);
  if (user === undefined) throw new Error("a SIP user is missing from the snapshot that lists it");
  return viewUser(context, user);
}

function viewUser(context: OperationContext, user: SipUserRow): SipUserView {
  const { sealedPassword, voiceEnabled, browserEnabled, ...plain } = user;
  return {
    ...plain,
    password: sealedPassword === null ? null : openPassword(context, user, sealedPassword),
    voiceEnabled: voiceEnabled === 1,
    browserEnabled: browserEnabled === 1,
  };
}

function viewMember({
  ringGroupId: _group,
  enabled,
  browserEnabled,
  browserActive,
  ...plain
}: RingGroupMemberRow): MemberView {
  return {
    ...plain,
    enabled: enabled === 1,
    browserEnabled: browserEnabled === 1,
    browserActive: browserActive === 1,
  };
}

/** Converts a provisioning document to its stored form. `seal` seals a password with its binding. */
export function toStoredProvisioning(
  view: ProvisioningView,
  seal: (password: string, binding: string) => string,
): Provisioning {
  const { tenantId, sipUsers, ringGroups, phoneNumbers, menus } = view;
  const { sipHost, sipDomain, wssUrl, udpPort, tlsPort, wsPort } = view;
  return {
    settings: {
      ...{ sipHost, sipDomain, wssUrl, udpPort, tlsPort, wsPort },
      phoneNumbers: JSON.stringify(phoneNumbers),
      ringGroups: JSON.stringify(ringGroups.map(({ members: _members, ...group }) => group)),
      menus: JSON.stringify(
        menus.map((menu) => ({ ...menu, options: menu.options.toSorted((a, b) => a.sortOrder - b.sortOrder) })),
      ),
    },
    users: sipUsers.map(({ password, voiceEnabled, browserEnabled, ...user }) => ({
      ...user,
      agentStatus: String(user.agentStatus),
      sealedPassword: password === null ? null : seal(password, bindPassword(tenantId, user.userId)),
      voiceEnabled: voiceEnabled ? 1 : 0,
      browserEnabled: browserEnabled ? 1 : 0,
    })),
    members: ringGroups.flatMap(({ id: ringGroupId, members }) =>
      members.map(({ enabled, browserEnabled, browserActive, ...member }) => ({
        ...member,
        agentStatus: String(member.agentStatus),
        ringGroupId,
        enabled: enabled ? 1 : 0,
        browserEnabled: browserEnabled ? 1 : 0,
        browserActive: browserActive ? 1 : 0,
      })),
    ),
  };
}

function openPassword({ caller, settings }: OperationContext, { userId }: SipUserRow, sealed: string): string {
  try {
    return settings.openSecret(sealed, bindPassword(caller.tenantId, userId));
  } catch (error) {
    const detail =
      "The server cannot open the tenant's SIP passwords: the operator must set the secret key that sealed them.";
    throw new Refusal("unavailable", detail, {}, { cause: error });
  }
}

function sipUserNotFound(name: string): Refusal {
  return new Refusal("sip_user_not_found", `The tenant has no SIP user ${JSON.stringify(name)}.`);
}
