// Reads after writes: every view shows the values that an earlier request recorded, set, sent, paid for or registered.

import { type OperationId, operations } from "@msgctl/contract";
import type { CheckedReply } from "../contract-check/reply-check.ts";
import { newKey, recordConsent } from "../scenarios/requests.ts";
import { fieldsOf, wordsOf } from "../target/reply.ts";
import { NotReachable } from "../target/send.ts";
import type { Target } from "../target/target.ts";
import { BrokenPromise, expectReply, type OperationPromise, promiser } from "./promise.ts";

const PHONE = "+12025550100";
const CALLED = ["+12025550100", "+12025550101", "+12025550102"] as const;
const EMAIL = "dana@patients.example";
/** Two segments of GSM-7. */
const TWO_SEGMENTS = "a".repeat(161);
const PLENTY = { smsLimit: 1_000, voiceMinutesLimit: 1_000, emailLimit: 1_000 } as const;

/** How often a message or payment is polled until it reaches a final state, and the pause in between. */
const MOST_LOOKS = 40;
const LOOK_MS = 250;

type Fields = Readonly<Record<string, unknown>>;

const promise = promiser("reads");

export const reads: readonly OperationPromise[] = [
  promise("upsertMerchant", "is read back as it was set, and an update keeps the fields that it omits", setMerchant),
  promise("listMerchants", "shows each merchant as getMerchant does", listMerchants),
  promise("recordConsent", "records a consent, which the list shows unchanged", recordEach),
  promise("listConsents", "has one entry for each contact, with its latest decision", decideAgain),
  promise("listConsents", "returns the consents of the merchant in the query, or of all merchants", listOfOne),
  promise("sendSms", "is refused after an OPT_OUT, and accepted after an OPT_IN", obeyConsent),
  promise("sendSms", "adds its segments to the usage, once for each key", (target, operationId) =>
    countSend(target, operationId, {
      body: { to: PHONE, message: TWO_SEGMENTS, type: "OTP" },
      used: "smsUsed",
      units: 2,
    }),
  ),
  promise("sendEmail", "adds 1 to the usage, once for each key", (target, operationId) =>
    countSend(target, operationId, {
      body: { to: EMAIL, subject: "Hi", body: "Hi", type: "OTP" },
      used: "emailUsed",
      units: 1,
    }),
  ),
  promise("sendSms", "accepts as many units as limit and credits hold, and no more", (target, operationId) =>
    useUp(target, operationId, { to: PHONE, message: "Hi", type: "OTP" }),
  ),
  promise("sendEmail", "accepts as many units as limit and credits hold, and no more", (target, operationId) =>
    useUp(target, operationId, { to: EMAIL, subject: "Hi", body: "Hi", type: "OTP" }),
  ),
  promise("requestUpgrade", "adds the paid units to the credits, once", buyCredits),
  promise("listAlerts", "has an alert once a limit is used up", raiseAlert),
  promise("getUsageReport", "counts the sent units, and its charge is the sum of its parts", reportSent),
  promise("getTtsCall", "shows the call as it was requested", readCall),
  promise("listTtsCalls", "has the newest call first, and obeys its filters and its limit", listCalls),
  promise("getTtsBatchSummary", "counts every call of the batch", summarize),
  promise("listTtsBatchNumbers", "has every number, in the order of the request", listNumbers),
  promise("getRegistrationStatus", "shows brand, campaign and number as they were registered", readRegistrations),
  promise("assignNumber", "assigns the number, which then shows its campaign", readAssignment),
  promise("simulateReply", "records the consent that its reply shows", recordReply),
];

async function setMerchant(target: Target): Promise<void> {
  const merchantId = newMerchantId(target);
  const url = `/api/v1/merchants/${merchantId}`;
  const given = {
    smsLimit: 11,
    voiceMinutesLimit: 12,
    emailLimit: 13,
    smsCredits: 14,
    voiceMinutesCredits: 15,
    emailCredits: 16,
  };
  const { smsLimit, voiceMinutesLimit, emailLimit, smsCredits, voiceMinutesCredits, emailCredits } = given;
  const set = {
    ...{ merchantId, displayName: "First", active: false },
    limits: { smsLimit, voiceMinutesLimit, emailLimit },
    credits: { smsCredits, voiceMinutesCredits, emailCredits },
  };
  const made = await upsert(target, { merchantId, displayName: "First", active: false, ...given });
  expectView(made, fieldsOf(made), set);
  const read = await get(target, url);
  expectView(read, fieldsOf(read), set);
  await upsert(target, { merchantId, displayName: "Second", active: true, smsLimit: 21 });
  const changed = await get(target, url);
  expectView(changed, fieldsOf(changed), {
    ...{ ...set, displayName: "Second", active: true },
    limits: { ...set.limits, smsLimit: 21 },
  });
}

async function listMerchants(target: Target): Promise<void> {
  const ids = [await newMerchant(target, { emailLimit: 3 }), await newMerchant(target, { active: false })];
  const views = [];
  for (const id of [target.merchantId, ...ids]) views.push(fieldsOf(await get(target, `/api/v1/merchants/${id}`)));
  const list = await get(target, "/api/v1/merchants");
  for (const { merchantId, displayName, active, limits, credits } of views) {
    expectView(list, findIn(list, { merchantId }), { merchantId, displayName, active, limits, credits });
  }
}

async function recordEach(target: Target): Promise<void> {
  const merchantId = await newMerchant(target);
  const decisions = [
    { channel: "SMS", contact: PHONE, status: "OPT_IN", source: "intake-form" },
    { channel: "VOICE", contact: PHONE, status: "OPT_OUT", source: "a call" },
    { channel: "EMAIL", contact: EMAIL, status: "OPT_IN", source: "newsletter" },
  ];
  for (const decision of decisions) {
    const consent = { merchantId, ...decision };
    const made = succeeded(await recordConsent(target, consent));
    expectView(made, fieldsOf(made), consent);
  }
  const list = await get(target, `/api/v1/consents?merchantId=${merchantId}`);
  for (const { channel, contact, ...rest } of decisions) {
    expectView(list, findIn(list, { channel, contact }), { merchantId, ...rest });
  }
}

async function decideAgain(target: Target): Promise<void> {
  const merchantId = await newMerchant(target);
  for (const status of ["OPT_IN", "OPT_OUT", "OPT_IN"]) {
    const consent = { merchantId, channel: "SMS", contact: PHONE, status };
    succeeded(await recordConsent(target, consent));
    await expectDecision(target, consent);
  }
}

async function expectDecision(target: Target, consent: Fields): Promise<void> {
  const list = await get(target, `/api/v1/consents?merchantId=${consent.merchantId}`);
  const { channel, contact } = consent;
  const found = listIn(list).filter((each) => each.channel === channel && each.contact === contact);
  if (found.length !== 1)
    throw broken(list, `has ${found.length} consents of ${contact}`, "one for each contact and channel");
  expectView(list, found[0], consent);
}

async function listOfOne(target: Target): Promise<void> {
  const [one, other] = [await newMerchant(target), await newMerchant(target)];
  for (const merchantId of [one, other]) {
    succeeded(await recordConsent(target, { merchantId, channel: "SMS", contact: PHONE, status: "OPT_OUT" }));
  }
  const own = await get(target, `/api/v1/consents?merchantId=${one}`);
  const stranger = listIn(own).find(({ merchantId }) => merchantId !== one);
  if (stranger !== undefined) throw broken(own, `has a consent of ${stranger.merchantId}`, `only consents of ${one}`);
  const all = await get(target, "/api/v1/consents");
  for (const merchantId of [one, other]) expectView(all, findIn(all, { merchantId }), { status: "OPT_OUT" });
}

async function obeyConsent(target: Target, operationId: OperationId): Promise<void> {
  const merchantId = await newMerchant(target, PLENTY);
  const body = { merchantId, to: PHONE, message: "Hi", type: "TRANSACTIONAL" };
  for (const status of ["OPT_IN", "OPT_OUT", "OPT_IN"]) {
    succeeded(await recordConsent(target, { merchantId, channel: "SMS", contact: PHONE, status }));
    const reply = await post(target, operationId, body);
    if (status === "OPT_IN") expectReply(reply, 200);
    else expectReply(reply, 422, "consent_opted_out");
  }
}

interface Counted {
  readonly body: Fields;
  readonly used: string;
  readonly units: number;
}

async function countSend(target: Target, operationId: OperationId, { body, used, units }: Counted): Promise<void> {
  const merchantId = await newMerchant(target, PLENTY);
  const url = `/api/v1/merchants/${merchantId}`;
  const before = usageIn(await get(target, url), used);
  await follow(target, operationId, { merchantId, ...body }, isSent);
  const after = await get(target, url);
  const counted = usageIn(after, used) - before;
  if (counted !== units)
    throw broken(after, `${used} grew by ${counted} after a send of ${units}`, `${units} more than before`);
}

/** Whether the provider has the message, or will never get it. */
function isSent({ status }: Fields): boolean {
  return status !== "QUEUED" && status !== "SENDING";
}

function usageIn(reply: CheckedReply, name: string): number {
  return Number((fieldsOf(reply).usage as Fields | undefined)?.[name]);
}

async function useUp(target: Target, operationId: OperationId, body: Fields): Promise<void> {
  const merchantId = await newMerchant(target, { smsLimit: 1, smsCredits: 1, emailLimit: 1, emailCredits: 1 });
  for (const _unit of ["of the limit", "of the credits"]) {
    expectReply(await post(target, operationId, { merchantId, ...body }), 200);
  }
  expectReply(await post(target, operationId, { merchantId, ...body }), 402, "quota_exceeded");
}

async function buyCredits(target: Target, operationId: OperationId): Promise<void> {
  const merchantId = await newMerchant(target, { smsCredits: 5 });
  const { body } = target.request(operationId);
  const wanted = { ...(body as object), merchantId, channel: "SMS", units: 100 };
  const isOver = ({ paymentStatus }: Fields) => ["SUCCEEDED", "FAILED", "CANCELED"].includes(String(paymentStatus));
  const paid = await follow(target, operationId, wanted, isOver);
  expectView(paid, fieldsOf(paid), { merchantId, channel: "SMS", unitsRequested: 100 });
  const { paymentStatus } = fieldsOf(paid);
  if (paymentStatus !== "SUCCEEDED") throw new NotReachable(`the payment ended ${paymentStatus}`);
  expectView(paid, fieldsOf(paid), { fulfilled: true, remainingCredits: 105 });
  const read = await get(target, `/api/v1/merchants/${merchantId}`);
  expectView(read, fieldsOf(read), { credits: { smsCredits: 105, voiceMinutesCredits: 0, emailCredits: 0 } });
}

async function raiseAlert(target: Target): Promise<void> {
  const merchantId = await newMerchant(target, { emailLimit: 1 });
  await follow(target, "sendEmail", { merchantId, to: EMAIL, subject: "Hi", body: "Hi", type: "OTP" }, isSent);
  for (const query of [`?merchantId=${merchantId}`, ""]) {
    const list = await get(target, `/api/v1/alerts${query}`);
    const expected = { merchantId, channel: "EMAIL", alertType: "USAGE_THRESHOLD", thresholdPercent: 100 };
    expectView(list, findIn(list, expected), { severity: "CRITICAL" });
  }
}

async function reportSent(target: Target): Promise<void> {
  const merchantId = await newMerchant(target, PLENTY);
  const { url } = target.request("getUsageReport");
  const before = fieldsOf(await get(target, url));
  await follow(target, "sendSms", { merchantId, to: PHONE, message: TWO_SEGMENTS, type: "OTP" }, isSent);
  await follow(target, "sendEmail", { merchantId, to: EMAIL, subject: "Hi", body: "Hi", type: "OTP" }, isSent);
  const reply = await get(target, url);
  const after = fieldsOf(reply);
  // other programs of the tenant may send between the two reads
  for (const [name, units] of [
    ["totalSmsCount", 2],
    ["totalEmailCount", 1],
    ["finalCharges", 0.000001],
  ] as const) {
    const grown = Number(after[name]) - Number(before[name]);
    if (!(grown >= units))
      throw broken(reply, `${name} grew by ${grown}`, `at least ${units} more than before the sends`);
  }
  expectSum(reply, ["providerCost", "hqMarkup"], "finalCharges");
}

interface Calls {
  readonly merchantId: string;
  readonly useCase: string;
  readonly batchId: string;
  readonly requestId: string;
}

async function call(target: Target, toNumbers: readonly string[]): Promise<Calls> {
  const merchantId = await newMerchant(target, PLENTY);
  for (const contact of toNumbers) {
    succeeded(await recordConsent(target, { merchantId, channel: "VOICE", contact, status: "OPT_IN" }));
  }
  const useCase = merchantId.toUpperCase();
  const body = { merchantId, messageText: "Your code is 1234.", useCase, toNumbers, campaignName: "Spring" };
  const { batchId, requestId } = fieldsOf(succeeded(await post(target, "createTtsCalls", body)));
  return { merchantId, useCase, batchId: String(batchId), requestId: String(requestId) };
}

async function readCall(target: Target): Promise<void> {
  const { requestId, ...rest } = await call(target, [PHONE]);
  const reply = await get(target, `/api/v1/voice/tts-calls/${encodeURIComponent(requestId)}`);
  expectView(reply, fieldsOf(reply), { requestId, ...rest, toNumber: PHONE, campaignName: "Spring" });
}

async function listCalls(target: Target): Promise<void> {
  const [first, second] = [await call(target, [PHONE]), await call(target, [PHONE])];
  const url = "/api/v1/voice/tts-calls";
  const newest = await get(target, `${url}?limit=1`);
  if (listIn(newest).length !== 1) throw broken(newest, `has ${listIn(newest).length} calls`, "1, as limit=1 says");
  const list = await get(target, url);
  const order = listIn(list).map(({ requestId }) => requestId);
  const [older, newer] = [order.indexOf(first.requestId), order.indexOf(second.requestId)];
  if (older < 0 || newer < 0)
    throw broken(list, `lacks ${older < 0 ? first.requestId : second.requestId}`, "the call that was just made");
  if (newer > older) throw broken(list, "has the older of two calls first", "the newest first");
  for (const query of [`useCase=${first.useCase}`, `merchantId=${first.merchantId}`]) {
    const filtered = await get(target, `${url}?${query}`);
    const found = listIn(filtered).map(({ requestId }) => requestId);
    if (found.join() !== first.requestId)
      throw broken(filtered, `has ${found.length} calls`, `the one call with ${query}`);
  }
}

async function summarize(target: Target): Promise<void> {
  const { batchId, merchantId, useCase } = await call(target, CALLED);
  const url = `/api/v1/voice/tts-calls/batches/${encodeURIComponent(batchId)}/summary`;
  const reply = await get(target, url);
  expectView(reply, fieldsOf(reply), { batchId, merchantId, useCase, totalCalls: CALLED.length });
  expectSum(reply, ["success", "failed", "partial", "pending", "scheduled"], "totalCalls");
  expectSum(reply, ["finalizedCount", "provisionalCount"], "totalCalls");
  expectSum(reply, ["totalTtsCost", "totalCallCost"], "totalCost");
  expectSum(reply, ["provisionalCost", "finalizedCost"], "totalCost");
}

async function listNumbers(target: Target): Promise<void> {
  const { batchId } = await call(target, CALLED);
  const url = `/api/v1/voice/tts-calls/batches/${encodeURIComponent(batchId)}/numbers`;
  const reply = await get(target, url);
  const numbers = listIn(reply).map(({ toNumber }) => toNumber);
  if (numbers.join() !== CALLED.join()) throw broken(reply, `has ${numbers.join(", ")}`, CALLED.join(", "));
}

async function readRegistrations(target: Target): Promise<void> {
  const { merchantId, brand, campaign, number } = await register(target);
  const reply = await get(target, `/api/v1/merchants/${merchantId}/messaging/status`);
  const { brands, campaigns, numbers } = fieldsOf(reply) as Readonly<Record<string, unknown>>;
  for (const [list, made] of [
    [brands, brand],
    [campaigns, campaign],
    [numbers, number],
  ] as const) {
    const { id, legalBusinessName, description, phoneNumber } = made;
    expectView(reply, pickFrom(list, { id }), { merchantId, legalBusinessName, description, phoneNumber });
  }
}

async function readAssignment(target: Target, operationId: OperationId): Promise<void> {
  const { merchantId, campaign, number } = await register(target);
  const url = operations[operationId].path.replace("{merchantId}", merchantId).replace("{numberId}", String(number.id));
  const body = { campaignId: campaign.id };
  const assigned = succeeded(await target.send({ method: "POST", url, body }, { headers: newKey(target) }));
  expectView(assigned, fieldsOf(assigned), { id: number.id, campaignId: campaign.id });
  const reply = await get(target, `/api/v1/merchants/${merchantId}/messaging/status`);
  expectView(reply, pickFrom(fieldsOf(reply).numbers, { id: number.id }), { campaignId: campaign.id });
}

async function register(target: Target) {
  const merchantId = await newMerchant(target);
  const made = async (operationId: OperationId, more: object = {}) => {
    const { body } = target.request(operationId);
    const url = operations[operationId].path.replace("{merchantId}", merchantId);
    const request = { method: "POST", url, body: { ...(body as object), ...more } } as const;
    const reply = succeeded(await target.send(request, { headers: newKey(target) }));
    return fieldsOf(reply);
  };
  const brand = await made("registerBrand");
  const campaign = await made("registerCampaign");
  const number = await made("registerNumber", { phoneNumber: target.newNumber() });
  return { merchantId, brand, campaign, number };
}

async function recordReply(target: Target, operationId: OperationId): Promise<void> {
  const merchantId = await newMerchant(target, PLENTY);
  const sent = await follow(target, "sendSms", { merchantId, to: PHONE, message: "Hi", type: "OTP" }, isSent);
  const { messageId } = fieldsOf(sent);
  const { body } = target.request(operationId);
  for (const [replyBody, outcome, status] of [
    ["STOP", "OPTED_OUT", "OPT_OUT"],
    ["START", "OPTED_IN", "OPT_IN"],
  ] as const) {
    const reply = succeeded(await post(target, operationId, { ...(body as object), messageId, replyBody }));
    expectView(reply, fieldsOf(reply), { status: outcome });
    await expectDecision(target, {
      merchantId,
      channel: "SMS",
      contact: PHONE,
      status,
      source: `SMS_REPLY:${replyBody}`,
    });
  }
}

let count = 0;

function newMerchantId({ prefix }: Target): string {
  count += 1;
  return `${prefix}reads-${count}`;
}

async function newMerchant(target: Target, more: object = {}): Promise<string> {
  const merchantId = newMerchantId(target);
  await upsert(target, { merchantId, displayName: merchantId, ...more });
  return merchantId;
}

async function upsert(target: Target, body: object): Promise<CheckedReply> {
  return succeeded(await post(target, "upsertMerchant", body));
}

function post(target: Target, operationId: OperationId, body: object): Promise<CheckedReply> {
  return target.send({ method: "POST", url: operations[operationId].path, body }, { headers: newKey(target) });
}

async function get(target: Target, url: string): Promise<CheckedReply> {
  return succeeded(await target.send({ method: "GET", url }));
}

/** @throws {NotReachable} If the request that creates the data to read was refused. */
function succeeded(reply: CheckedReply): CheckedReply {
  if (reply.statusCode >= 300) throw new NotReachable(`a preparatory request was answered ${wordsOf(reply)}`);
  return reply;
}

/** Repeats the call under one key until its reply shows a final state. @throws {NotReachable} If that takes too long. */
async function follow(target: Target, operationId: OperationId, body: object, isOver: (fields: Fields) => boolean) {
  const headers = newKey(target);
  const request = { method: "POST", url: operations[operationId].path, body } as const;
  for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
    const reply = succeeded(await target.send(request, { headers }));
    if (isOver(fieldsOf(reply))) return reply;
    await target.pause(LOOK_MS);
  }
  throw new NotReachable(`${operationId} reached no final state after ${(MOST_LOOKS * LOOK_MS) / 1_000} s`);
}

function listIn(reply: CheckedReply): readonly Fields[] {
  return entriesOf(fieldsOf(reply));
}

/** The objects in a list; empty if the value is not a list. */
function entriesOf(list: unknown): readonly Fields[] {
  return Array.isArray(list) ? list.filter((each) => typeof each === "object" && each !== null) : [];
}

function findIn(reply: CheckedReply, wanted: Fields): Fields | undefined {
  return pickFrom(listIn(reply), wanted);
}

function pickFrom(list: unknown, wanted: Fields): Fields | undefined {
  return entriesOf(list).find((each) => Object.entries(wanted).every(([name, value]) => each[name] === value));
}

function broken(reply: CheckedReply, fault: string, allowed: string): BrokenPromise {
  return new BrokenPromise(reply, fault, allowed);
}

/**
 * An expected value of undefined allows any value.
 *
 * @throws {BrokenPromise} If there is no view, or if a field differs from its expected value.
 */
function expectView(reply: CheckedReply, view: Fields | undefined, expected: Fields): void {
  if (view === undefined) throw broken(reply, "lacks what was written", JSON.stringify(expected));
  for (const [name, value] of Object.entries(expected)) {
    const [shown, wanted] = [JSON.stringify(sorted(view[name])), JSON.stringify(sorted(value))];
    if (wanted !== undefined && shown !== wanted)
      throw broken(reply, `shows ${name} ${shown}`, `${name} ${wanted}, as it was written`);
  }
}

/** An object's fields in the order of their names. */
function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Amounts have six decimals. @throws {BrokenPromise} If the fields do not add up to `total`. */
function expectSum(reply: CheckedReply, names: readonly string[], total: string): void {
  const view = fieldsOf(reply);
  const sum = names.reduce((so, name) => so + Number(view[name]), 0);
  if (Math.abs(sum - Number(view[total])) < 0.000_000_5) return;
  throw broken(reply, `${names.join(" + ")} is ${sum}, ${total} ${view[total]}`, `${names.join(" + ")} = ${total}`);
}
