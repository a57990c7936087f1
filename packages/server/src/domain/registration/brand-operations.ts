// Registers a brand: finds the existing brand that a request means, merges changes, and decides whether a review begins.

import { parseEmailAddress } from "@msgctl/contract/email-addresses";
import { defined } from "../../platform/defined.ts";
import type { Caller, OperationContext } from "../context.ts";
import type { Handlers, OperationInput, OperationResult } from "../handler.ts";
import { parsePhoneNumber } from "../phone-numbers.ts";
import { type FieldFault, Refusal, refuseFaults } from "../refusal.ts";
import { lockOwnMerchant, requireMerchant, tenantImports } from "../tenancy/access.ts";
import { canMove, move } from "../transitions.ts";
import { scheduleBrandReview } from "./progress.ts";
import { brandStatusAfterEdit, findChanged, openOfBrand, reviewedOfBrand } from "./reviews.ts";
import {
  type BrandRow,
  findBrand,
  insertBrand,
  type KnownBrandRow,
  listKnownBrands,
  type ShownBrandRow,
  updateBrand,
} from "./rows.ts";
import { findAddressFaults, findSameBrand, foldBusinessName, registrationLimits } from "./rules.ts";

/** The default provider, whose reviews msgd simulates. */
export const ownProvider = "simulated";

type BrandRequest = OperationInput<"registerBrand">["body"];
export type BrandView = OperationResult<"registerBrand">;

export const brandHandlers: Handlers<"registerBrand"> = {
  registerBrand: {
    authorize(caller, { path, body }) {
      requireMerchant(caller, path.merchantId);
      tenantImports(caller, body, ["status", "verificationStatus", "rawProviderPayload"]);
    },
    schedules: true,
    findFaults: ({ body }) => toFieldFaults(addressOf(Object(body))),
    async write(context, { path, body }) {
      const merchantId = await lockOwnMerchant(context, path.merchantId);
      const brands = await listKnownBrands(context.tx, context.caller.tenantId, merchantId);
      const known = await findKnown(context, brands, body);
      if (known === undefined) requireRoom("brands", brands.length, merchantId);
      const faults = toFieldFaults({ ...known, ...defined(body) });
      if (faults.length > 0) throw refuseFaults(faults);
      const saved =
        known === undefined
          ? await add(context, merge(blank(context, merchantId), body))
          : await change(context, known, { ...merge(known, body), id: known.id, updatedAt: context.now });
      return { result: viewBrand(saved), reference: { brandId: saved.id } };
    },
    async replay({ tx }, reference) {
      const brand = await findBrand(tx, Number(reference.brandId));
      if (brand === undefined) throw new Error("a registered brand is gone");
      return viewBrand(brand);
    },
  },
};

async function findKnown(
  { tx }: OperationContext,
  brands: readonly KnownBrandRow[],
  body: BrandRequest,
): Promise<BrandRow | undefined> {
  const known = findSameBrand(brands, {
    provider: body.provider,
    ownProvider,
    providerBrandId: body.providerBrandId ?? null,
    externalBrandRef: body.externalBrandRef ?? null,
    foldedName: foldBusinessName(body.legalBusinessName),
  });
  return known && findBrand(tx, known.id);
}

/** Throws `registration_limit` if the merchant already has as many of the kind as it may. */
export function requireRoom(kind: keyof typeof registrationLimits, count: number, merchantId: string): void {
  const limit = registrationLimits[kind];
  if (count < limit) return;
  throw new Refusal("registration_limit", `${merchantId} has ${count} ${kind}, and a merchant may have ${limit}.`);
}

/**
 * Lists reviewed members that the request changes, so that the review no longer covers them. Empty for a tenant's
 * credential: its changes count as imports of what a provider has approved.
 */
export function findEdits<Member extends string>(
  { merchantId }: Caller,
  before: Readonly<Record<Member, unknown>>,
  after: Readonly<Record<Member, unknown>>,
  reviewed: readonly Member[],
): Member[] {
  return merchantId === null ? [] : findChanged(before, after, reviewed);
}

/** The refusal of edits. `subject` names the object and its state, `instead` the object to register for other changes. */
export function refuseEdits(
  edits: readonly string[],
  { subject, open, instead }: { subject: string; open: readonly string[]; instead: string },
): Refusal {
  return new Refusal(
    "illegal_transition",
    `${subject}, and this credential cannot change reviewed fields: leave ${edits.join(", ")} unchanged. ` +
      `It can change ${open.join(", ")}. For other changes register ${instead}, or ask the tenant.`,
  );
}

function blank({ caller, now }: OperationContext, merchantId: string): Omit<BrandRow, "id"> {
  return {
    tenantId: caller.tenantId,
    merchantId,
    provider: ownProvider,
    providerBrandId: null,
    externalBrandRef: null,
    legalBusinessName: "",
    foldedName: "",
    businessType: null,
    websiteUrl: null,
    street: null,
    city: null,
    state: null,
    postalCode: null,
    country: null,
    contactFirstName: null,
    contactLastName: null,
    contactEmail: null,
    contactPhone: null,
    status: "PENDING",
    verificationStatus: "UNVERIFIED",
    isVerificationGiven: 0,
    rawProviderPayload: null,
    reviewStartedAt: now,
    createdAt: now,
    updatedAt: now,
  };
}

/** Replaces old values by given ones. A given status ends the review, because the review would change this status. */
function merge(before: Omit<BrandRow, "id">, body: BrandRequest): Omit<BrandRow, "id"> {
  return {
    ...before,
    ...defined(body),
    foldedName: foldBusinessName(body.legalBusinessName),
    contactEmail: normalize(body.contactEmail, parseEmailAddress) ?? before.contactEmail,
    contactPhone: normalize(body.contactPhone, parsePhoneNumber) ?? before.contactPhone,
    isVerificationGiven: body.verificationStatus === undefined ? before.isVerificationGiven : 1,
    reviewStartedAt: body.status === undefined ? before.reviewStartedAt : null,
  };
}

async function add({ tx, now }: OperationContext, row: Omit<BrandRow, "id">): Promise<BrandRow> {
  const brand = { ...row, id: await insertBrand(tx, row, now) };
  await scheduleBrandReview(tx, brand);
  return brand;
}

async function change(context: OperationContext, before: BrandRow, after: BrandRow): Promise<BrandRow> {
  const brand = reviewEdits(context, before, after);
  await updateBrand(context.tx, brand);
  if (brand.reviewStartedAt !== before.reviewStartedAt) await scheduleBrandReview(context.tx, brand);
  return brand;
}

/** If its merchant changes a brand's identity, the brand loses its verification and, if it had failed, is reviewed again. */
function reviewEdits({ caller, now }: OperationContext, before: BrandRow, after: BrandRow): BrandRow {
  const edits = findEdits(caller, identityOf(before), identityOf(after), reviewedOfBrand);
  if (edits.length === 0)
    return isCorrected(before, after) ? { ...after, status: "PENDING", reviewStartedAt: now } : after;
  const status = brandStatusAfterEdit(before.status);
  if (status === undefined) {
    const instead = "another brand, with an externalBrandRef of its own";
    throw refuseEdits(edits, { subject: `Brand ${before.id} is ${before.status}`, open: openOfBrand, instead });
  }
  const { verificationStatus } = before;
  const isVerified = verificationStatus !== "UNVERIFIED";
  return {
    ...after,
    status,
    verificationStatus: isVerified ? move("brandVerification", verificationStatus, "UNVERIFIED") : verificationStatus,
    reviewStartedAt: status === before.status ? before.reviewStartedAt : now,
  };
}

/**
 * Returns whether a brand that this server rejected now describes another business. Then it is reviewed again, whichever
 * credential changed it.
 */
function isCorrected(before: BrandRow, after: BrandRow): boolean {
  if (after.reviewStartedAt === null || !canMove("brand", after.status, "PENDING")) return false;
  return findChanged(identityOf(before), identityOf(after), reviewedOfBrand).length > 0;
}

/** The values that identify the business. Different spellings of its name count as the same. */
function identityOf(brand: BrandRow): BrandRow {
  return { ...brand, legalBusinessName: brand.foldedName };
}

function normalize(value: string | undefined, parse: (value: string) => string | undefined): string | undefined {
  return value === undefined ? undefined : parse(value);
}

type Address = Parameters<typeof findAddressFaults>[0];

/** The address in an unvalidated body. */
function addressOf(body: Record<string, unknown>): Address {
  const text = (value: unknown) => (typeof value === "string" ? value : undefined);
  return { country: text(body.country), state: text(body.state), postalCode: text(body.postalCode) };
}

function toFieldFaults(address: Address): FieldFault[] {
  return findAddressFaults(address).map(({ field, detail }) => ({ pointer: `/${field}`, code: "not_allowed", detail }));
}

export function viewBrand(brand: ShownBrandRow): BrandView {
  return {
    merchantId: brand.merchantId,
    provider: brand.provider,
    providerBrandId: brand.providerBrandId,
    externalBrandRef: brand.externalBrandRef,
    legalBusinessName: brand.legalBusinessName,
    businessType: brand.businessType,
    websiteUrl: brand.websiteUrl,
    street: brand.street,
    city: brand.city,
    state: brand.state,
    postalCode: brand.postalCode,
    country: brand.country,
    contactFirstName: brand.contactFirstName,
    contactLastName: brand.contactLastName,
    contactEmail: brand.contactEmail,
    contactPhone: brand.contactPhone,
    status: brand.status,
    verificationStatus: brand.verificationStatus,
    id: brand.id,
    updatedAt: new Date(brand.updatedAt).toISOString(),
  };
}
