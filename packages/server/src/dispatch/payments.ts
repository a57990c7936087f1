// Processes payments: submits each to the processor once, outside any transaction, and records its status changes when
// due. A payment that may have been submitted is looked up at the processor, never blindly submitted again.

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
  /** Tenants whose payments the processor handles; other tenants' payments wait for the operator. @default all */
  readonly simulated?: SimulatedTenants | undefined;
  /** Called when jobs of a payment were scheduled. */
  readonly notifyJobs: () => void;
}

/** Timeout of the processor's answer. */
const CALL_TIMEOUT_MS = 10_000;
/** Lease of a payment. It is longer than a call, so that no two processes handle a payment at once. */
const LEASE_MS = 30_000;
/** Delay before a payment in doubt is looked up again. */
const ASK_AGAIN_MS = 10 * 60_000;

/** Kind of the job that records one status change. Its subject is a `NewsSubject` in JSON. */
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

  /** Claims the payment durably before the processor gets it. */
  async function begin({ tx, tenantId, now }: JobContext, paymentId: string): Promise<JobEffect> {
    const payment = await findPayment(tx, paymentId);
    if (payment === undefined || payment.status !== "PENDING") return undefined;
    const isTaken = await simulated.includes(tx, payment.tenantId);
    // schedule no further job: the payment waits for the operator, and a processor that is added later never charges it
    if (!isTaken && payment.hasBegun === 0) return undefined;
    await beginPayment(tx, paymentId, now);
    // if this process dies, this job continues the payment; otherwise `record` cancels the job
    const jobId = await scheduleJob(tx, { tenantId, ...submitPaymentJob(paymentId, now + LEASE_MS) });
    return () => {
      if (isStopped) return;
      const work = perform(payment, { jobId, isTaken }).finally(() => underWay.delete(work));
      underWay.add(work);
    };
  }

  async function perform(payment: PaymentRow, { jobId, isTaken }: { jobId: number; isTaken: boolean }): Promise<void> {
    const finding = await ask(payment, isTaken);
    // interrupted by `stop`: the processor is asked when the job falls due
    if (isStopped && finding.outcome === "unknown") return;
    recording += 1;
    try {
      await store.write((tx) => record(tx, clock.now(), { payment, jobId, finding }));
      notifyJobs();
    } catch (error) {
      const details = { err: error, paymentId: payment.paymentId };
      reached("a payment was not recorded");
      logger.error(details, "failed to record a payment; the processor is asked about it again");
    } finally {
      recording -= 1;
    }
  }

  /** If the processor no longer handles the tenant, only looks the payment up: it may have been submitted before. */
  async function ask(payment: PaymentRow, isTaken: boolean): Promise<PaymentFinding> {
    const { paymentId: reference, hasBegun, paymentMethod, amountCents } = payment;
    try {
      if (hasBegun === 1) {
        const finding = await calls.run(({ signal }) => processor.find(reference, signal));
        reached(finding.outcome === "absent" ? "a payment was proved absent" : "a payment was looked up");
        if (finding.outcome !== "absent" || !isTaken) return finding;
      }
      const order = { reference, paymentMethod, amountCents };
      return { outcome: "taken", news: await calls.run(({ signal }) => processor.submit(order, signal)) };
    } catch (error) {
      reached("a payment is in doubt");
      logger.warn(
        { err: error, paymentId: reference },
        "it is unknown whether a payment was made; asking the processor",
      );
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
    // another process has taken over the payment and records the outcome
    if (!(await cancelJob(tx, jobId))) {
      reached("a payment was taken over by another process");
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
