// Stores alerts. Users of the dashboard acknowledge them.

import type { Schemas } from "@msgctl/contract";
import { drawId, newIdSql } from "../../store/statement.ts";
import { findCount, type Query, type Transaction } from "../../store/store.ts";
import type { Channel } from "../contacts.ts";

export interface AlertRow {
  readonly merchantId: string;
  readonly channel: Channel;
  readonly alertType: string;
  readonly severity: Schemas["AlertSeverity"];
  readonly message: string;
  readonly thresholdPercent: number | null;
  readonly createdAt: number;
}

/** Adds an alert unless one exists for the same occurrence. Returns whether it was added. */
export async function insertAlert(
  tx: Transaction,
  alert: Omit<AlertRow, "createdAt"> & { tenantId: number; occurrence: string; now: number },
): Promise<boolean> {
  const added = await tx.run(
    `INSERT INTO alerts (tenant_id, merchant_id, channel, alert_type, severity, message, threshold_percent, occurrence, created_at,
                         alert_id)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, ${newIdSql("alerts", "alert_id", "$10")})
     ON CONFLICT (tenant_id, merchant_id, channel, alert_type, occurrence) DO NOTHING`,
    alert.tenantId,
    alert.merchantId,
    alert.channel,
    alert.alertType,
    alert.severity,
    alert.message,
    alert.thresholdPercent,
    alert.occurrence,
    alert.now,
    drawId(tx.randomness, alert.now),
  );
  return added > 0;
}

const columns = `merchant_id AS "merchantId", channel, alert_type AS "alertType", severity, message,
  threshold_percent AS "thresholdPercent", created_at AS "createdAt"`;

/** Lists alerts, newest first; only those of `merchantId` if it is given. */
export function alertsQuery(tenantId: number, merchantId: string | undefined): Query<AlertRow> {
  const select = `SELECT ${columns} FROM alerts`;
  return merchantId === undefined
    ? { sql: `${select} WHERE tenant_id = $1 ORDER BY alert_id DESC LIMIT $2`, values: [tenantId] }
    : {
        sql: `${select} WHERE tenant_id = $1 AND merchant_id = $2 ORDER BY alert_id DESC LIMIT $3`,
        values: [tenantId, merchantId],
      };
}

/** An alert that nobody has acknowledged. */
export interface OpenAlertRow extends AlertRow {
  readonly alertId: number;
}

/** The alerts of a tenant, or of one of its merchants. */
export interface AlertScope {
  readonly tenantId: number;
  /** Null for all merchants. */
  readonly merchantId: string | null;
}

function selectOpen({ tenantId, merchantId }: AlertScope) {
  const ofTenant = "WHERE tenant_id = $2 AND acknowledged_at IS NULL";
  return merchantId === null
    ? { where: ofTenant, values: [tenantId] }
    : { where: `${ofTenant} AND merchant_id = $3`, values: [tenantId, merchantId] };
}

/** Lists open alerts, newest first. */
export function listOpenAlerts(tx: Transaction, scope: AlertScope, limit: number): Promise<OpenAlertRow[]> {
  const { where, values } = selectOpen(scope);
  const sql = `SELECT alert_id AS "alertId", ${columns} FROM alerts ${where} ORDER BY alert_id DESC LIMIT $1`;
  return tx.all<OpenAlertRow>(sql, limit, ...values);
}

/** Counts open alerts, up to `most`. */
export function countOpenAlerts(tx: Transaction, scope: AlertScope, most: number): Promise<number> {
  const { where, values } = selectOpen(scope);
  const sql = `SELECT COUNT(*) AS count FROM (SELECT 1 FROM alerts ${where} LIMIT $1) AS counted`;
  return findCount(tx, sql, most, ...values);
}

/** Finds an alert of the tenant. */
export function findAlert(tx: Transaction, tenantId: number, alertId: number): Promise<AlertRow | undefined> {
  return tx.get<AlertRow>(`SELECT ${columns} FROM alerts WHERE alert_id = $1 AND tenant_id = $2`, alertId, tenantId);
}

export interface Acknowledgement {
  readonly acknowledgedAt: number;
  /** The address of the user; null in development. */
  readonly acknowledgedBy: string | null;
}

/** Acknowledges an alert. Returns the first acknowledgement, which stays; undefined if the scope has no such alert. */
export function acknowledgeAlert(
  tx: Transaction,
  { tenantId, merchantId }: AlertScope,
  { alertId, by, now }: { alertId: number; by: string | null; now: number },
): Promise<Acknowledgement | undefined> {
  return tx.get<Acknowledgement>(
    `UPDATE alerts SET acknowledged_at = COALESCE(acknowledged_at, $4),
            acknowledged_by = CASE WHEN acknowledged_at IS NULL THEN $5 ELSE acknowledged_by END
      WHERE alert_id = $1 AND tenant_id = $2 AND (merchant_id = $3 OR $3 IS NULL)
     RETURNING acknowledged_at AS "acknowledgedAt", acknowledged_by AS "acknowledgedBy"`,
    alertId,
    tenantId,
    merchantId,
    now,
    by,
  );
}
