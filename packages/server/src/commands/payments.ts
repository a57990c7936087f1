// `msgd payments`: lists and settles the payments of live tenants.

import { settlePayment } from "../domain/billing/payments.ts";
import type { PaymentRow } from "../domain/billing/rows.ts";
import { findListedPayment, type ListedPayment, listPayments } from "../domain/reports/payment-rows.ts";
import type { PaymentStatus } from "../domain/transitions.ts";
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
const LONGEST_REFERENCE = 255;
/** The longest id that an error shows, because a mistyped argument may be any text. */
const LONGEST_ID = 64;

/** `msgd payments list`: lists payments that wait for the operator, or payments with a given status, oldest first. */
export async function runPaymentsList(
  flags: OutputFlags & { tenant?: string; status?: PaymentStatus },
  environment: CommandEnvironment,
): Promise<void> {
  const tenantId = readOptionalTenantId(flags);
  const { output } = environment;
  await withKnownStore(flags, environment, async (store) => {
    if (tenantId !== undefined) await requireTenant(store, tenantId);
    const request = { tenantId, status: flags.status, limit: MOST_LISTED + 1 };
    const found = await store.read((tx) => listPayments(tx, request));
    const rows = found.slice(0, MOST_LISTED).map(viewListed);
    const none = `No payment ${flags.status === undefined ? "waits" : `is ${flags.status}`}.`;
    printList(output, { format: flags.output, rows, none, describe });
    if (found.length > MOST_LISTED) output.err(`Only the ${MOST_LISTED} oldest are shown; there are more.\n`);
  });
}

/** `msgd payments show`: prints everything that is known about a payment. */
export async function runPaymentsShow(
  paymentId: string,
  flags: OutputFlags,
  environment: CommandEnvironment,
): Promise<void> {
  const id = readText("<paymentId>", paymentId, LONGEST_ID);
  await withKnownStore(flags, environment, async (store) => {
    const payment = await store.read((tx) => findListedPayment(tx, id));
    if (payment === undefined) throw new Error(`there is no payment ${toPrintable(id)}: msgd payments list`);
    print(environment.output, flags.output, viewListed(payment));
  });
}

/** `msgd payments settle`: records the outcome of a payment that no processor handles. */
export async function runPaymentsSettle(
  { paymentId, outcome }: { paymentId: string; outcome: string },
  flags: OutputFlags & { reference: string; by: string },
  environment: CommandEnvironment,
): Promise<void> {
  const settlement = {
    paymentId: readText("<paymentId>", paymentId, LONGEST_ID),
    status: readOutcome(outcome),
    reference: readText("--reference", flags.reference, LONGEST_REFERENCE),
    by: readDecider(flags.by),
  };
  await withKnownStore(flags, environment, async (store) => {
    const now = environment.clock.now();
    const { payment, isRepeat } = await store.write((tx) => settlePayment(tx, { ...settlement, now }));
    print(environment.output, flags.output, view(payment));
    if (isRepeat) environment.output.err(`${payment.settledBy} had already recorded this: nothing has changed.\n`);
  });
}

function readOutcome(word: string): "SUCCEEDED" | "FAILED" {
  if (word === "succeeded") return "SUCCEEDED";
  if (word === "failed") return "FAILED";
  throw new ConfigError(`<outcome>: expected succeeded or failed, received "${toPrintable(word)}"`);
}

function view({ tenantId, paymentId, merchantId, channel, units, amountCents, currency, ...payment }: PaymentRow) {
  return {
    ...{ paymentId, tenantId: String(tenantId), merchantId, channel, units, amountCents, currency },
    status: payment.status,
    settledReference: payment.settledReference,
    settledBy: payment.settledBy,
  };
}

function viewListed(payment: ListedPayment) {
  const { paymentMethod, note, referenceId, createdAt, updatedAt } = payment;
  return {
    ...view(payment),
    paymentMethodId: paymentMethod,
    referenceId,
    note,
    isWithProcessor: payment.hasBegun === 1,
    processor: payment.processor,
    processorPaymentId: payment.processorPaymentId,
    actionUrl: payment.actionUrl,
    failureReason: payment.failureReason,
    undecided: payment.undecided,
    refundedCents: payment.refundedCents,
    isDisputed: payment.isDisputed === 1,
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
  };
}

function describe(payment: ReturnType<typeof viewListed>): string {
  const { createdAt, paymentId, status, tenantId, merchantId, channel, units, amountCents, currency } = payment;
  const amount = `${toAmount(amountCents)} ${currency}`;
  const words = [
    ...[createdAt, paymentId, status, `tenant ${tenantId}, merchant ${merchantId}`, `${units} ${channel}`, amount],
    ...named({ method: payment.paymentMethodId, reference: payment.referenceId, note: payment.note }),
    ...named({ settled: payment.settledReference, by: payment.settledBy }),
    ...named({ failed: payment.settledBy === null ? payment.failureReason : null, undecided: payment.undecided }),
    ...(payment.refundedCents > 0 ? [`refunded ${toAmount(payment.refundedCents)} ${currency}`] : []),
    ...(payment.isDisputed ? ["disputed"] : []),
    // whole, because it is to be opened
    ...(payment.actionUrl === null ? [] : [`authenticate at ${toPrintable(payment.actionUrl)}`]),
  ];
  return `${words.join("  ")}\n`;
}

function toAmount(cents: number): string {
  return (cents / 100).toFixed(2);
}

/** Returns the texts that are not null, with their names. */
function named(texts: Readonly<Record<string, string | null>>): string[] {
  return Object.entries(texts).flatMap(([name, text]) => (text === null ? [] : [`${name} ${excerpt(text)}`]));
}
