import { listTestRecipients } from "../dispatch/providers/test-recipients.ts";
import { anyone, type DashboardHandlers } from "./dashboard-api.ts";

export const simulatorHandlers: DashboardHandlers<"listTestRecipients"> = {
  listTestRecipients: { authorize: anyone, answer: async () => listTestRecipients() },
};
