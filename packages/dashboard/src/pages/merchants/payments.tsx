// The last payments for a merchant's credits: their states, what the customer or the operator has to do, and refunds.

import type { Views } from "../../api.ts";
import { Card } from "../../elements/page.tsx";
import { State, type Tone } from "../../elements/state.tsx";
import { Time } from "../../elements/time.tsx";
import { toVisible } from "../../elements/visible-text.ts";
import { Failure } from "../../shell/failure.tsx";
import { useAnswer } from "../use-answer.ts";

type Payment = Views["PaymentView"];

const POLL_MS = 10_000;

const tones: Readonly<Record<Payment["status"], Tone>> = {
  ...{ PENDING: "open", REQUIRES_ACTION: "open", PROCESSING: "open" },
  ...{ SUCCEEDED: "good", FAILED: "bad", CANCELED: "bad" },
};

const units: Readonly<Record<Payment["channel"], string>> = { SMS: "segments", VOICE: "minutes", EMAIL: "emails" };

export function Payments({ merchantId }: { readonly merchantId: string }) {
  const { answer, error, again } = useAnswer("listPayments", { path: { merchantId } }, { everyMs: POLL_MS });
  if (error !== undefined) return <Failure error={error} again={again} />;
  if (answer === undefined) return null;
  const { handling, payments, hasMore } = answer;
  return (
    <Card id="payments" title="Payments">
      {handling === "OPERATOR" && <p>No payment processor is set: a payment waits until the operator settles it.</p>}
      {payments.length === 0 && <p>None. Payments for credits appear here.</p>}
      {payments.length > 0 && (
        <ul class="list">
          {payments.map((payment) => (
            <PaymentItem key={payment.paymentId} payment={payment} />
          ))}
        </ul>
      )}
      {hasMore && <p class="quiet">Only the last {payments.length} are shown.</p>}
    </Card>
  );
}

function PaymentItem({ payment }: { readonly payment: Payment }) {
  const { paymentId, channel, amountCents, currency, status, createdAt, updatedAt } = payment;
  const { isInDoubt, waitsForOperator, actionUrl, actionUntil, failureReason, refundedCents, isDisputed } = payment;
  return (
    <li class="payment">
      <p>
        <strong>{toAmount(amountCents, currency)}</strong> for {payment.units.toLocaleString()} {units[channel]}{" "}
        <State state={status} tone={tones[status]} reason={failureReason === null ? null : toVisible(failureReason)} />
        {refundedCents > 0 && (
          <>
            {" "}
            <State state="REFUNDED" tone="bad" reason={`${toAmount(refundedCents, currency)}; its credits stay`} />
          </>
        )}
        {isDisputed && (
          <>
            {" "}
            <State state="DISPUTED" tone="bad" />
          </>
        )}
      </p>
      {actionUntil !== null && (
        <p>
          The customer's bank requires an authentication by <Time at={actionUntil} isWhole />
          {actionUrl === null ? (
            "."
          ) : (
            <>
              :{" "}
              <a href={actionUrl} rel="noreferrer">
                authenticate at the processor
              </a>
            </>
          )}
        </p>
      )}
      {isInDoubt && <p>Its outcome is in doubt: the operator has to find it out at the processor.</p>}
      {waitsForOperator && !isInDoubt && <p>It waits until the operator settles it.</p>}
      <p class="quiet">
        <code>{paymentId}</code> · requested <Time at={createdAt} />
        {updatedAt !== createdAt && (
          <>
            , changed <Time at={updatedAt} />
          </>
        )}
      </p>
    </li>
  );
}

function toAmount(cents: number, currency: string): string {
  return `${(cents / 100).toFixed(2)} ${toVisible(currency)}`;
}
