// Changes the states of brands, campaigns and number assignments, as the simulated review or the operator decides, and
// schedules reviews.

import { scheduleJob } from "../../store/jobs.ts";
import type { Transaction } from "../../store/store.ts";
import { noteDecision } from "../tenancy/operator-audit.ts";
import { findTenant } from "../tenancy/rows.ts";
import { type BrandStatus, type CampaignReviewStatus, canMove, move, reach } from "../transitions.ts";
import { decidedStatus, failureFrom, reviewDueAt } from "./reviews.ts";
import {
  type BrandRow,
  type CampaignRow,
  findBrand,
  findCampaign,
  findNumber,
  listBrandStates,
  listCampaignStates,
  listNumberStates,
  type NumberRow,
  readTextList,
  updateBrand,
  updateCampaign,
  updateNumber,
} from "./rows.ts";
import { assignmentDueAt, nextBrandStage, type Registration } from "./rules.ts";

/** Changes the brand's status. An APPROVED brand also becomes VERIFIED, unless a caller has set its verification. */
export async function moveBrand(
  tx: Transaction,
  brand: BrandRow,
  { status, now }: { status: BrandStatus; now: number },
): Promise<BrandRow> {
  const { verificationStatus } = brand;
  const isVerified =
    status === "APPROVED" &&
    brand.isVerificationGiven === 0 &&
    canMove("brandVerification", verificationStatus, "VERIFIED");
  const moved = {
    ...brand,
    status: move("brand", brand.status, status),
    verificationStatus: isVerified ? move("brandVerification", verificationStatus, "VERIFIED") : verificationStatus,
    updatedAt: now,
  };
  await updateBrand(tx, moved);
  return moved;
}

/** Changes the campaign's review status, possibly skipping states, and the campaign's status if the review decides it. */
export async function moveCampaignReview(
  tx: Transaction,
  campaign: CampaignRow,
  change: {
    reviewStatus: CampaignReviewStatus;
    /** If omitted, the stored failure is kept. */
    failure?: { readonly code: string | null; readonly reason: string | null } | undefined;
    now: number;
  },
): Promise<CampaignRow> {
  const { failure, now } = change;
  const decided = decidedStatus(change.reviewStatus);
  const moved = {
    ...campaign,
    reviewStatus: reach("campaignReview", campaign.reviewStatus, change.reviewStatus),
    status: decided === undefined ? campaign.status : move("campaign", campaign.status, decided),
    ...(failure && { reviewFailureCode: failure.code, reviewFailureReason: failure.reason }),
    updatedAt: now,
  };
  await updateCampaign(tx, moved);
  return moved;
}

/** Ends an assignment that this server began. */
export async function endAssignment(
  tx: Transaction,
  number: NumberRow,
  { assignmentStatus, now }: { assignmentStatus: "ASSIGNED" | "FAILED_ASSIGNMENT"; now: number },
): Promise<NumberRow> {
  const ended = {
    ...number,
    assignmentStatus: move("numberAssignment", number.assignmentStatus, assignmentStatus),
    assignmentStartedAt: null,
    updatedAt: now,
  };
  await updateNumber(tx, ended);
  return ended;
}

/** Reads only the states of a merchant's registrations, because this runs before each SMS. */
export async function readRegistration(tx: Transaction, tenantId: number, merchantId: string): Promise<Registration> {
  return {
    brands: await listBrandStates(tx, tenantId, merchantId),
    campaigns: await listCampaignStates(tx, tenantId, merchantId),
    numbers: (await listNumberStates(tx, tenantId, merchantId)).map(readCapabilities),
  };
}

/** Returns the row with its capabilities as a list. */
export function readCapabilities<Row extends { readonly capabilities: string }>(row: Row) {
  return { ...row, capabilities: readTextList(row.capabilities) };
}

/** Job kinds of simulated reviews. */
export const registrationJobs = {
  brand: "brand-review",
  campaign: "campaign-review",
  number: "number-assignment",
} as const;

/** The subject of a job. If the row has another start, a caller has ended this review, and the job does nothing. */
export interface ReviewSubject {
  readonly id: number;
  readonly startedAt: number;
}

export function readReviewSubject(subject: string): ReviewSubject {
  return JSON.parse(subject) as ReviewSubject;
}

/** Schedules the next job of the brand's review, if it is under review. */
export async function scheduleBrandReview(tx: Transaction, brand: BrandRow): Promise<void> {
  const { tenantId, id, status, reviewStartedAt: startedAt } = brand;
  if (startedAt === null) return;
  const dueAt = nextBrandStage(startedAt, status)?.dueAt;
  await schedule(tx, { tenantId, kind: registrationJobs.brand, subject: { id, startedAt }, dueAt });
}

/** Schedules the next job of the campaign's review, if it is under review. */
export async function scheduleCampaignReview(tx: Transaction, campaign: CampaignRow): Promise<void> {
  const { tenantId, id, reviewStatus, reviewStartedAt: startedAt } = campaign;
  if (startedAt === null) return;
  const dueAt = reviewDueAt(startedAt, reviewStatus);
  await schedule(tx, { tenantId, kind: registrationJobs.campaign, subject: { id, startedAt }, dueAt });
}

/** Schedules the simulated confirmation of an assignment, if this server began one. */
export async function scheduleAssignment(tx: Transaction, number: NumberRow): Promise<void> {
  const { tenantId, id, assignmentStartedAt: startedAt } = number;
  if (startedAt === null) return;
  const dueAt = assignmentDueAt(startedAt);
  await schedule(tx, { tenantId, kind: registrationJobs.number, subject: { id, startedAt }, dueAt });
}

async function schedule(
  tx: Transaction,
  { subject, dueAt, ...job }: { tenantId: number; kind: string; subject: ReviewSubject; dueAt: number | undefined },
): Promise<void> {
  if (dueAt !== undefined) await scheduleJob(tx, { ...job, subject: JSON.stringify(subject), dueAt });
}

export const registrationKinds = ["brand", "campaign", "number"] as const;
export type RegistrationKind = (typeof registrationKinds)[number];

/** The decision of the registry or a provider on a live tenant's registration, as the operator enters it. */
export interface Decision {
  readonly kind: RegistrationKind;
  readonly id: number;
  readonly outcome:
    | { readonly isApproved: true }
    | {
        readonly isApproved: false;
        /** Shown to the merchant. Required for a campaign. */
        readonly reason: string | null;
        /** For campaigns only. */
        readonly code: string | null;
      };
  /** Name of the operator. */
  readonly by: string;
  readonly now: number;
}

/** A decided registration, with its new states. */
export interface Decided {
  readonly tenantId: number;
  readonly merchantId: string;
  readonly name: string;
  readonly states: Readonly<Record<string, string | null>>;
}

/** Decides on a brand, campaign or number. Throws with a message for the operator if there is nothing to decide. */
export async function decideRegistration(tx: Transaction, decision: Decision): Promise<Decided> {
  const { kind, id, outcome, by, now } = decision;
  const decided = await deciders[kind](tx, decision);
  const { tenantId, merchantId, name } = decided;
  const because = outcome.isApproved || outcome.reason === null ? "" : `: ${outcome.reason}`;
  const target = `${kind}Id ${id} of ${merchantId}, ${name}, ${outcome.isApproved ? "approved" : "rejected"}${because}`;
  await noteDecision(tx, { tenantId, by, operation: "registrations review", target, now });
  return decided;
}

type Decide = (tx: Transaction, decision: Decision) => Promise<Decided>;

const deciders: Readonly<Record<RegistrationKind, Decide>> = {
  async brand(tx, { id, outcome: { isApproved }, now }) {
    const brand = await findBrand(tx, id);
    if (brand === undefined) throw unknown("brand", id);
    const isOpen = brand.status === "PENDING" || brand.status === "IN_REVIEW";
    const state = brand.status;
    await requireWaiting(tx, { ...brand, title: `brand ${id}`, state, isOpen, since: brand.reviewStartedAt });
    const moved = await moveBrand(tx, brand, { status: isApproved ? "APPROVED" : "FAILED", now });
    const { tenantId, merchantId, legalBusinessName: name, status, verificationStatus } = moved;
    return { tenantId, merchantId, name, states: { status, verificationStatus } };
  },
  async campaign(tx, { id, outcome, now }) {
    const campaign = await findCampaign(tx, id);
    if (campaign === undefined) throw unknown("campaign", id);
    const state = `${campaign.status} (${campaign.reviewStatus})`;
    const isOpen = campaign.status === "PENDING";
    await requireWaiting(tx, { ...campaign, title: `campaign ${id}`, state, isOpen, since: campaign.reviewStartedAt });
    const change = outcome.isApproved
      ? ({ reviewStatus: "MNO_PROVISIONED" } as const)
      : { reviewStatus: failureFrom(campaign.reviewStatus), failure: outcome };
    const moved = await moveCampaignReview(tx, campaign, { ...change, now });
    const { tenantId, merchantId, useCase: name, status, reviewStatus, reviewFailureCode, reviewFailureReason } = moved;
    return { tenantId, merchantId, name, states: { status, reviewStatus, reviewFailureCode, reviewFailureReason } };
  },
  async number(tx, { id, outcome: { isApproved }, now }) {
    const number = await findNumber(tx, id);
    if (number === undefined) throw unknown("number", id);
    const state = number.assignmentStatus;
    const isOpen = state === "PENDING_ASSIGNMENT";
    await requireWaiting(tx, { ...number, title: `number ${id}`, state, isOpen, since: number.assignmentStartedAt });
    const assignmentStatus = isApproved ? "ASSIGNED" : "FAILED_ASSIGNMENT";
    const ended = await endAssignment(tx, number, { assignmentStatus, now });
    const { tenantId, merchantId, phoneNumber: name, status } = ended;
    return { tenantId, merchantId, name, states: { status, assignmentStatus } };
  },
};

function unknown(kind: RegistrationKind, id: number): Error {
  return new Error(`there is no ${kind} ${id}: msgd registrations list shows the open ones`);
}

/** Throws unless the registration waits for the operator. Same rule as in `listWaitingRegistrations`. */
async function requireWaiting(
  tx: Transaction,
  row: { tenantId: number; title: string; state: string; isOpen: boolean; since: number | null },
): Promise<void> {
  const { tenantId, title, state, isOpen, since } = row;
  if ((await findTenant(tx, tenantId))?.mode === "test") {
    throw new Error(
      `${title} is of tenant ${tenantId}, a test tenant, whose reviews are simulated: this command decides on registrations of live tenants only`,
    );
  }
  if (!isOpen)
    throw new Error(`${title} is ${state}, so there is nothing to decide: msgd registrations list shows the open ones`);
  if (since === null) {
    throw new Error(
      `${title} is ${state} because its tenant set that state: the tenant imports the decisions of its own provider`,
    );
  }
}
