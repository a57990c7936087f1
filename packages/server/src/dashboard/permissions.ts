// Which role each operation takes, and whether it is noted that somebody asked for it.

import type { OperationId as ContractOperationId } from "@msgctl/contract";
import type { Role } from "../rules/roles.ts";
import type { OperationId } from "./dashboard-api.ts";

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
