// Calls several numbers with a spoken text, and follows the calls until their final cost is known:
// npx tsx examples/tts-batch/follow.ts +12025550100 +12025550130 +12025550132
// MSGCTL_API_KEY, MSGCTL_API_SECRET and MSGCTL_BASE_URL name the service. A second run calls nobody twice.
// Only calls to recipients who have not opted in are refused. CALLBACK_URL receives the outcome of each call and of the batch.

import { createHash } from "node:crypto";
import { MessagingClient, TimeoutError } from "@msgctl/sdk";

const merchantId = process.env.MERCHANT_ID ?? "demo";
const toNumbers = process.argv.slice(2);
if (toNumbers.length === 0) {
  console.error("usage: follow.ts <number> ...");
  process.exit(2);
}
const client = new MessagingClient();

const campaignId = "reminders-2026-03-02";
const call = {
  merchantId,
  toNumbers,
  useCase: "REMINDER",
  messageText: "Hello from Bright Dental. Your visit is tomorrow at 9:30 in the morning.",
  campaignId,
  callbackUrl: process.env.CALLBACK_URL,
} as const;
// The key makes repeated requests with the same campaign and numbers return the same batch.
const idempotencyKey = `${campaignId}-${createHash("sha256").update(toNumbers.join()).digest("hex")}`;
const { data: accepted, meta } = await client.tts.create(call, { idempotencyKey }).withResponse();
const again = meta.replayed ? ", accepted before" : "";
console.log(`batch ${accepted.batchId}${again}: estimated at ${accepted.totalEstimatedCost} USD`);

try {
  const done = await client.tts.waitForBatch(accepted.batchId, {
    timeoutMs: 120_000,
    onProgress: ({ status, pending, totalCalls }) => console.error(`${status}: ${pending} of ${totalCalls} under way`),
  });
  for (const number of await client.tts.numbers(accepted.batchId)) {
    console.log(number.toNumber, number.finalStatus, `${number.totalCost} USD`);
  }
  // No cost is provisional any longer: this amount will be charged.
  console.log(`${done.status}: ${done.success} of ${done.totalCalls} heard, ${done.totalCost} USD`);
} catch (error) {
  if (!(error instanceof TimeoutError)) throw error;
  // The calls continue. To wait again, run `msgctl tts watch <batch>`.
  console.error(error.message);
  process.exitCode = 1;
}
