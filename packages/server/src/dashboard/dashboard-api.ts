// The dashboard's own API as the loader reads it, and the form of its handlers.

import type { OperationId as ContractOperationId } from "@msgctl/contract";
import { schemas as contractSchemas } from "@msgctl/contract/schemas";
import {
  type BodyOf,
  type OperationId,
  operations,
  type PathOf,
  type QueryOf,
  type ResponseOf,
} from "@msgctl/dashboard/api";
import { parameterSchemas, schemas } from "@msgctl/dashboard/api/schemas";
import type { Api } from "../http/api.ts";
import type { Role } from "../rules/users.ts";
import type { Caller, EventSink, OperationContext, Visit as Visitor } from "../steps/operation.ts";

export type { OperationId } from "@msgctl/dashboard/api";

export const ownSchemas: Readonly<Record<string, object>> = schemas;

export const dashboardApi: Api<OperationId> = {
  operations,
  parameterSchemas,
  schemas: { ...contractSchemas, ...schemas },
};

export interface Input<K extends OperationId> {
  readonly path: PathOf<K>;
  readonly query: QueryOf<K>;
  readonly body: BodyOf<K>;
}

/** A user of a tenant, or whoever is on the machine of a server in development. */
export interface DashboardCaller extends Caller {
  /** Null in development. */
  readonly userId: number | null;
  /** Null in development. */
  readonly email: string | null;
  readonly role: Role;
  /** Null in development. */
  readonly sessionId: string | null;
}

/** Reads in one transaction. */
export interface Read<K extends OperationId> {
  readonly read: (
    context: OperationContext & { readonly caller: DashboardCaller },
    input: Input<K>,
  ) => Promise<ResponseOf<K>>;
}

/** Asks another part of the server. */
export interface Answer<K extends OperationId> {
  readonly answer: (caller: DashboardCaller, input: Input<K>) => Promise<ResponseOf<K>>;
}

/** Sends events. */
export interface Stream<K extends OperationId> {
  readonly stream: (caller: DashboardCaller, input: Input<K>, events: EventSink) => void;
}

/** Is of somebody who is not signed in, or no more. */
export interface Visit<K extends OperationId> {
  readonly visit: (visit: Visitor, input: Input<K>) => Promise<ResponseOf<K>>;
}

/** A handler for each operation of `Id`. */
export type DashboardHandlers<Id extends OperationId = OperationId> = {
  readonly [K in Id]: Read<K> | Answer<K> | Stream<K> | Visit<K>;
};

// Which role each operation takes, and whether it is noted that somebody asked for it.

export interface Permission {
  /** The least that may. */
  readonly role: Role;
  /** Shows recipients or secrets, or changes something. */
  readonly isAudited: boolean;
}

const look: Permission = { role: "viewer", isAudited: false };
const view: Permission = { role: "viewer", isAudited: true };
/** Support writes what somebody has said to it, gives them what is kept of them, and sends callbacks again. */
const act: Permission = { role: "agent", isAudited: true };
/** What costs money, changes the tenant, shows what phones sign in with, or who and what may come in. */
const manage: Permission = { role: "admin", isAudited: true };

export const permissions: Readonly<Record<ContractOperationId | GuardedId, Permission>> = {
  getSession: look,
  listPermissions: look,
  listRequests: look,
  listTestRecipients: look,
  listAuditEntries: { role: "admin", isAudited: false },
  getHealth: { role: "admin", isAudited: false },
  getActivity: look,
  getMonthCosts: look,
  // tells ids alone; what they lead to is a view
  findNamedThings: look,
  listProjects: look,
  searchMessages: view,
  followMessages: view,
  getMessage: view,
  getMailFrame: view,
  getRecipient: view,
  listCallbacks: view,
  getCallback: view,

  listRecipientMessages: act,
  resendCallback: act,
  eraseRecipient: manage,

  listUsers: manage,
  createUser: manage,
  resetUser: manage,
  disableUser: manage,
  setUserRole: manage,
  listKeys: manage,
  createKey: manage,
  rotateKey: manage,
  revokeKey: manage,

  listMerchants: look,
  getMerchant: look,
  listAlerts: look,
  getUsageReport: look,
  getRegistrationStatus: look,
  getTtsBatchSummary: look,
  listConsents: view,
  listTtsCalls: view,
  getTtsCall: view,
  listTtsBatchNumbers: view,

  recordConsent: act,
  simulateReply: act,

  upsertMerchant: manage,
  sendSms: manage,
  sendVoice: manage,
  sendEmail: manage,
  sendDirectSms: manage,
  sendDirectEmail: manage,
  createTtsCalls: manage,
  requestUpgrade: manage,
  registerBrand: manage,
  registerCampaign: manage,
  registerNumber: manage,
  assignNumber: manage,
  getVoiceProvisioning: manage,
  getDirectoryEntry: manage,
  reportSipPresence: manage,
};

/** Operations of those who are not signed in, or no more. */
const visits = ["signIn", "signOut", "refreshSession", "setPassword"] as const;
export type VisitId = (typeof visits)[number];
type GuardedId = Exclude<OperationId, VisitId>;

export function isVisit(operationId: OperationId): operationId is VisitId {
  return (visits as readonly OperationId[]).includes(operationId);
}
