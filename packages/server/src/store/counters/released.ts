/** The columns that a release of units returns: the counts before the release. */
export const released = `used + reserved + $5 AS outstanding, credit_units AS "creditUnits",
  (SELECT monthly_limit FROM quotas WHERE tenant_id = $1 AND merchant_id = $2 AND channel = $3) AS "limit"`;
