// Sees payments through: each is handed to the processor once, outside any transaction, and its news is recorded when
// due. As with a message, a payment that may have been handed over is asked about, never blindly handed over again.

import { everyTenant, type SimulatedTenants } from "../carriers/carriers.ts";
import type { PaymentFinding, PaymentNews, PaymentProcessor } from "../carriers/payment-processor.ts";
import { doCreditsFit, movePayment, submitPaymentJob } from "../domain/billing/payments.ts";
import { beginPayment, findPayment, type PaymentRow, releasePayment } from "../domain/billing/rows.ts";
import { canMove } from "../domain/transitions.ts";
import { reached } from "../platform/probes.ts";
import { cancelJob, rescheduleJob, SUBMIT_PAYMENT, scheduleJob } from "../store/jobs.ts";
import type { Transaction } from "../store/store.ts";
import type { JobContext, JobEffect, JobHandler } from "./jobs/runner.ts";
import type { WorkerOptions } from "./lease-loop.ts";
import { ProviderCalls } from "./provider-calls.ts";

export interface PaymentsOptions extends Pick<WorkerOptions, "store" | "clock" | "logger"> {
  readonly processor: PaymentProcessor;
  /** Tenants whose payments the processor takes; others' wait for the operator. @default all */
  readonly simulated?: SimulatedTenants | undefined;
  /** Called when jobs of a payment were scheduled. */
  readonly notifyJobs: () => void;
}

/** Time limit for the processor's answer. */
const CALL_TIMEOUT_MS = 10_000;
/** Lease of a payment: longer than a call, so that no two processes handle it. */
const LEASE_MS = 30_000;
/** Delay before the processor is asked again about a payment in doubt. */
const ASK_AGAIN_MS = 10 * 60_000;

/** Kind of the job that records one piece of news; its subject is JSON of a `NewsSubject`. */
const paymentNews = "payment-news";

interface NewsSubject extends Omit<PaymentNews, "afterMs"> {
  readonly paymentId: string;
}

export function createPayments(options: PaymentsOptions) {
  const { store, clock, processor, simulated = everyTenant, logger, notifyJobs } = options;
  const calls = new ProviderCalls(clock, CALL_TIMEOUT_MS);
  const underWay = new Set<Promise<void>>();
  let recording = 0;
  let isStopped = false;

  /** Claims the payment, durably, before the processor hears of it. */
  async function begin({ tx, tenantId, now }: JobContext, paymentId: string): Promise<JobEffect> {
    const payment = await findPayment(tx, paymentId);
    if (payment === undefined || payment.status !== "PENDING") return undefined;
    const isTaken = await simulated.includes(tx, payment.tenantId);
    // a processor that is set up later charges nothing that waits: this job was the last
    if (!isTaken && payment.hasBegun === 0) return undefined;
    await beginPayment(tx, paymentId, now);
    // replaces the running job, in case this process dies
    const jobId = await scheduleJob(tx, { tenantId, ...submitPaymentJob(paymentId, now + LEASE_MS) });
    return () => {
      if (isStopped) return;
      const work = perform(payment, { jobId, isTaken }).finally(() => underWay.delete(work));
      underWay.add(work);
    };
  }

  async function perform(payment: PaymentRow, { jobId, isTaken }: { jobId: number; isTaken: boolean }): Promise<void> {
    const finding = await ask(payment, isTaken);
    // cut off by the stop: the processor is asked when the job next falls due
    if (isStopped && finding.outcome === "unknown") return;
    recording += 1;
    try {
      await store.write((tx) => record(tx, clock.now(), { payment, jobId, finding }));
      notifyJobs();
    } catch (error) {
      const details = { err: error, paymentId: payment.paymentId };
      reached("a payment was not recorded");
      logger.error(details, "a payment was not recorded: the processor is asked about it again");
    } finally {
      recording -= 1;
    }
  }

  /** A payment that the processor does not take is only asked about: it may have begun before that was so. */
  async function ask(payment: PaymentRow, isTaken: boolean): Promise<PaymentFinding> {
    const { paymentId: reference, hasBegun, paymentMethod, amountCents } = payment;
    try {
      if (hasBegun === 1) {
        const finding = await calls.run(({ signal }) => processor.find(reference, signal));
        reached(finding.outcome === "absent" ? "a payment was proved absent" : "a payment was asked about");
        if (finding.outcome !== "absent" || !isTaken) return finding;
      }
      const order = { reference, paymentMethod, amountCents };
      return { outcome: "taken", news: await calls.run(({ signal }) => processor.submit(order, signal)) };
    } catch (error) {
      reached("a payment is in doubt");
      logger.warn({ err: error, paymentId: reference }, "a payment is in doubt: the processor is asked about it");
      return { outcome: "unknown" };
    }
  }

  async function record(
    tx: Transaction,
    now: number,
    { payment, jobId, finding }: { payment: PaymentRow; jobId: number; finding: PaymentFinding },
  ): Promise<void> {
    const { paymentId, tenantId } = payment;
    if (finding.outcome === "unknown") return rescheduleJob(tx, jobId, now + ASK_AGAIN_MS);
    // another process took it over meanwhile, and records the outcome
    if (!(await cancelJob(tx, jobId))) {
      reached("a payment was taken over by another");
      return;
    }
    if (finding.outcome === "absent") return releasePayment(tx, paymentId);
    for (const { afterMs, ...news } of finding.news) {
      const subject: NewsSubject = { paymentId, ...news };
      await scheduleJob(tx, { tenantId, kind: paymentNews, subject: JSON.stringify(subject), dueAt: now + afterMs });
    }
  }

  /** Handlers of the jobs of a payment. */
  const jobs: Readonly<Record<string, JobHandler>> = {
    [SUBMIT_PAYMENT]: begin,
    [paymentNews]: (context, subject) => recordNews(context, JSON.parse(subject) as NewsSubject),
  };

  return {
    jobs,
    /** Whether it is working rather than waiting for the processor or the clock. */
    isBusy: () => recording > 0,
    /** Leaves the processor's calls in flight in doubt. */
    async stop(): Promise<void> {
      isStopped = true;
      calls.abandonAll();
      await Promise.all(underWay);
    },
  };
}

/** Records the processor's report, unless the payment is past it. */
async function recordNews({ tx, now }: JobContext, { paymentId, status, reason }: NewsSubject): Promise<void> {
  const payment = await findPayment(tx, paymentId);
  if (payment === undefined || !canMove("payment", payment.status, status)) return;
  const isTooMuch = status === "SUCCEEDED" && !(await doCreditsFit(tx, payment));
  const change = isTooMuch
    ? ({ status: "CANCELED", failureReason: "credits_out_of_range" } as const)
    : { status, failureReason: reason };
  await movePayment(tx, payment, { ...change, settlement: null, now });
}
