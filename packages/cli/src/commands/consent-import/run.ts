import { consentJob } from "../../bulk/consent-job.ts";
import { runBulk } from "../../bulk/run-bulk.ts";
import type { CommandRun } from "../../model/catalog.ts";

export const runConsentImport: CommandRun = async (line, io, context) => {
  const record = await context.catalog.record("recordConsent");
  await runBulk(consentJob(record), line, io, context);
};
