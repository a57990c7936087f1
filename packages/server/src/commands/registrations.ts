// `msgd registrations`: lists and decides the reviews of live tenants' brands, campaigns and numbers.

import { type Decision, decideRegistration, type RegistrationKind } from "../domain/registration/progress.ts";
import { listWaitingRegistrations, type WaitingRegistration } from "../domain/reports/backlog-rows.ts";
import { ConfigError } from "../settings/config.ts";
import { withKnownStore } from "./database.ts";
import {
  type CommandEnvironment,
  excerpt,
  type OutputFlags,
  print,
  printList,
  readDecider,
  readOptionalTenantId,
  readText,
  toPrintable,
} from "./environment.ts";
import { requireTenant } from "./tenants.ts";

const MOST_LISTED = 1_000;
/** The contract's limits for the code and reason of a failed review. */
const LONGEST_CODE = 64;
const LONGEST_REASON = 1_024;

/** `msgd registrations list`: lists registrations that wait for a decision, the oldest first. */
export async function runRegistrationsList(
  flags: OutputFlags & { tenant?: string },
  environment: CommandEnvironment,
): Promise<void> {
  const tenantId = readOptionalTenantId(flags);
  const { output } = environment;
  await withKnownStore(flags, environment, async (store) => {
    if (tenantId !== undefined) await requireTenant(store, tenantId);
    const found = await store.read((tx) => listWaitingRegistrations(tx, { tenantId, limit: MOST_LISTED + 1 }));
    const rows = found.slice(0, MOST_LISTED).map(view);
    printList(output, { format: flags.output, rows, none: "No registration waits.", describe });
    if (found.length > MOST_LISTED) output.err(`Only the ${MOST_LISTED} oldest are shown; there are more.\n`);
  });
}

export interface ReviewFlags extends OutputFlags {
  readonly by: string;
  readonly reason?: string;
  readonly code?: string;
}

/** `msgd registrations review`: decides on a brand, a campaign or a number. */
export async function runRegistrationsReview(
  asked: { kind: RegistrationKind; id: string; decision: string },
  flags: ReviewFlags,
  environment: CommandEnvironment,
): Promise<void> {
  const { kind } = asked;
  const id = readId(asked.id);
  const by = readDecider(flags.by);
  const outcome = readOutcome(asked, flags);
  await withKnownStore(flags, environment, async (store) => {
    const now = environment.clock.now();
    const decided = await store.write((tx) => decideRegistration(tx, { kind, id, outcome, by, now }));
    const { tenantId, merchantId, name, states } = decided;
    const shown = flags.output === "json" ? name : toPrintable(name);
    const values = { kind, id, tenantId: String(tenantId), merchantId, name: shown, ...states };
    print(environment.output, flags.output, values);
  });
}

function readId(text: string): number {
  if (/^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
  throw new ConfigError(`<id>: expected a number, received "${toPrintable(text)}": msgd registrations list shows them`);
}

function readOutcome(
  { kind, decision }: { kind: RegistrationKind; decision: string },
  flags: ReviewFlags,
): Decision["outcome"] {
  if (decision !== "approved" && decision !== "rejected") {
    throw new ConfigError(`<decision>: expected approved or rejected, received "${toPrintable(decision)}"`);
  }
  const reason = flags.reason === undefined ? null : readText("--reason", flags.reason, LONGEST_REASON);
  const code = flags.code === undefined ? null : readText("--code", flags.code, LONGEST_CODE);
  if (decision === "approved") {
    if (reason !== null || code !== null) throw new ConfigError("--reason, --code: allowed only with rejected");
    return { isApproved: true };
  }
  if (kind === "campaign" && reason === null) {
    throw new ConfigError("--reason: expected the reason why the campaign was rejected; its merchant sees it");
  }
  if (kind !== "campaign" && code !== null) {
    throw new ConfigError(`--code: allowed only for a campaign, received for a ${kind}`);
  }
  return { isApproved: false, reason, code };
}

function view({ tenantId, since, ...row }: WaitingRegistration) {
  return { ...row, tenantId: String(tenantId), since: new Date(since).toISOString() };
}

function describe(row: ReturnType<typeof view>): string {
  const { kind, id, tenantId, merchantId, since } = row;
  const words = [since, kind, String(id), `tenant ${tenantId}, merchant ${merchantId}`, ...describeWhat(row)];
  return `${words.join("  ")}\n`;
}

function describeWhat(row: ReturnType<typeof view>): string[] {
  if (row.kind === "brand") {
    const { legalBusinessName, businessType, country, externalBrandRef, status } = row;
    const known = [businessType, country].filter((text) => text !== null);
    return [excerpt(legalBusinessName), status, ...known, ...referenceOf(externalBrandRef)];
  }
  if (row.kind === "campaign") {
    const { useCase, reviewStatus, legalBusinessName, campaignReference, description } = row;
    const brand = `of brand ${row.brandId}, ${excerpt(legalBusinessName)}`;
    return [useCase, reviewStatus, brand, ...referenceOf(campaignReference), excerpt(description)];
  }
  const { phoneNumber, assignmentStatus, campaignId } = row;
  return [phoneNumber, assignmentStatus, `to campaign ${campaignId}`];
}

function referenceOf(reference: string | null): string[] {
  return reference === null ? [] : [`reference ${excerpt(reference)}`];
}
