// Lists payments for operators, and those of a merchant.

import type { Transaction } from "../../store/store.ts";
import { type PaymentRow, paymentColumns } from "../billing/rows.ts";
import { openOf } from "./backlog-rows.ts";

export interface ListedPayment extends PaymentRow {
  readonly note: string | null;
  readonly referenceId: string | null;
}

const listedColumns = `${paymentColumns}, p.note, p.reference_id AS "referenceId"`;

/** Finds a payment of any tenant. */
export function findListedPayment(tx: Transaction, paymentId: string): Promise<ListedPayment | undefined> {
  return tx.get<ListedPayment>(`SELECT ${listedColumns} FROM payments p WHERE p.payment_id = $1`, paymentId);
}

/** Lists payments of one tenant or all, oldest first: those with `status` or, if omitted, those waiting for the operator. */
export function listPayments(
  tx: Transaction,
  {
    tenantId,
    status,
    limit,
  }: { tenantId: number | undefined; status: PaymentRow["status"] | undefined; limit: number },
): Promise<ListedPayment[]> {
  const values: (number | string)[] = [limit];
  const conditions = [
    status === undefined ? `t.mode = 'live' AND ${openOf("payments")}` : `p.status = $${values.push(status)}`,
  ];
  if (tenantId !== undefined) conditions.push(`p.tenant_id = $${values.push(tenantId)}`);
  return tx.all<ListedPayment>(
    `SELECT ${listedColumns} FROM payments p JOIN tenants t ON t.tenant_id = p.tenant_id
      WHERE ${conditions.join(" AND ")} ORDER BY p.created_at, p.payment_id LIMIT $1`,
    ...values,
  );
}

/** Lists a merchant's payments, the newest first. */
export function listMerchantPayments(
  tx: Transaction,
  { tenantId, merchantId, limit }: { tenantId: number; merchantId: string; limit: number },
): Promise<PaymentRow[]> {
  return tx.all<PaymentRow>(
    `SELECT ${paymentColumns} FROM payments p WHERE p.tenant_id = $1 AND p.merchant_id = $2
      ORDER BY p.created_at DESC, p.payment_id DESC LIMIT $3`,
    tenantId,
    merchantId,
    limit,
  );
}
