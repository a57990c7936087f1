// A merchant's credential can neither change nor see another merchant.

import { type OperationId, operations } from "@msgctl/contract";
import { needOther, type Target } from "../target/target.ts";
import { expectReply, expectSilenceOn, type OperationPromise, promiser } from "./promise.ts";

/** How an operation answers another merchant's credential: it refuses, says "not found", or omits the merchant from a list. */
type Answer = "denied" | "not found" | "left out";

const answers: Record<OperationId, Answer> = {
  upsertMerchant: "denied",
  listMerchants: "left out",
  getMerchant: "denied",
  recordConsent: "denied",
  listConsents: "left out",
  sendSms: "denied",
  sendEmail: "denied",
  sendVoice: "denied",
  sendDirectSms: "denied",
  sendDirectEmail: "denied",
  createTtsCalls: "denied",
  listTtsCalls: "left out",
  getTtsCall: "not found",
  getTtsBatchSummary: "not found",
  listTtsBatchNumbers: "not found",
  requestUpgrade: "denied",
  getUsageReport: "denied",
  listAlerts: "left out",
  registerBrand: "denied",
  registerCampaign: "denied",
  registerNumber: "denied",
  assignNumber: "denied",
  getRegistrationStatus: "denied",
  simulateReply: "not found",
  getVoiceProvisioning: "denied",
  getDirectoryEntry: "denied",
  reportSipPresence: "denied",
};

const promise = promiser("merchants");
const ids = Object.keys(operations) as OperationId[];
const lists = ids.filter((operationId) => answers[operationId] === "left out" && operationId !== "listMerchants");

export const merchants: readonly OperationPromise[] = [
  ...ids.map((operationId) =>
    promise(operationId, `with another merchant's credential, the answer is "${answers[operationId]}"`, ask),
  ),
  ...lists.map((operationId) =>
    promise(operationId, "with another merchant's credential, a request that names the merchant is denied", askByName),
  ),
];

async function ask(target: Target, operationId: OperationId): Promise<void> {
  const reply = await target.send(target.request(operationId), { as: needOther(target, "merchant") });
  switch (answers[operationId]) {
    case "denied":
      return expectReply(reply, 403, "merchant_scope_denied");
    case "not found":
      return expectReply(reply, 404, "*_not_found");
    case "left out":
      expectReply(reply, 200);
      return expectSilenceOn(reply, target.merchantId, "another merchant's");
  }
}

async function askByName(target: Target, operationId: OperationId): Promise<void> {
  const request = target.request(operationId);
  const url = `${request.url}?merchantId=${target.merchantId}`;
  const reply = await target.send({ ...request, url }, { as: needOther(target, "merchant") });
  expectReply(reply, 403, "merchant_scope_denied");
}
