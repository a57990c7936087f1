// A campaign from a database, which resumes where it was stopped: npx tsx examples/shop/campaign.ts <database> <campaign>
// Reads customers (id, phone UNIQUE, text, message_id) and notes each message's id. After Ctrl-C, a crash or a power cut, the
// same command continues with the customers who have no message yet. The variables MSGCTL_… name the service.
import { AbortedError, AuthenticationError, MessagingClient, QuotaExceededError } from "@msgctl/sdk";
import Database from "better-sqlite3";

const [file, campaign] = process.argv.slice(2);
if (file === undefined || campaign === undefined) {
  console.error("usage: campaign.ts <database> <campaign>");
  process.exit(2);
}
const merchantId = process.env.MERCHANT_ID ?? "demo";
const client = new MessagingClient();

// Two connections, because SQLite's driver runs no other statement on a connection with an open cursor.
const reader = new Database(file, { fileMustExist: true });
const writer = new Database(file);
writer.pragma("journal_mode = WAL");
const open = reader.prepare<[], { id: number; phone: string; text: string }>(
  "SELECT id, phone, text FROM customers WHERE message_id IS NULL",
);
const note = writer.prepare("UPDATE customers SET message_id = ? WHERE id = ?");

/** Maps each row to its customer's id, which the row cannot contain: all fields of a row are sent. */
const ids = new WeakMap<object, number>();

function* readOpen() {
  for (const { id, phone, text } of open.iterate()) {
    const row = { merchantId, to: phone, message: text, type: "MARKETING" } as const;
    ids.set(row, id);
    yield row;
  }
}

const stop = new AbortController();
process.once("SIGINT", () => stop.abort());

const counts = { sent: 0, repeated: 0, refused: 0 };
try {
  // If the process was killed after it sent a message but before it noted the id, the row gets the same key again.
  const run = client.send.many(readOpen(), { channel: "SMS", keyPrefix: campaign, signal: stop.signal });
  for await (const outcome of run) {
    if (outcome.ok) {
      note.run(outcome.data.messageId, ids.get(outcome.row));
      counts[outcome.meta.replayed ? "repeated" : "sent"] += 1;
      if ((counts.sent + counts.repeated) % 100 === 0) console.log(`${counts.sent + counts.repeated} noted`);
      continue;
    }
    // The call was in progress when the run was stopped. The next run uses the same key and learns whether it was sent.
    if (outcome.error instanceof AbortedError) continue;
    // Every other row would fail too: solve the problem, and run the program again.
    if (outcome.error instanceof QuotaExceededError || outcome.error instanceof AuthenticationError)
      throw outcome.error;
    counts.refused += 1;
    console.error(`${outcome.row.to}: ${outcome.error.message}`);
  }
} catch (error) {
  if (!(error instanceof AbortedError)) throw error;
  process.exitCode = 130;
}
console.log(`${counts.sent} sent, ${counts.repeated} had been sent before, ${counts.refused} refused`);
