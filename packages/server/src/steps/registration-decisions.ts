// The operator's decision on what a live tenant's merchant has registered, made once it is registered where it counts.

import { failureFrom } from "../rules/campaign-review.ts";
import { findBrand } from "../store/brands.ts";
import { findCampaign } from "../store/campaigns.ts";
import { findNumber } from "../store/numbers.ts";
import type { Transaction } from "../store/store.ts";
import { findTenant } from "../store/tenants.ts";
import { noteDecision } from "./operator-audit.ts";
import { endAssignment, moveBrand, moveCampaignReview } from "./registration-progress.ts";

export const registrationKinds = ["brand", "campaign", "number"] as const;
export type RegistrationKind = (typeof registrationKinds)[number];

export interface Decision {
  readonly kind: RegistrationKind;
  readonly id: number;
  readonly outcome:
    | { readonly isApproved: true }
    | {
        readonly isApproved: false;
        /** Shown to the merchant of a campaign, which must have one. */
        readonly reason: string | null;
        /** Of a campaign. */
        readonly code: string | null;
      };
  /** Who decides. */
  readonly by: string;
  readonly now: number;
}

/** What was decided on, with the states that it has now. */
export interface Decided {
  readonly tenantId: number;
  readonly merchantId: string;
  readonly name: string;
  readonly states: Readonly<Record<string, string | null>>;
}

/** Decides on a brand, a campaign or a number. Throws, in the operator's words, where there is nothing to decide. */
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
    await requireWaiting(tx, {
      ...brand,
      title: `brand ${id}`,
      state: brand.status,
      isOpen,
      since: brand.reviewStartedAt,
    });
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
  return new Error(`there is no ${kind} ${id}: msgd registrations list shows what waits`);
}

/** The same as store/waiting.ts counts. */
async function requireWaiting(
  tx: Transaction,
  row: { tenantId: number; title: string; state: string; isOpen: boolean; since: number | null },
): Promise<void> {
  const { tenantId, title, state, isOpen, since } = row;
  if ((await findTenant(tx, tenantId))?.mode === "test") {
    throw new Error(
      `${title} is of tenant ${tenantId}, a test tenant, whose reviews are simulated: only those of live tenants are decided here`,
    );
  }
  if (!isOpen)
    throw new Error(`${title} is ${state}, and waits for no decision: msgd registrations list shows what does`);
  if (since === null) {
    throw new Error(`${title} is ${state} because its tenant said so, who imports what another provider decides`);
  }
}
