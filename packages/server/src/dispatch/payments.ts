// Takes payments to their end: each is handed to the processor, and what that tells is recorded at its time.

import { paymentSubmission } from "../operations/billing.ts";
import { canMove, move, type PaymentStatus } from "../rules/transitions.ts";
import { scheduleJob } from "../store/jobs.ts";
import { addCredits, findCredits, findPayment, type PaymentRow, savePaymentStatus } from "../store/payments.ts";
import type { JobContext, JobHandler } from "./jobs.ts";

/** What a processor tells of a payment, `afterMs` after it was handed over. */
export interface PaymentNews {
  readonly afterMs: number;
  readonly status: Exclude<PaymentStatus, "PENDING">;
  /** Why it failed, for the operator; null where it did not. */
  readonly reason: string | null;
}

/** The port to whoever charges a payment method. */
export interface PaymentProcessor {
  /** Takes the payment; all that will be heard of it, in order. Asked again for the same payment it answers the same. */
  submit(payment: { readonly paymentMethod: string | null; readonly amountCents: number }): readonly PaymentNews[];
}

/** The step that records one piece of news; its subject is JSON of a `NewsSubject`. */
const paymentNews = "payment-news";

interface NewsSubject extends Omit<PaymentNews, "afterMs"> {
  readonly paymentId: string;
}

/** Handlers of the steps of a payment. */
export function paymentJobs(processor: PaymentProcessor): Readonly<Record<string, JobHandler>> {
  return {
    [paymentSubmission]: async ({ tx, now }, paymentId) => {
      const payment = await findPayment(tx, paymentId);
      if (payment === undefined) return;
      for (const { afterMs, ...news } of processor.submit(payment)) {
        const subject: NewsSubject = { paymentId, ...news };
        await scheduleJob(tx, { kind: paymentNews, subject: JSON.stringify(subject), dueAt: now + afterMs });
      }
    },
    [paymentNews]: (context, subject) => recordNews(context, JSON.parse(subject) as NewsSubject),
  };
}

/** Only the move to SUCCEEDED adds credits, in its own transaction; as nothing follows that state, it is made once. */
async function recordNews({ tx, now }: JobContext, { paymentId, status, reason }: NewsSubject): Promise<void> {
  const payment = await findPayment(tx, paymentId);
  if (payment === undefined || !canMove("payment", payment.status, status)) return;
  if (status === "SUCCEEDED" && !(await fits(tx, payment))) {
    const canceled = move("payment", payment.status, "CANCELED");
    return savePaymentStatus(tx, { paymentId, status: canceled, failureReason: "credits_out_of_range", now });
  }
  await savePaymentStatus(tx, {
    paymentId,
    status: move("payment", payment.status, status),
    failureReason: reason,
    now,
  });
  if (status === "SUCCEEDED") await addCredits(tx, payment);
}

/** Whether the credits stay countable: others may have been added since the request. */
async function fits(tx: JobContext["tx"], payment: PaymentRow): Promise<boolean> {
  return Number.isSafeInteger((await findCredits(tx, payment)) + payment.units);
}
