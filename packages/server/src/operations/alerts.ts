import { type AlertRow, alertsQuery } from "../store/alerts.ts";
import { requireListedMerchant } from "./access.ts";
import { findListedMerchant } from "./merchants.ts";
import { type Handlers, listingOf, type OperationResult } from "./operation.ts";

export const alertHandlers: Handlers<"listAlerts"> = {
  listAlerts: {
    authorize: (caller, { query }) => requireListedMerchant(caller, query.merchantId),
    async list(context, { query }) {
      const merchantId = await findListedMerchant(context, query.merchantId);
      return listingOf(alertsQuery(context.caller.tenantId, merchantId), viewAlert);
    },
  },
};

function viewAlert(alert: AlertRow): OperationResult<"listAlerts">[number] {
  return { ...alert, createdAt: new Date(alert.createdAt).toISOString() };
}
