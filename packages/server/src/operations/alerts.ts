import { requireListedMerchant } from "../steps/access.ts";
import { findListedMerchant } from "../steps/merchant-checks.ts";
import { type Handlers, type OperationResult, toListing } from "../steps/operation.ts";
import { type AlertRow, alertsQuery } from "../store/alerts.ts";

export const alertHandlers: Handlers<"listAlerts"> = {
  listAlerts: {
    authorize: (caller, { query }) => requireListedMerchant(caller, query.merchantId),
    async list(context, { query }) {
      const merchantId = await findListedMerchant(context, query.merchantId);
      return toListing(alertsQuery(context.caller.tenantId, merchantId), viewAlert);
    },
  },
};

function viewAlert(alert: AlertRow): OperationResult<"listAlerts">[number] {
  return { ...alert, createdAt: new Date(alert.createdAt).toISOString() };
}
