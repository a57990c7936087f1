// Lists open alerts, and acknowledges them.

import type { Views } from "@msgctl/dashboard/api";
import { viewTime } from "../domain/calendar.ts";
import {
  acknowledgeAlert,
  countOpenAlerts,
  listOpenAlerts,
  type OpenAlertRow,
} from "../domain/merchants/alert-rows.ts";
import { Refusal } from "../domain/refusal.ts";
import { MOST_COUNTED } from "../domain/reports/backlog-rows.ts";
import { requireListedMerchant } from "../domain/tenancy/access.ts";
import type { RouteServices } from "../http/routes.ts";
import type { DashboardHandlers } from "./dashboard-api.ts";

const MOST_LISTED = 5;

export function alertHandlers({
  store,
  clock,
}: Pick<RouteServices<string>, "store" | "clock">): DashboardHandlers<"listOpenAlerts" | "acknowledgeAlert"> {
  return {
    listOpenAlerts: {
      async read({ tx, caller }, { query }) {
        requireListedMerchant(caller, query.merchantId);
        const scope = { tenantId: caller.tenantId, merchantId: query.merchantId ?? caller.merchantId };
        const found = await listOpenAlerts(tx, scope, MOST_LISTED);
        const count = await countOpenAlerts(tx, scope, MOST_COUNTED);
        return {
          alerts: found.map(viewAlert),
          more: { count: count - found.length, isMore: count === MOST_COUNTED },
        };
      },
    },
    acknowledgeAlert: {
      async answer(caller, { path }) {
        const alertId = Number(path.alertId);
        const asked = { alertId, by: caller.email, now: clock.now() };
        const acknowledged = await store.write((tx) => acknowledgeAlert(tx, caller, asked));
        if (acknowledged === undefined) {
          throw new Refusal("route_not_found", `There is no alert ${alertId} that you may see.`);
        }
        const { acknowledgedAt, acknowledgedBy } = acknowledged;
        return { alertId, acknowledgedAt: viewTime(acknowledgedAt), acknowledgedBy };
      },
    },
  };
}

function viewAlert({ alertId, merchantId, channel, severity, message, createdAt }: OpenAlertRow): Views["OpenAlert"] {
  return { alertId, merchantId, channel, severity, message, createdAt: viewTime(createdAt) };
}
