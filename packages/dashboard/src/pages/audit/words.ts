// Phrases for the entries of the audit.

import type { OperationId as ContractOperationId } from "@msgctl/contract";
import type { OperationId } from "../../api.ts";

/** Phrases by operation, each to follow the name of a user or key. Operations that the audit does not record are left out. */
export const deeds: Readonly<Partial<Record<OperationId | ContractOperationId, string>>> = {
  signIn: "signed in",
  setPassword: "set a password by a link",
  changePassword: "asked to change the password",
  confirmSecondFactor: "turned on a second factor",
  removeSecondFactor: "turned off a second factor",
  renewRecoveryCodes: "replaced recovery codes",
  endOtherSessions: "ended other sessions",
  searchMessages: "searched messages",
  followMessages: "followed messages",
  getMessage: "viewed a message",
  getCall: "viewed a call",
  getMailFrame: "viewed a mail",
  getRecipient: "viewed a recipient",
  listRecipientMessages: "exported a recipient's messages",
  unsuppressRecipient: "lifted a suppression",
  eraseRecipient: "erased a recipient",
  listCallbacks: "viewed callbacks",
  getCallback: "viewed a callback",
  acknowledgeAlert: "acknowledged an alert",
  resendCallback: "sent a callback again",
  resendCallbacks: "sent a receiver's callbacks again",
  testCarrier: "tested a carrier",
  setEventSubscription: "set the URL for events of messages",
  removeEventSubscription: "removed the URL for events of messages",
  getCallbackSecret: "viewed the signing secret of webhooks",
  listUsers: "viewed users",
  createUser: "added a user",
  resetUser: "reset a user",
  disableUser: "disabled a user",
  setUserRole: "changed a user's role",
  setSecondFactorPolicy: "changed the second factor's policy",
  listKeys: "viewed API keys",
  createKey: "created an API key",
  rotateKey: "rotated an API key",
  revokeKey: "revoked an API key",
  upsertMerchant: "changed a merchant",
  listConsents: "viewed consents",
  recordConsent: "recorded a consent",
  sendSms: "sent an SMS",
  sendVoice: "made a call",
  sendEmail: "sent an email",
  sendDirectSms: "sent an SMS",
  sendDirectEmail: "sent an email",
  createTtsCalls: "made calls",
  listTtsCalls: "viewed calls",
  getTtsCall: "viewed a call",
  listTtsBatchNumbers: "viewed the numbers of a batch",
  requestUpgrade: "bought credits",
  registerBrand: "registered a brand",
  registerCampaign: "registered a campaign",
  registerNumber: "registered a number",
  assignNumber: "assigned a number",
  getVoiceProvisioning: "viewed the voice provisioning",
  getDirectoryEntry: "viewed a phone's password",
  reportSipPresence: "reported a phone",
  simulateReply: "replied as a recipient",
};

/** Describes what was done. A command of the operator and an unknown operation are shown by their names. */
export function describeDeed(operation: string): string {
  const known: Readonly<Record<string, string>> = deeds;
  if (Object.hasOwn(known, operation)) return known[operation] ?? operation;
  return operation.includes(" ") ? `ran msgd ${operation}` : operation;
}
