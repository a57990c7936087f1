import { listTestRecipients } from "../dispatch/providers/test-recipients.ts";
import type { DashboardHandlers } from "./dashboard-api.ts";

export const simulatorHandlers: DashboardHandlers<"listTestRecipients"> = {
  listTestRecipients: { answer: async () => listTestRecipients() },
};
