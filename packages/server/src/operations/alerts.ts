import { type AlertRow, listAlerts } from "../store/alerts.ts";
import { findMerchant } from "../store/merchants.ts";
import { listedMerchant, requireListedMerchant } from "./access.ts";
import { merchantNotFound } from "./merchants.ts";
import type { Handlers, OperationResult } from "./operation.ts";

export const alertHandlers: Handlers<"listAlerts"> = {
  listAlerts: {
    authorize: (caller, { query }) => requireListedMerchant(caller, query.merchantId),
    async read({ tx, caller }, { query }) {
      const merchantId = listedMerchant(caller, query.merchantId);
      if (merchantId !== undefined && (await findMerchant(tx, caller.tenantId, merchantId)) === undefined) {
        throw merchantNotFound(merchantId);
      }
      return (await listAlerts(tx, caller.tenantId, merchantId)).map(viewAlert);
    },
  },
};

function viewAlert(alert: AlertRow): OperationResult<"listAlerts">[number] {
  return { ...alert, createdAt: new Date(alert.createdAt).toISOString() };
}
