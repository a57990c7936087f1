// Registrations: simulated reviews, and reviews that wait for the operator.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SimulatedTenants } from "../../carriers/carriers.ts";
import { createVirtualClock, type VirtualClock } from "../../development/clocks.ts";
import { upsertMerchant } from "../../domain/merchants/rows.ts";
import {
  readRegistration,
  scheduleAssignment,
  scheduleBrandReview,
  scheduleCampaignReview,
} from "../../domain/registration/progress.ts";
import {
  findBrand,
  findCampaign,
  findNumber,
  insertBrand,
  insertCampaign,
  insertNumber,
} from "../../domain/registration/rows.ts";
import { findRegistrationGap } from "../../domain/registration/rules.ts";
import { countWaitingRegistrations } from "../../domain/reports/backlog-rows.ts";
import { insertTenant, type TenantMode } from "../../domain/tenancy/rows.ts";
import type { Store } from "../../store/store.ts";
import { newBrand, newCampaign, newNumber } from "../../testing/registration.ts";
import { openTestStore } from "../../testing/test-store.ts";
import { registrationReviews } from "./handlers.ts";
import { createJobRunner, type JobRunner } from "./runner.ts";

const now = Date.UTC(2026, 0, 15, 12);
const WEEK_MS = 7 * 24 * 60 * 60_000;

let clock: VirtualClock;
let store: Store;
let jobs: JobRunner | undefined;
beforeEach(async () => {
  clock = createVirtualClock(now);
  store = await openTestStore({ now: clock.now });
});
afterEach(async () => {
  await jobs?.stop();
  await store.close();
});

interface Registered {
  readonly tenantId: number;
  readonly brandId: number;
  readonly campaignId: number;
  readonly numberId: number;
}

function register(mode: TenantMode): Promise<Registered> {
  return store.write(async (tx) => {
    const { tenantId } = await insertTenant(tx, { name: mode, timezone: "UTC", mode, now });
    const owner = { tenantId, merchantId: "shop", now };
    await upsertMerchant(tx, { ...owner, displayName: "Shop", active: true });
    const brand = newBrand(owner);
    const brandId = await insertBrand(tx, brand, now);
    await scheduleBrandReview(tx, { ...brand, id: brandId });
    const campaign = newCampaign({ ...owner, brandId });
    const campaignId = await insertCampaign(tx, campaign, now);
    await scheduleCampaignReview(tx, { ...campaign, id: campaignId });
    const number = newNumber({ ...owner, campaignId, phoneNumber: "+12025550142" });
    const numberId = await insertNumber(tx, number, now);
    await scheduleAssignment(tx, { ...number, id: numberId });
    return { tenantId, brandId, campaignId, numberId };
  });
}

function start(simulated: SimulatedTenants): void {
  const logger = { warn: () => undefined, error: () => undefined };
  const none = () => undefined;
  const notify = { notifyDispatcher: none, notifySynthesizer: none, notifyCallbacks: none };
  const runner = createJobRunner({ store, clock, logger, handlers: registrationReviews(simulated), ...notify });
  clock.watch(() => runner.isBusy());
  runner.start();
  jobs = runner;
}

const statesOf = ({ brandId, campaignId, numberId }: Registered) =>
  store.write(async (tx) => [
    (await findBrand(tx, brandId))?.status,
    (await findCampaign(tx, campaignId))?.reviewStatus,
    (await findNumber(tx, numberId))?.assignmentStatus,
  ]);

const gapOf = ({ tenantId }: Registered) =>
  store.read(async (tx) => findRegistrationGap(await readRegistration(tx, tenantId, "shop")));

const waitingOf = (tenantId?: number) =>
  store.read((tx) => countWaitingRegistrations(tx, { ...(tenantId === undefined ? {} : { tenantId }), most: 100 }));

const ready = ["APPROVED", "MNO_PROVISIONED", "ASSIGNED"];
const first = ["PENDING", "TCR_PENDING", "PENDING_ASSIGNMENT"];

describe("a registration", () => {
  it("of a live tenant waits in its first states and shows the reason, while one of a test tenant is completed", async () => {
    const [live, test] = [await register("live"), await register("test")];
    start(new SimulatedTenants({ includesLive: false }));
    await clock.advanceBy(WEEK_MS);
    expect([await statesOf(live), await statesOf(test)]).toEqual([first, ready]);
    expect(await store.read((tx) => tx.all("SELECT 1 FROM jobs"))).toEqual([]);
    expect([await gapOf(live), await gapOf(test)]).toEqual(["BRAND_PENDING", undefined]);
    expect([await waitingOf(), await waitingOf(live.tenantId)]).toEqual([
      { count: 3, since: now },
      { count: 3, since: now },
    ]);
    expect(await waitingOf(test.tenantId)).toEqual({ count: 0, since: null });
  });

  it("of a live tenant is simulated in development", async () => {
    const live = await register("live");
    start(new SimulatedTenants({ includesLive: true }));
    await clock.advanceBy(WEEK_MS);
    expect(await statesOf(live)).toEqual(ready);
  });
});
