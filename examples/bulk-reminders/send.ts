// Sends a list of reminders with the SDK: npx tsx examples/bulk-reminders/send.ts <list.csv> <campaign> [merchant]
// MSGCTL_API_KEY, MSGCTL_API_SECRET and MSGCTL_BASE_URL set the credential and the service. If you run the program again
// with the same campaign name, it sends nothing twice.

import { createReadStream } from "node:fs";
import { MessagingClient, type V1OmniSmsSendRequest } from "@msgctl/sdk";
import { parse } from "csv-parse";

const [list, campaign, merchantId = "demo"] = process.argv.slice(2);
if (list === undefined || campaign === undefined) {
  console.error("usage: send.ts <list.csv> <campaign> [merchant]");
  process.exit(2);
}

/** Reads the file row by row: a million rows take no more memory than ten. */
async function* readRows(path: string): AsyncGenerator<{ Phone: string; Message: string }> {
  yield* createReadStream(path).pipe(parse({ columns: true, bom: true, trim: true }));
}

async function* reminders(path: string): AsyncGenerator<V1OmniSmsSendRequest> {
  for await (const { Phone, Message } of readRows(path)) {
    yield { merchantId, to: Phone, message: Message, type: "REMINDER" };
  }
}

const client = new MessagingClient();
const counts = { sent: 0, repeated: 0, refused: 0 };
// The key of a row is made from the campaign and the row's content: the list may be sorted, cut and extended between runs.
const run = client.send.many(reminders(list), { channel: "SMS", keyPrefix: `reminders-${campaign}` });
for await (const outcome of run) {
  if (!outcome.ok) {
    counts.refused += 1;
    console.error(`row ${outcome.index + 1}: ${outcome.error.message}`);
    continue;
  }
  counts[outcome.meta.replayed ? "repeated" : "sent"] += 1;
  console.log(`row ${outcome.index + 1}: ${outcome.data.messageId}`);
}
console.error(`${counts.sent} sent, ${counts.repeated} had been sent before, ${counts.refused} refused`);
process.exitCode = counts.refused === 0 ? 0 : 1;
