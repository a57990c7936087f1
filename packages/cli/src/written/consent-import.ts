import { consentJob } from "../bulk/consent-job.ts";
import { runBulk } from "../bulk/run-bulk.ts";
import type { WrittenRun } from "./written-command.ts";

export const runConsentImport: WrittenRun = async (line, io, context) => {
  const record = await context.catalog.record("recordConsent");
  await runBulk(consentJob(record), line, io, context);
};
