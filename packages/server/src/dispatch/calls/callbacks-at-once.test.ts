// Every recorded change of a call wakes the callback dispatcher, so that callbacks do not wait for the next claim.

import { afterEach, beforeEach, expect, it } from "vitest";
import { carryForAll } from "../../carriers/carriers.ts";
import { nameLateAnswer, type SubmitCall, type SubmitOutcome } from "../../carriers/provider.ts";
import { openSimulatedProvider } from "../../carriers/simulated/simulated.ts";
import { createVirtualClock, type VirtualClock } from "../../development/clocks.ts";
import { defaultPrices } from "../../domain/billing/rules.ts";
import { acceptCalls, planCalls } from "../../domain/calls/accept.ts";
import { createRecipientDigest } from "../../domain/contacts.ts";
import { upsertMerchant, upsertQuota } from "../../domain/merchants/rows.ts";
import { insertTenant } from "../../domain/tenancy/rows.ts";
import { openLedgerDatabase } from "../../engines.ts";
import type { Store } from "../../store/store.ts";
import { onlyEngine, testSettings, testTerms } from "../../testing/calls.ts";
import { runDueJobs } from "../../testing/due-jobs.ts";
import { ScriptedProvider, silence } from "../../testing/scripted-provider.ts";
import { openTestStore } from "../../testing/test-store.ts";
import { createDispatcher } from "../messages/dispatcher.ts";
import { callJobs } from "./call-jobs.ts";
import { createSynthesizer } from "./synthesizer.ts";

const noon = Date.UTC(2026, 0, 16, 18);
const refused = { outcome: "refused", reason: "BLOCKED", isOptOut: false, detail: "no" } as const;
const logger = { warn() {}, error() {} };
const common = { consentPolicy: "opt_out_only", digestRecipient: createRecipientDigest("p") } as const;

let clock: VirtualClock;
let store: Store;
/** A carrier without `find`. */
let carrier: ScriptedProvider;
/** Number of callbacks at each wake-up of the callback dispatcher. */
let told: number[];

beforeEach(async () => {
  clock = createVirtualClock(noon);
  store = await openTestStore({ now: clock.now });
  carrier = new ScriptedProvider();
  delete carrier.find;
  told = [];
  await store.write(async (tx) => {
    const { tenantId } = await insertTenant(tx, { name: "Test", timezone: "UTC", now: noon });
    const key = { tenantId, merchantId: "shop" };
    await upsertMerchant(tx, { ...key, displayName: "Shop", active: true, now: noon });
    await upsertQuota(tx, { ...key, channel: "VOICE", limit: 1_000, credits: 0 });
    const caller = { apiKey: "k", tenantId, timezone: "UTC", merchantId: null };
    const context = { tx, caller, now: noon, settings: testSettings({ consentPolicy: "opt_out_only" }) };
    const terms = testTerms({ callbackUrl: "https://shop.example/hook" });
    await acceptCalls(context, await planCalls(context, { terms, numbers: ["+12025550100"] }));
  });
  await speak();
});
afterEach(() => store.close());

async function speak(): Promise<void> {
  const { speech } = await openSimulatedProvider({ clock, database: await openLedgerDatabase({ file: ":memory:" }) });
  const handlers = callJobs({
    ...common,
    carriers: carryForAll({ VOICE: carrier }),
    engines: onlyEngine(speech),
    prices: defaultPrices,
  });
  await runDueJobs({ store, clock, handlers });
  const synthesizer = createSynthesizer({ store, clock, logger, engines: onlyEngine(speech), notifyJobs() {} });
  clock.watch(() => synthesizer.isBusy());
  await synthesizer.start();
  await clock.advanceBy(1_000);
  await synthesizer.stop();
  await runDueJobs({ store, clock, handlers });
}

const countCallbacks = async () => (await store.read((tx) => tx.all("SELECT webhook_id FROM callbacks"))).length;

/** Dials the call. Returns its reference, and the number of callbacks before the outcome. */
async function dial(
  onSubmit: (call: SubmitCall) => Promise<SubmitOutcome>,
): Promise<{ clientReference: string; before: number }> {
  carrier.onSubmit = async (_submission, call) => {
    await call.handOver();
    return onSubmit(call);
  };
  const dispatcher = createDispatcher({
    ...{ ...common, store, clock, logger, carriers: carryForAll({ VOICE: carrier }) },
    notifyCallbacks: () => void countCallbacks().then((count) => told.push(count)),
  });
  clock.watch(() => dispatcher.isBusy());
  await dispatcher.start();
  await clock.advanceBy(15_000);
  const [submission] = carrier.submissions;
  return { clientReference: submission?.clientReference ?? "", before: await countCallbacks() };
}

async function expectTold(before: number): Promise<void> {
  await clock.settle();
  const now = await countCallbacks();
  expect(now).toBeGreaterThan(before);
  await expect.poll(() => told.at(-1)).toBe(now);
}

it("a carrier's report wakes the callback dispatcher", async () => {
  const { clientReference, before } = await dial(async () => ({ outcome: "taken", providerMessageId: "p" }));
  const report = { stage: "ENDED", outcome: "HEARD", durationSeconds: 20 } as const;
  await carrier.tell({ kind: "call", eventId: "end", clientReference, providerMessageId: "p", report });
  await expectTold(before);
});

it("a late answer wakes the callback dispatcher", async () => {
  const { clientReference, before } = await dial(silence);
  const late = { kind: "late-answer", clientReference, answer: refused, attempt: 1 } as const;
  await carrier.tell({ ...late, eventId: nameLateAnswer(clientReference, 1) });
  await expectTold(before);
});

it("an answer recorded after its lease expired wakes the callback dispatcher", async () => {
  let before: number | undefined;
  let isEnding = false;
  clock.watch(() => isEnding);
  await dial(async () => {
    isEnding = true;
    await store.write(async (tx) => {
      await tx.run("UPDATE dispatches SET state = 'reconciling', lease_token = NULL");
      await tx.run("UPDATE messages SET attempts = 1");
    });
    before = await countCallbacks();
    isEnding = false;
    return refused;
  });
  await expectTold(before ?? expect.fail("the call was not dialled"));
});
