// Processes payments: submits each to its processor, outside any transaction, and records its status changes. A payment that
// may have been submitted is looked up at the processor, or submitted again unchanged while the processor recognises it.

import { SimulatedTenants } from "../carriers/carriers.ts";
import type {
  InstalledProcessor,
  PaymentEvent,
  PaymentFinding,
  PaymentNews,
  PaymentOrder,
  PaymentProcessor,
  PaymentReport,
} from "../carriers/payment-processor.ts";
import { doCreditsFit, movePayment, submitPaymentJob } from "../domain/billing/payments.ts";
import { saveProcessorState } from "../domain/billing/processor-rows.ts";
import {
  beginPayment,
  findPayment,
  type PaymentRow,
  peekPayment,
  releasePayment,
  savePaymentFacts,
  savePaymentJob,
  savePaymentRequest,
  saveProcessorPaymentId,
  saveUndecided,
} from "../domain/billing/rows.ts";
import { ACTION_MS } from "../domain/billing/rules.ts";
import { insertProviderEvent } from "../domain/carriers/rows.ts";
import { cleanWords } from "../domain/messages/rules.ts";
import { EVERY_TENANT } from "../domain/tenancy/rows.ts";
import { canMove, canMoveOn } from "../domain/transitions.ts";
import type { Logger } from "../platform/logging.ts";
import { reached } from "../platform/probes.ts";
import { cancelJob, lockJob, rescheduleJob, SUBMIT_PAYMENT, scheduleJob } from "../store/jobs.ts";
import type { Transaction } from "../store/store.ts";
import type { JobContext, JobEffect, JobHandler } from "./jobs/runner.ts";
import type { WorkerOptions } from "./lease-loop.ts";
import { ProviderCalls } from "./provider-calls.ts";

export interface PaymentsOptions extends Pick<WorkerOptions, "store" | "clock" | "logger"> {
  /** The simulated processor. */
  readonly processor: PaymentProcessor;
  /** Finds the processor that the operator has set for a tenant. @default none is set */
  readonly findInstalled?: ((tx: Transaction, tenantId: number) => Promise<InstalledProcessor | undefined>) | undefined;
  /** Tenants whose payments are simulated if they have no other processor. @default all */
  readonly simulated?: SimulatedTenants | undefined;
  /** Called when jobs of a payment were scheduled. */
  readonly notifyJobs: () => void;
}

/** Timeout of the processor's answer. */
const CALL_TIMEOUT_MS = 10_000;
/** Lease of a payment. It is longer than two calls, so that no two processes handle a payment at once. */
const LEASE_MS = 30_000;
/** A payment in doubt is looked up again after as much time as it has been in doubt, within these bounds. */
const LEAST_PAUSE_MS = 15_000;
const ASK_AGAIN_MS = 10 * 60_000;
/** Interval between look-ups of a payment whose processor reports its changes. They find changes whose report is lost. */
const LOOK_MS = 60 * 60_000;
/** Once a request can no longer be repeated, the payment is looked up for this time before it is left to the operator. */
const SEARCH_MS = 2 * 60 * 60_000;

/** Kind of the job that records one status change. Its subject is a `NewsSubject` in JSON. */
const paymentNews = "payment-news";

interface NewsSubject extends Omit<PaymentNews, "afterMs"> {
  readonly paymentId: string;
}

/** A processor for a payment. */
interface Holder {
  readonly processor: PaymentProcessor;
  /** Null for the simulated processor. */
  readonly name: string | null;
  /** Whether it may charge a payment that was never handed to a processor. If not, it is only asked about the payment. */
  readonly mayCharge: boolean;
}

interface Asked {
  readonly finding: PaymentFinding;
  /** Why the processor could not be asked; undefined if it answered, and null if it was not asked. */
  readonly downWords: string | undefined | null;
}

export function createPayments(options: PaymentsOptions) {
  const { store, clock, processor, findInstalled, logger, notifyJobs } = options;
  const { simulated = new SimulatedTenants({ includesLive: true }) } = options;
  const calls = new ProviderCalls(clock, CALL_TIMEOUT_MS);
  const underWay = new Set<Promise<void>>();
  let recording = 0;
  let isStopped = false;

  /** Claims the payment durably before the processor gets it. */
  async function begin({ tx, tenantId, now }: JobContext, paymentId: string): Promise<JobEffect> {
    const payment = await findPayment(tx, paymentId);
    if (payment === undefined || !mayBeAskedAbout(payment)) return undefined;
    const holder = await findHolder(tx, payment);
    if (holder === undefined) {
      // schedule no further job: the payment waits for the operator, and a processor that is added later never charges it
      if (payment.hasBegun === 1) await releaseUnheld(tx, payment);
      return undefined;
    }
    // an event may have scheduled a second job
    if (payment.jobId !== null) await cancelJob(tx, payment.jobId);
    // if this process dies, this job continues the payment; otherwise `record` cancels or postpones the job
    const jobId = await scheduleJob(tx, { tenantId, ...submitPaymentJob(paymentId, now + LEASE_MS) });
    if (canMoveOn("payment", payment.status)) {
      await beginPayment(tx, { paymentId, processor: holder.name, jobId, now });
    } else await savePaymentJob(tx, paymentId, jobId);
    return () => {
      if (isStopped) return;
      const work = perform(payment, { jobId, holder }).finally(() => underWay.delete(work));
      underWay.add(work);
    };
  }

  async function findHolder(tx: Transaction, payment: PaymentRow): Promise<Holder | undefined> {
    const { tenantId, hasBegun, createdAt } = payment;
    const isUsed = !(await simulated.isTest(tx, tenantId));
    const installed = isUsed ? await findInstalled?.(tx, tenantId) : undefined;
    const isServed = installed !== undefined && createdAt >= installed.servesFrom;
    const isKnown = payment.processorPaymentId !== null || !canMoveOn("payment", payment.status);
    const isHeld = payment.processor !== null && (hasBegun === 1 || isKnown);
    // the payment may be known to its processor, which may have been set again under another name
    if (isHeld) return installed && { processor: installed, name: installed.name, mayCharge: isServed };
    if (isServed) return { processor: installed, name: installed.name, mayCharge: true };
    const mayCharge = installed === undefined && (await simulated.includes(tx, tenantId));
    if (!mayCharge && hasBegun === 0) return undefined;
    return { processor, name: null, mayCharge };
  }

  async function releaseUnheld(tx: Transaction, { paymentId, requestedAt }: PaymentRow): Promise<void> {
    const undecided = requestedAt === null ? undefined : "its processor was removed before the outcome was known";
    await releasePayment(tx, paymentId, undecided);
  }

  async function perform(payment: PaymentRow, { jobId, holder }: { jobId: number; holder: Holder }): Promise<void> {
    const { finding, downWords } = await ask(payment, holder);
    // interrupted by `stop`: the processor is asked when the job falls due
    if (isStopped && finding.outcome === "unknown") return;
    try {
      const told = await write(async (tx) => {
        const now = clock.now();
        const recorded = await record(tx, now, { payment, jobId, holder, finding });
        // after the payment, because rows are locked in one order
        const { name } = holder;
        if (name !== null && downWords !== null) await saveProcessorState(tx, { name, downWords, now });
        return recorded;
      });
      told?.(logger);
      notifyJobs();
    } catch (error) {
      const details = { err: error, paymentId: payment.paymentId };
      reached("a payment was not recorded");
      logger.error(details, "failed to record a payment; the processor is asked about it again");
    }
  }

  async function write<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    recording += 1;
    try {
      return await store.write(work);
    } finally {
      recording -= 1;
    }
  }

  async function ask(payment: PaymentRow, holder: Holder): Promise<Asked> {
    const { paymentId, requestedAt, processorPaymentId } = payment;
    const isPrepared = holder.processor.prepare !== undefined;
    const mayHaveIt = isPrepared ? requestedAt !== null || processorPaymentId !== null : payment.hasBegun === 1;
    try {
      if (mayHaveIt && !mayRepeat(payment, holder)) {
        const finding = await lookUp(payment, holder);
        if (finding.outcome !== "absent" || !holder.mayCharge) return { finding, downWords: undefined };
      } else if (!holder.mayCharge && !mayHaveIt) return { finding: { outcome: "absent" }, downWords: null };
      return { finding: await submit(payment, holder), downWords: undefined };
    } catch (error) {
      reached("a payment is in doubt");
      logger.warn({ err: error, paymentId }, "it is unknown whether a payment was made; asking the processor");
      const words = error instanceof Error ? error.message : String(error);
      return { finding: { outcome: "unknown" }, downWords: cleanWords(words) };
    }
  }

  /** Whether the payment's own processor still recognises the request, so that repeating it cannot charge twice. */
  function mayRepeat({ requestedAt, processorPaymentId, ...payment }: PaymentRow, holder: Holder): boolean {
    if (requestedAt === null || processorPaymentId !== null || payment.status !== "PENDING") return false;
    const passedMs = clock.now() - requestedAt;
    const isOwn = payment.processor === null || payment.processor === holder.name;
    return isOwn && passedMs >= 0 && passedMs < (holder.processor.repeatableMs ?? 0);
  }

  async function lookUp(payment: PaymentRow, { processor: asked }: Holder): Promise<PaymentFinding> {
    const finding = await calls.run(({ signal }) => asked.find(toOrder(payment, clock.now()), signal));
    reached(finding.outcome === "absent" ? "a payment was proved absent" : "a payment was looked up");
    return finding;
  }

  async function submit(payment: PaymentRow, holder: Holder): Promise<PaymentFinding> {
    const { processor: asked, name } = holder;
    const { prepare } = asked;
    let order = toOrder(payment, clock.now());
    if (prepare !== undefined && name !== null && order.request === null) {
      const prepared = await calls.run(({ signal }) => prepare(order, signal));
      if ("refusal" in prepared) {
        // before a restore, the payment may have been requested
        if (payment.requestedAt !== null) return lookUp(payment, holder);
        return { outcome: "refused", reason: prepared.refusal };
      }
      const { request } = prepared;
      const saved = { paymentId: payment.paymentId, processor: name, request, now: clock.now() };
      // ended or released meanwhile: `record` sees that
      if (!(await write((tx) => savePaymentRequest(tx, saved)))) return { outcome: "unknown" };
      order = { ...order, request };
    }
    return calls.run(({ signal }) => asked.submit(order, signal));
  }

  /** Records a finding. Returns what to log once it is committed. */
  async function record(
    tx: Transaction,
    now: number,
    request: { payment: PaymentRow; jobId: number; holder: Holder; finding: PaymentFinding },
  ): Promise<((to: Pick<Logger, "warn" | "error">) => void) | undefined> {
    const { jobId, finding } = request;
    const { paymentId, tenantId } = request.payment;
    if (finding.outcome === "unknown") return recordUnknown(tx, now, { ...request, detail: finding.detail });
    // another process has taken over the payment and records the outcome
    if (!(await cancelJob(tx, jobId))) {
      reached("a payment was taken over by another process");
      return undefined;
    }
    if (finding.outcome === "absent") {
      await releasePayment(tx, paymentId);
      return undefined;
    }
    if (finding.outcome === "taken") {
      for (const { afterMs, ...news } of finding.news) {
        const subject: NewsSubject = { paymentId, ...news };
        await scheduleJob(tx, { tenantId, kind: paymentNews, subject: JSON.stringify(subject), dueAt: now + afterMs });
      }
      return undefined;
    }
    const payment = await findPayment(tx, paymentId);
    if (payment === undefined) return undefined;
    if (finding.outcome === "refused") {
      if (!canMove("payment", payment.status, "FAILED")) return undefined;
      await movePayment(tx, payment, { status: "FAILED", failureReason: finding.reason, settlement: null, now });
      return undefined;
    }
    return recordReport(tx, now, payment, finding.report);
  }

  /** Asks again later, or leaves the payment to the operator if nothing more can be found out. */
  async function recordUnknown(
    tx: Transaction,
    now: number,
    {
      payment,
      jobId,
      holder,
      detail,
    }: { payment: PaymentRow; jobId: number; holder: Holder; detail?: string | undefined },
  ): Promise<((to: Pick<Logger, "warn" | "error">) => void) | undefined> {
    const { paymentId } = payment;
    // jobs are locked before payments
    lockJob(tx, jobId);
    const current = await findPayment(tx, paymentId);
    if (current === undefined) return undefined;
    const isOpen = canMoveOn("payment", current.status);
    if (isOpen && current.hasBegun === 0) {
      await cancelJob(tx, jobId);
      return undefined;
    }
    const passedMs = now - (current.requestedAt ?? current.createdAt);
    const isRequested = current.requestedAt !== null && current.processorPaymentId === null;
    const isLost = isRequested && current.status === "PENDING" && holder.name !== null;
    if (isLost && passedMs >= (holder.processor.repeatableMs ?? 0) + SEARCH_MS) {
      await cancelJob(tx, jobId);
      await releasePayment(tx, paymentId, detail ?? "its processor could not be asked in time");
      return (to) => to.error({ paymentId, detail }, "it is unknown whether a payment was made: msgd payments list");
    }
    const pauseMs = Math.min(Math.max(passedMs, LEAST_PAUSE_MS), ASK_AGAIN_MS);
    const isSettled = !isOpen || current.processorPaymentId !== null;
    await rescheduleJob(tx, jobId, now + (holder.name === null || isSettled ? ASK_AGAIN_MS : pauseMs));
    return undefined;
  }

  /** Records the state that an installed processor reports, and looks again later while the payment is open. */
  async function recordReport(
    tx: Transaction,
    now: number,
    payment: PaymentRow,
    report: PaymentReport,
  ): Promise<((to: Pick<Logger, "warn" | "error">) => void) | undefined> {
    const { paymentId, tenantId, refundedCents } = payment;
    const { status, reason, mismatch, processorPaymentId } = report;
    const isDisputed = report.isDisputed ? 1 : 0;
    await savePaymentFacts(tx, { ...report, paymentId, isDisputed });
    const details = { paymentId, tenantId, processorPaymentId };
    const undecided = mismatch ?? (await findConflict(tx, payment, report));
    if (undecided !== undefined) {
      if (canMoveOn("payment", payment.status)) await releasePayment(tx, paymentId, undecided);
      else await saveUndecided(tx, paymentId, undecided);
      return (to) => to.error({ ...details, detail: undecided }, "a payment needs the operator: msgd payments show");
    }
    if (payment.undecided !== null) await saveUndecided(tx, paymentId, null);
    if (canMove("payment", payment.status, status)) {
      await movePayment(tx, payment, { status, failureReason: reason, settlement: null, now });
    }
    if (canMoveOn("payment", status)) {
      const since = payment.status === status ? payment.updatedAt : now;
      const untilMs = status === "REQUIRES_ACTION" ? Math.max(since + ACTION_MS - now, 0) : LOOK_MS;
      const dueAt = now + Math.min(LOOK_MS, untilMs);
      const jobId = await scheduleJob(tx, { tenantId, ...submitPaymentJob(paymentId, dueAt) });
      await beginPayment(tx, { paymentId, processor: payment.processor, jobId, now });
    }
    if (report.refundedCents > refundedCents || isDisputed !== payment.isDisputed) {
      const seen = { ...details, refundedCents: report.refundedCents, isDisputed: report.isDisputed };
      return (to) => to.warn(seen, "a payment was refunded or disputed; its credits are not taken back");
    }
    return undefined;
  }

  /** Handles an event of a processor: the processor is asked about the payment at once. */
  async function recordEvent(
    source: Pick<InstalledProcessor, "name" | "tenantId">,
    event: PaymentEvent,
  ): Promise<void> {
    const { eventId, processorPaymentId } = event;
    const result = await write(async (tx) => {
      const now = clock.now();
      if (!(await insertProviderEvent(tx, { provider: source.name, eventId, now }))) return "repeated";
      const payment = await peekPayment(tx, { processorPaymentId, paymentId: event.reference });
      if (payment === undefined) return event.reference === undefined ? "foreign" : "unknown";
      const { paymentId, tenantId, jobId } = payment;
      const isOfTenant = source.tenantId === EVERY_TENANT || source.tenantId === tenantId;
      const isSame = (payment.processorPaymentId ?? processorPaymentId) === processorPaymentId;
      if (!isOfTenant || !isSame || payment.processor === null) return "foreign";
      // jobs are locked before payments
      const isPending = jobId !== null && (await rescheduleJob(tx, jobId, now));
      if (!isPending) {
        const newJobId = await scheduleJob(tx, { tenantId, ...submitPaymentJob(paymentId, now) });
        await savePaymentJob(tx, paymentId, newJobId);
      }
      await saveProcessorPaymentId(tx, paymentId, processorPaymentId);
      return "known";
    });
    if (result === "known") notifyJobs();
    const details = { processor: source.name, eventId, processorPaymentId, paymentId: event.reference };
    if (result === "unknown") logger.warn(details, "a processor reports a payment that this database does not have");
  }

  /** Handlers of the jobs of a payment. */
  const jobs: Readonly<Record<string, JobHandler>> = {
    [SUBMIT_PAYMENT]: begin,
    [paymentNews]: (context, subject) => recordNews(context, JSON.parse(subject) as NewsSubject),
  };

  return {
    jobs,
    recordEvent,
    /** Whether a payment is being recorded. Waiting for the processor or the clock does not count. */
    isBusy: () => recording > 0,
    /** Abandons calls to the processor that are in flight; their outcome stays unknown. */
    async stop(): Promise<void> {
      isStopped = true;
      calls.abandonAll();
      await Promise.all(underWay);
    },
  };
}

/** Whether a processor has, or may get, the payment. */
function mayBeAskedAbout({ status, hasBegun, undecided, processor, processorPaymentId }: PaymentRow): boolean {
  // an event may still decide it
  if (undecided !== null) return processorPaymentId !== null;
  if (processor !== null) return hasBegun === 1 || processorPaymentId !== null || status === "PENDING";
  return status === "PENDING";
}

function toOrder(payment: PaymentRow, now: number): PaymentOrder {
  const { paymentId, tenantId, paymentMethod, amountCents, currency, status } = payment;
  return {
    ...{ reference: paymentId, tenantId, paymentMethod, amountCents, currency, status },
    request: payment.processorRequest,
    processorPaymentId: payment.processorPaymentId,
    isOverdue: status === "REQUIRES_ACTION" && now - payment.updatedAt >= ACTION_MS,
  };
}

/** Finds why a report must not be recorded as it is. */
async function findConflict(
  tx: Transaction,
  payment: PaymentRow,
  { status, processorPaymentId }: PaymentReport,
): Promise<string | undefined> {
  if (status !== "SUCCEEDED" || payment.status === "SUCCEEDED") return undefined;
  if (!canMoveOn("payment", payment.status)) {
    return `${processorPaymentId} was paid, but the payment is ${payment.status}: refund it at the processor`;
  }
  if (await doCreditsFit(tx, payment)) return undefined;
  return `${processorPaymentId} was paid, but the credits would exceed 2^53-1: refund it, and settle the payment as failed`;
}

/** Records the processor's report, unless the payment has moved past it. */
async function recordNews({ tx, now }: JobContext, { paymentId, status, reason }: NewsSubject): Promise<void> {
  const payment = await findPayment(tx, paymentId);
  if (payment === undefined || !canMove("payment", payment.status, status)) return;
  const isTooMuch = status === "SUCCEEDED" && !(await doCreditsFit(tx, payment));
  const change = isTooMuch
    ? ({ status: "CANCELED", failureReason: "credits_out_of_range" } as const)
    : { status, failureReason: reason };
  await movePayment(tx, payment, { ...change, settlement: null, now });
}
