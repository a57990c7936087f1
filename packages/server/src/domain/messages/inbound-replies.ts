// The effect of a recipient's reply to an SMS, whether it comes from a provider or the simulator's operation.

import type { Schemas } from "@msgctl/contract";
import type { Transaction } from "../../store/store.ts";
import { periodStart } from "../calendar.ts";
import { type ConsentKey, type ConsentStatus, findStoredConsent, keepOptOut, recordConsent } from "../consent/rows.ts";
import {
  campaignWords,
  confirmingCampaigns,
  isSendable,
  type Keyword,
  type KeywordAction,
  type ReplyCampaign,
  readKeyword,
} from "../consent/rules.ts";
import { type RecipientDigest, readErasedRecipient } from "../contacts.ts";
import { findMerchant, lockMerchantRow, type StoredConsent } from "../merchants/rows.ts";
import type { StopCoverage } from "../policies.ts";
import { type CampaignWordsRow, findCampaignMessages, listCampaignWords, readTextList } from "../registration/rows.ts";
import { labelLike } from "../tenancy/project-rows.ts";
import { findTenant } from "../tenancy/rows.ts";
import { channelsOf, optOutByReply, REPLY, restoreConsent } from "./consents.ts";
import { insertMessage } from "./rows.ts";
import { countAnswers, noteAnswer } from "./text-rows.ts";

/** The message that the recipient answers. */
export interface RepliedMessage {
  /** The number that it left from. @default one of the merchant's own, as the simulated carrier gives each */
  readonly sender?: string;
  readonly messageId: string;
  readonly tenantId: number;
  readonly merchantId: string;
  readonly recipient: string;
}

export interface ReplyContext {
  readonly tx: Transaction;
  readonly now: number;
  /** The id of the message that confirms the reply, if one does. */
  readonly confirmationId: string;
  /** The source of the reply, for the consent history. */
  readonly changedBy: string;
  readonly digestRecipient: RecipientDigest;
  /** @default "sms" */
  readonly stopCovers?: StopCoverage | undefined;
}

export interface ReplyEffect {
  readonly status: Schemas["ReplyOutcome"];
  /** One sentence about the effect. */
  readonly message: string;
  /** Whether a confirmation was queued, so that the dispatcher has work. */
  readonly isConfirmed: boolean;
  /** The keyword, if it is one. */
  readonly word?: string;
}

/** Answers to one phone from one number in an hour, so that two robots do not talk for ever. */
const ANSWERS_AN_HOUR = 5;
const HOUR_MS = 3_600_000;

/**
 * Acts on the keyword of a reply. STOP and START change the consent to SMS, and to VOICE if a STOP covers calls, with source
 * `SMS_REPLY:<WORD>`; a change is confirmed once. HELP is answered each time. Confirmations are free, and use the words of the
 * merchant's campaign if it has one.
 */
export async function receiveReply(context: ReplyContext, replied: RepliedMessage, text: string): Promise<ReplyEffect> {
  const { tenantId, merchantId, recipient } = replied;
  const digest = readErasedRecipient(recipient);
  if (digest !== undefined) return receiveErasedReply(context, { ...replied, digest }, text);
  const key: ConsentKey = { tenantId, merchantId, channel: "SMS", contact: recipient };
  // a first decision has no row yet that could be held
  lockMerchantRow(context.tx, replied);
  const consent = await findStoredConsent(context.tx, key);
  const campaigns = (await listCampaignWords(context.tx, tenantId, merchantId)).map(toRepliedCampaign);
  const keyword = readKeyword(text, { optedOut: consent === "OPT_OUT", campaignWords: campaignWords(campaigns) });
  if (keyword === undefined) {
    return { status: "RECEIVED", message: "The reply is free text: consent stays as it is.", isConfirmed: false };
  }
  const ownWords = await findConfirmation(context.tx, campaigns, keyword);
  if (keyword.action === "HELP") {
    const { word } = keyword;
    if (await confirm(context, replied, "HELP", ownWords)) {
      return { status: "HELP_SENT", message: `The help message answers ${word}.`, isConfirmed: true, word };
    }
    return { status: "RECEIVED", message: `${word} is not answered: ${TOO_MANY}.`, isConfirmed: false, word };
  }
  return changeConsent(context, replied, key, { ...keyword, action: keyword.action, before: consent, ownWords });
}

/** Acts on the reply of an erased recipient, to whom no confirmation can be sent. */
async function receiveErasedReply(
  { tx, now, stopCovers }: ReplyContext,
  { tenantId, merchantId, digest }: RepliedMessage & { digest: string },
  text: string,
): Promise<ReplyEffect> {
  const campaigns = (await listCampaignWords(tx, tenantId, merchantId)).map(toRepliedCampaign);
  const keyword = readKeyword(text, { optedOut: false, campaignWords: campaignWords(campaigns) });
  if (keyword?.action !== "OPT_OUT") {
    return { status: "RECEIVED", message: "The recipient was erased: the reply changes nothing.", isConfirmed: false };
  }
  const channels = channelsOf(stopCovers);
  for (const channel of channels) await keepOptOut(tx, { tenantId, merchantId, channel, digest }, now);
  const message = `${keyword.word} opts the recipient out of ${channels.join(" and ")}; they were erased, so no confirmation can be sent.`;
  return { status: "OPTED_OUT", message, isConfirmed: false };
}

async function changeConsent(
  context: ReplyContext,
  replied: RepliedMessage,
  key: ConsentKey,
  change: Keyword & { action: ConsentStatus; before: StoredConsent | undefined; ownWords: string | undefined },
): Promise<ReplyEffect> {
  const { action, word, before, ownWords } = change;
  const { tx, now, changedBy, stopCovers } = context;
  await recordConsent(tx, key, { status: action, source: `${REPLY}${word}`, changedBy, now });
  const calls: ConsentKey = { ...key, channel: "VOICE" };
  const channels = action === "OPT_OUT" ? channelsOf(stopCovers) : (["SMS"] as const);
  if (channels.includes("VOICE")) await optOutByReply(context, calls, word);
  // YES is an answer about texts alone
  if (action === "OPT_IN" && word !== "YES") await restoreConsent(context, calls);
  const isConfirmed = before !== action && (await confirm(context, replied, action, ownWords));
  const [status, verb] = action === "OPT_OUT" ? (["OPTED_OUT", "out of"] as const) : (["OPTED_IN", "in to"] as const);
  const unconfirmed =
    before === action ? "this was so before, and is not confirmed again" : `no confirmation: ${TOO_MANY}`;
  const confirmation = isConfirmed ? "a confirmation is sent" : unconfirmed;
  return {
    status,
    message: `${word} opts the recipient ${verb} ${channels.join(" and ")}; ${confirmation}.`,
    isConfirmed,
    word,
  };
}

const TOO_MANY = `the phone had ${ANSWERS_AN_HOUR} answers within the hour`;

/** Returns false, with nothing queued, if the phone was answered too often. */
async function confirm(
  { tx, now, confirmationId: messageId, digestRecipient }: ReplyContext,
  replied: RepliedMessage,
  action: KeywordAction,
  ownWords: string | undefined,
): Promise<boolean> {
  const { tenantId, merchantId, recipient, sender = `${tenantId} ${merchantId}` } = replied;
  const conversationDigest = digestRecipient(0, `${sender} ${recipient}`);
  const answers = { conversationDigest, since: now - HOUR_MS, most: ANSWERS_AN_HOUR };
  if ((await countAnswers(tx, answers)) >= ANSWERS_AN_HOUR) return false;
  await noteAnswer(tx, { conversationDigest, messageId, now });
  const tenant = await findTenant(tx, tenantId);
  const merchant = await findMerchant(tx, tenantId, merchantId);
  if (tenant === undefined || merchant === undefined) throw new Error("a message outlived its tenant or merchant");
  const content = ownWords ?? confirmations[action](merchant.displayName);
  const confirmation = {
    merchantId,
    channel: "SMS",
    type: "TRANSACTIONAL",
    recipient,
    subject: null,
    content,
  } as const;
  const period = periodStart(now, tenant.timezone);
  await insertMessage(
    tx,
    { ...confirmation, units: 0 },
    { messageId, tenantId, purpose: "CONFIRMATION", creditUnits: 0, period, now },
  );
  await labelLike(tx, messageId, { like: replied.messageId, now });
  return true;
}

interface RepliedCampaign extends ReplyCampaign {
  readonly id: number;
}

function toRepliedCampaign(campaign: CampaignWordsRow): RepliedCampaign {
  return {
    id: campaign.id,
    status: campaign.status,
    words: {
      OPT_IN: readTextList(campaign.optInKeywords),
      OPT_OUT: readTextList(campaign.optOutKeywords),
      HELP: readTextList(campaign.helpKeywords),
    },
  };
}

/** The campaign's text that confirms the keyword; undefined if none has a sendable one. */
async function findConfirmation(
  tx: Transaction,
  campaigns: readonly RepliedCampaign[],
  keyword: Keyword,
): Promise<string | undefined> {
  for (const { id } of confirmingCampaigns(campaigns, keyword)) {
    const messages = await findCampaignMessages(tx, id);
    const text = messages?.[messageMembers[keyword.action]];
    if (text !== undefined && isSendable(text)) return text;
  }
  return undefined;
}

const messageMembers = { OPT_IN: "optInMessage", OPT_OUT: "optOutMessage", HELP: "helpMessage" } as const;

/** Sent if no campaign has words of its own. */
const confirmations: Record<KeywordAction, (merchant: string) => string> = {
  OPT_OUT: (merchant) =>
    `${merchant}: you are unsubscribed and will get no more messages. Reply START to subscribe again.`,
  OPT_IN: (merchant) => `${merchant}: you are subscribed. Reply HELP for help, STOP to unsubscribe.`,
  HELP: (merchant) => `${merchant}: reply STOP to unsubscribe. Message and data rates may apply.`,
};
