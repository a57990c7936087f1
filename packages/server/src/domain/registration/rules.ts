// Rules of 10DLC registration: how requests identify brands, limits, assignments, readiness, and addresses.

import type { Schemas } from "@msgctl/contract";
import {
  type BrandStatus,
  type BrandVerificationStatus,
  type CampaignStatus,
  canMove,
  type NumberAssignmentStatus,
  type NumberStatus,
} from "../transitions.ts";

/** A business's name in the form that is compared, without case, spaces and punctuation. */
export function foldBusinessName(name: string): string {
  const plain = name.normalize("NFKC").toLowerCase();
  const letters = plain.replace(/[^\p{L}\p{N}]+/gu, "");
  // a name of punctuation only is compared as it is
  return letters === "" ? plain.trim() : letters;
}

interface BrandIdentity {
  readonly provider: string;
  readonly providerBrandId: string | null;
  readonly externalBrandRef: string | null;
  readonly foldedName: string;
}

/**
 * Finds the brand that a request refers to among the merchant's brands, which are sorted newest first. Matches by the
 * provider and its id, else by the caller's reference, else by provider and name. A brand with another id or reference
 * never matches.
 */
export function findSameBrand<Brand extends BrandIdentity>(
  brands: readonly Brand[],
  asked: Omit<BrandIdentity, "provider"> & { readonly provider: string | undefined; readonly ownProvider: string },
): Brand | undefined {
  const provider = asked.provider ?? asked.ownProvider;
  const { providerBrandId, externalBrandRef, foldedName } = asked;
  if (providerBrandId !== null) {
    const known = brands.find((brand) => brand.provider === provider && brand.providerBrandId === providerBrandId);
    if (known !== undefined) return known;
  }
  const open = brands.filter((brand) => providerBrandId === null || brand.providerBrandId === null);
  if (externalBrandRef !== null) {
    const known = open.find((brand) => brand.externalBrandRef === externalBrandRef);
    if (known !== undefined) return known;
  }
  return open.find(
    (brand) =>
      brand.provider === provider &&
      brand.foldedName === foldedName &&
      (externalBrandRef === null || brand.externalBrandRef === null),
  );
}

/** Limits per merchant: more than a business registers, and few enough to be read at once. */
export const registrationLimits = { brands: 20, campaigns: 50, numbers: 500 } as const;

/** Fewest and most sub-use-cases of a campaign with this use case; both 0 if it has none. */
export function subUseCaseRange(useCase: string): { readonly fewest: number; readonly most: number } {
  if (useCase === "MIXED") return { fewest: 2, most: 5 };
  return useCase === "LOW_VOLUME" ? { fewest: 1, most: 5 } : { fewest: 0, most: 0 };
}

/** Most numbers that a campaign with this use case may have. */
export function numberLimit(useCase: string): number {
  return useCase === "SOLE_PROPRIETOR" ? 1 : 50;
}

/** Returns whether a number with this assignment status counts against its campaign's limit. */
export function countsAgainstLimit(status: NumberAssignmentStatus): boolean {
  return status !== "UNASSIGNED" && status !== "FAILED_ASSIGNMENT";
}

interface AssignableNumber {
  readonly id: number;
  readonly status: NumberStatus;
  readonly assignmentStatus: NumberAssignmentStatus;
  readonly campaignId: number | null;
}

/** Explains why the number's assignment to the campaign cannot begin; undefined if it can. */
export function findAssignmentObstacle(
  number: AssignableNumber,
  campaign: { readonly id: number; readonly status: CampaignStatus },
): string | undefined {
  if (number.status === "SUSPENDED" || number.status === "RELEASED") {
    return `Number ${number.id} is ${number.status} and cannot be assigned.`;
  }
  if (campaign.status === "FAILED" || campaign.status === "EXPIRED" || campaign.status === "SUSPENDED") {
    return `Campaign ${campaign.id} is ${campaign.status} and takes no numbers.`;
  }
  if (canMove("numberAssignment", number.assignmentStatus, "PENDING_ASSIGNMENT")) return undefined;
  const of = number.campaignId === null ? "" : ` of campaign ${number.campaignId}`;
  return `Number ${number.id} is ${number.assignmentStatus}${of}: register it as UNASSIGNED first, then assign it.`;
}

/**
 * Returns whether the number is already assigned to the campaign, or is being assigned.
 */
export function isAssignedTo(number: AssignableNumber, campaignId: number): boolean {
  const { assignmentStatus } = number;
  return (
    number.campaignId === campaignId && (assignmentStatus === "ASSIGNED" || assignmentStatus === "PENDING_ASSIGNMENT")
  );
}

const HOUR_MS = 60 * 60 * 1_000;

/** How the simulated registry changes a brand's status. */
const brandStages: Readonly<Partial<Record<BrandStatus, { readonly next: BrandStatus; readonly afterMs: number }>>> = {
  PENDING: { next: "IN_REVIEW", afterMs: HOUR_MS / 2 },
  IN_REVIEW: { next: "APPROVED", afterMs: HOUR_MS },
};

/** The next status in a review that began at `startedAt`, and its time; undefined after the end. */
export function nextBrandStage(
  startedAt: number,
  current: BrandStatus,
): { readonly status: BrandStatus; readonly dueAt: number } | undefined {
  const stage = brandStages[current];
  return stage && { status: stage.next, dueAt: startedAt + stage.afterMs };
}

/** When the simulated carriers confirm an assignment that began at `startedAt`. */
export function assignmentDueAt(startedAt: number): number {
  return startedAt + HOUR_MS;
}

export interface BrandState {
  readonly id: number;
  readonly status: BrandStatus;
  readonly verificationStatus: BrandVerificationStatus;
}

export interface CampaignState {
  readonly id: number;
  readonly brandId: number;
  readonly status: CampaignStatus;
}

export interface NumberState {
  readonly campaignId: number | null;
  readonly status: NumberStatus;
  readonly assignmentStatus: NumberAssignmentStatus;
  readonly capabilities: readonly string[];
}

export interface Registration {
  readonly brands: readonly BrandState[];
  readonly campaigns: readonly CampaignState[];
  readonly numbers: readonly NumberState[];
}

type BlockingReason = Schemas["RegistrationBlockingReason"];

/** Reasons in order of progress: the later a chain's reason, the closer the chain is to being ready. */
export const blockingReasons = [
  "MERCHANT_INACTIVE",
  "BRAND_MISSING",
  "BRAND_FAILED",
  "BRAND_SUSPENDED",
  "BRAND_PENDING",
  "BRAND_UNVERIFIED",
  "CAMPAIGN_MISSING",
  "CAMPAIGN_REJECTED",
  "CAMPAIGN_SUSPENDED",
  "CAMPAIGN_EXPIRED",
  "CAMPAIGN_PENDING",
  "NUMBER_MISSING",
  "NUMBER_INACTIVE",
  "NUMBER_NOT_SMS_CAPABLE",
  "NUMBER_UNASSIGNED",
  "NUMBER_ASSIGNMENT_FAILED",
  "NUMBER_ASSIGNMENT_PENDING",
] as const satisfies readonly BlockingReason[];

/** The blocking reason; undefined if there is none. */
type Finding = BlockingReason | undefined;

/** Why the merchant's furthest chain of brand, campaign and number is not ready; undefined if a chain is ready. */
export function findBlockingReason(merchant: Registration & { readonly isActive: boolean }): Finding {
  return merchant.isActive ? findRegistrationGap(merchant) : "MERCHANT_INACTIVE";
}

/** Like `findBlockingReason` for an active merchant. Carriers apply this rule before they accept an SMS. */
export function findRegistrationGap({ brands, campaigns, numbers }: Registration): Finding {
  return furthest(brands, "BRAND_MISSING", (brand) => {
    const own = campaigns.filter(({ brandId }) => brandId === brand.id);
    return brandReason(brand) ?? furthest(own, "CAMPAIGN_MISSING", (campaign) => campaignReason(campaign, numbers));
  });
}

/** The reason of the furthest chain; undefined if a chain is complete, `missing` if there is no chain. */
function furthest<T>(items: readonly T[], missing: BlockingReason, reasonOf: (item: T) => Finding): Finding {
  let best = missing;
  for (const item of items) {
    const reason = reasonOf(item);
    if (reason === undefined) return undefined;
    if (blockingReasons.indexOf(reason) > blockingReasons.indexOf(best)) best = reason;
  }
  return best;
}

const brandReasons: Readonly<Record<BrandStatus, Finding>> = {
  DRAFT: "BRAND_PENDING",
  PENDING: "BRAND_PENDING",
  IN_REVIEW: "BRAND_PENDING",
  APPROVED: undefined,
  FAILED: "BRAND_FAILED",
  SUSPENDED: "BRAND_SUSPENDED",
};

function brandReason({ status, verificationStatus }: BrandState): Finding {
  const isVerified = verificationStatus === "VERIFIED" || verificationStatus === "VETTED_VERIFIED";
  return brandReasons[status] ?? (isVerified ? undefined : "BRAND_UNVERIFIED");
}

const campaignReasons: Readonly<Record<CampaignStatus, Finding>> = {
  PENDING: "CAMPAIGN_PENDING",
  ACTIVE: undefined,
  EXPIRED: "CAMPAIGN_EXPIRED",
  SUSPENDED: "CAMPAIGN_SUSPENDED",
  FAILED: "CAMPAIGN_REJECTED",
};

/** Considers all numbers of the merchant: a number of another campaign counts as unassigned here. */
function campaignReason({ id, status }: CampaignState, numbers: readonly NumberState[]): Finding {
  return campaignReasons[status] ?? furthest(numbers, "NUMBER_MISSING", (number) => numberReason(number, id));
}

const assignmentReasons: Readonly<Record<NumberAssignmentStatus, Finding>> = {
  UNASSIGNED: "NUMBER_UNASSIGNED",
  PENDING_ASSIGNMENT: "NUMBER_ASSIGNMENT_PENDING",
  ASSIGNED: undefined,
  FAILED_ASSIGNMENT: "NUMBER_ASSIGNMENT_FAILED",
  PENDING_UNASSIGNMENT: "NUMBER_UNASSIGNED",
  // unassigning failed, so the number still belongs to the campaign
  FAILED_UNASSIGNMENT: undefined,
};

function numberReason(number: NumberState, campaignId: number): Finding {
  if (number.status !== "ACTIVE") return "NUMBER_INACTIVE";
  if (!number.capabilities.includes("SMS")) return "NUMBER_NOT_SMS_CAPABLE";
  return number.campaignId === campaignId ? assignmentReasons[number.assignmentStatus] : "NUMBER_UNASSIGNED";
}

/** Officially assigned ISO 3166-1 alpha-2 codes. */
const countries = new Set(
  (
    "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA " +
    "CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA " +
    "GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP " +
    "KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS " +
    "MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS " +
    "RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW " +
    "TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW"
  ).split(" "),
);

/** USPS codes: states, D.C., territories, freely associated states, and the armed forces. */
const usStates = new Set(
  (
    "AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA " +
    "RI SC SD TN TX UT VT VA WA WV WI WY DC AS GU MP PR VI UM FM MH PW AA AE AP"
  ).split(" "),
);

const ZIP = /^\d{5}(?:-\d{4})?$/;

type Address = { readonly [Field in "country" | "state" | "postalCode"]?: string | null | undefined };

interface AddressFault {
  readonly field: keyof Address;
  readonly detail: string;
}

/** Finds faults in the given parts of an address. Checks state and ZIP code only for the US. */
export function findAddressFaults(address: Address): AddressFault[] {
  const { country, state, postalCode } = address;
  const faults: AddressFault[] = [];
  if (country != null && !isCountry(country)) {
    faults.push({ field: "country", detail: `Expected an ISO 3166-1 code such as US; there is no ${country}.` });
  }
  if (country !== "US") return faults;
  if (state != null && !usStates.has(state)) {
    faults.push({ field: "state", detail: `Expected a US state's two letters, such as NY; received ${show(state)}.` });
  }
  if (postalCode != null && !ZIP.test(postalCode)) {
    const detail = `Expected a ZIP code such as 20005 or 20005-1234; received ${show(postalCode)}.`;
    faults.push({ field: "postalCode", detail });
  }
  return faults;
}

/** Returns whether the code is assigned in ISO 3166-1. */
export function isCountry(code: string): boolean {
  return countries.has(code);
}

function show(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}
