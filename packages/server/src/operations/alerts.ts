import { type AlertRow, listAlerts } from "../store/alerts.ts";
import { requireListedMerchant } from "./access.ts";
import { findListedMerchant } from "./merchants.ts";
import type { Handlers, OperationResult } from "./operation.ts";

export const alertHandlers: Handlers<"listAlerts"> = {
  listAlerts: {
    authorize: (caller, { query }) => requireListedMerchant(caller, query.merchantId),
    async read(context, { query }) {
      const merchantId = await findListedMerchant(context, query.merchantId);
      return (await listAlerts(context.tx, context.caller.tenantId, merchantId)).map(viewAlert);
    },
  },
};

function viewAlert(alert: AlertRow): OperationResult<"listAlerts">[number] {
  return { ...alert, createdAt: new Date(alert.createdAt).toISOString() };
}
