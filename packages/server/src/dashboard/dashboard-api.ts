// The dashboard's API, the types of its handlers, and the role that each operation requires.

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
import type { Caller, OperationContext } from "../domain/context.ts";
import type { EventSink, Visit } from "../domain/handler.ts";
import type { Role, TenantRole } from "../domain/users/rules.ts";
import type { Api } from "../http/api.ts";

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

/** A user of a tenant, an operator or, in development, anyone on the server's machine. An operator's tenant is `EVERY_TENANT`. */
export interface DashboardCaller extends Caller {
  /** Null in development, like `email` and `sessionId`. */
  readonly userId: number | null;
  readonly email: string | null;
  readonly role: Role;
  readonly sessionId: string | null;
  /** Whether the user may only set up a second factor, because the tenant requires one. */
  readonly needsSecondFactor: boolean;
}

type DashboardContext = OperationContext & { readonly caller: DashboardCaller };

/** A handler for each operation of `Id`: see `AnyRead`, `AnyAnswer`, `AnyStream` and `SessionHandler`. */
export type DashboardHandlers<Id extends OperationId = OperationId> = {
  readonly [K in Id]:
    | { readonly read: (context: DashboardContext, input: Input<K>) => Promise<ResponseOf<K>> }
    | { readonly answer: (caller: DashboardCaller, input: Input<K>) => Promise<ResponseOf<K>> }
    | { readonly stream: (caller: DashboardCaller, input: Input<K>, events: EventSink) => void }
    | {
        readonly visit: (
          visit: Visit,
          input: Input<K>,
          caller: K extends VisitId ? Caller : DashboardCaller,
        ) => Promise<ResponseOf<K>>;
      };
};

export interface Permission {
  /** The lowest role that may use the operation; null if every user may. */
  readonly role: Role | null;
  /** Whether the audit records the operation, because it shows recipients or secrets, or changes something. */
  readonly isAudited: boolean;
  /** Whether a user may use it who still has to set up the second factor that the tenant requires. @default false */
  readonly setsUpSecondFactor?: boolean;
}

/** Permission of an operation that operators must not use. */
interface TenantPermission extends Permission {
  readonly role: TenantRole;
}

/** Operations for every user, such as those on the user's own sessions. */
const show: Permission = { role: null, isAudited: false };
const change: Permission = { role: null, isAudited: true };
/** Operations that show counts of all tenants, and neither recipients nor texts. */
const operate: Permission = { role: "operator", isAudited: false };
const look: TenantPermission = { role: "viewer", isAudited: false };
const view: TenantPermission = { role: "viewer", isAudited: true };
/** Operations for support agents: record consent, lift a suppression, export a recipient's messages, resend callbacks, acknowledge alerts. */
const act: TenantPermission = { role: "agent", isAudited: true };
/** Operations that cost money, change the tenant, or show secrets, users or keys. */
const manage: TenantPermission = { role: "admin", isAudited: true };

/** Operations for setting up a second factor. What they change is recorded with the change: see `second-factors.ts`. */
const setUp: Permission = { role: null, isAudited: false, setsUpSecondFactor: true };

export const permissions: Readonly<Record<GuardedId, Permission> & Record<ContractOperationId, TenantPermission>> = {
  getSession: setUp,
  getSecondFactor: setUp,
  startSecondFactor: setUp,
  confirmSecondFactor: setUp,
  removeSecondFactor: show,
  renewRecoveryCodes: show,
  listPermissions: show,
  listNotices: show,
  listSessions: show,
  endOtherSessions: change,
  changePassword: change,
  getInstallation: operate,
  listRequests: look,
  listTestRecipients: look,
  listAuditEntries: { role: "auditor", isAudited: false },
  getHealth: { role: "admin", isAudited: false },
  listCarriers: { role: "admin", isAudited: false },
  getActivity: look,
  getMonthCosts: look,
  listPayments: look,
  // returns only ids; reading the objects behind them is audited
  lookUpId: look,
  listOpenAlerts: look,
  listProjects: look,
  searchMessages: view,
  followMessages: view,
  getMessage: view,
  getCall: view,
  getBatch: look,
  getMailFrame: view,
  getRecipient: view,
  listCallbacks: view,
  listReceivers: look,
  getEventSubscription: look,
  getCallback: view,

  listRecipientMessages: act,
  acknowledgeAlert: act,
  unsuppressRecipient: act,
  resendCallback: act,
  resendCallbacks: act,
  eraseRecipient: manage,
  testCarrier: manage,
  setEventSubscription: manage,
  removeEventSubscription: manage,
  getCallbackSecret: manage,

  listUsers: manage,
  createUser: manage,
  resetUser: manage,
  disableUser: manage,
  setUserRole: manage,
  setSecondFactorPolicy: manage,
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

/** Operations that need no session. */
const visits = ["signIn", "signOut", "refreshSession", "setPassword"] as const;
export type VisitId = (typeof visits)[number];
type GuardedId = Exclude<OperationId, VisitId>;

export function isVisit(operationId: OperationId): operationId is VisitId {
  return (visits as readonly OperationId[]).includes(operationId);
}
