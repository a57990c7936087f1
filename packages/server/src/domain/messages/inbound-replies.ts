// Acts on a recipient's reply to an SMS, from a provider or from the operation that simulates replies.

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
  /** The number that it was sent from. @default the merchant's own number, which the simulated carrier assigns */
  readonly sender?: string;
  readonly messageId: string;
  readonly tenantId: number;
  readonly merchantId: string;
  readonly recipient: string;
}

export interface ReplyContext {
  readonly tx: Transaction;
  readonly now: number;
  /** Id to use for the message that confirms the reply, if any. */
  readonly confirmationId: string;
  /** Reporter of the reply, for the consent history. */
  readonly changedBy: string;
  readonly digestRecipient: RecipientDigest;
  /** @default "sms" */
  readonly stopCovers?: StopCoverage | undefined;
  /** Whether the carrier has answered the keyword, so that no confirmation is sent. @default false */
  readonly isAnswered?: boolean | undefined;
}

export interface ReplyEffect {
  readonly status: Schemas["ReplyOutcome"];
  /** One sentence that describes the effect. */
  readonly message: string;
  /** Whether a confirmation was queued for the dispatcher. */
  readonly isConfirmed: boolean;
  /** The keyword, if the reply is one. */
  readonly word?: string;
}

/** Most answers per hour from one number to one phone, so that two robots do not reply to each other forever. */
const ANSWERS_AN_HOUR = 5;
const HOUR_MS = 3_600_000;

/**
 * Acts on the keyword of a reply. STOP and START change the consent to SMS, and to VOICE if a STOP covers calls, with
 * source `SMS_REPLY:<WORD>`. Each change is confirmed once; HELP is always answered. Confirmations are free, and use
 * the texts of the merchant's campaign if it has one.
 */
export async function receiveReply(context: ReplyContext, replied: RepliedMessage, text: string): Promise<ReplyEffect> {
  const { tenantId, merchantId, recipient } = replied;
  const digest = readErasedRecipient(recipient);
  if (digest !== undefined) return receiveErasedReply(context, { ...replied, digest }, text);
  const key: ConsentKey = { tenantId, merchantId, channel: "SMS", contact: recipient };
  // lock the merchant: a contact's first decision has no row to lock yet
  lockMerchantRow(context.tx, replied);
  const consent = await findStoredConsent(context.tx, key);
  const campaigns = (await listCampaignWords(context.tx, tenantId, merchantId)).map(toRepliedCampaign);
  const keyword = readKeyword(text, { optedOut: consent === "OPT_OUT", campaignWords: campaignWords(campaigns) });
  if (keyword === undefined) {
    return { status: "RECEIVED", message: "The reply is free text: consent does not change.", isConfirmed: false };
  }
  const ownWords = await findConfirmation(context.tx, campaigns, keyword);
  if (keyword.action === "HELP") {
    const { word } = keyword;
    if (context.isAnswered) {
      return { status: "RECEIVED", message: `The carrier answers ${word}.`, isConfirmed: false, word };
    }
    if (await confirm(context, replied, "HELP", ownWords)) {
      return { status: "HELP_SENT", message: `The help message answers ${word}.`, isConfirmed: true, word };
    }
    return { status: "RECEIVED", message: `${word} is not answered: ${TOO_MANY}.`, isConfirmed: false, word };
  }
  return changeConsent(context, replied, key, { ...keyword, action: keyword.action, before: consent, ownWords });
}

/** Acts on the reply of an erased recipient. No confirmation can be sent to them. */
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
  // YES opts in to texts only
  if (action === "OPT_IN" && word !== "YES") await restoreConsent(context, calls);
  const mustConfirm = before !== action && !context.isAnswered;
  const isConfirmed = mustConfirm && (await confirm(context, replied, action, ownWords));
  const [status, verb] = action === "OPT_OUT" ? (["OPTED_OUT", "out of"] as const) : (["OPTED_IN", "in to"] as const);
  const unconfirmed =
    before === action
      ? "this was already the case, so no confirmation is sent"
      : context.isAnswered
        ? "the carrier confirms it"
        : `no confirmation is sent: ${TOO_MANY}`;
  const confirmation = isConfirmed ? "a confirmation is sent" : unconfirmed;
  return {
    status,
    message: `${word} opts the recipient ${verb} ${channels.join(" and ")}; ${confirmation}.`,
    isConfirmed,
    word,
  };
}

const TOO_MANY = `the phone has been sent ${ANSWERS_AN_HOUR} answers within an hour`;

/** Queues a confirmation. If the phone was answered too often, queues nothing and returns false. */
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

/** Finds a campaign's text that confirms the keyword; undefined if no campaign has one that can be sent. */
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

/** Default texts, sent if no campaign has its own. */
const confirmations: Record<KeywordAction, (merchant: string) => string> = {
  OPT_OUT: (merchant) =>
    `${merchant}: you are unsubscribed and will get no more messages. Reply START to subscribe again.`,
  OPT_IN: (merchant) => `${merchant}: you are subscribed. Reply HELP for help, STOP to unsubscribe.`,
  HELP: (merchant) => `${merchant}: reply STOP to unsubscribe. Message and data rates may apply.`,
};
