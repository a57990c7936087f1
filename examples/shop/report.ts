// Nightly report, a CSV for each month: npx tsx examples/shop/report.ts <folder>
// The service counts units by merchant only for the current month. Each run rewrites the current month's file, so the last
// run of a month leaves that month's final file. The previous month is marked FINAL once the service reports it as final.
// The variables MSGCTL_… name the service.
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FreshnessState, MessagingClient } from "@msgctl/sdk";

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error("usage: report.ts <folder>");
  process.exit(2);
}
// Nobody waits for a nightly job, so it retries while the network is down for some minutes.
const client = new MessagingClient({ maxRetries: 100, totalTimeoutMs: 600_000, logLevel: "warn" });

const HEADER = "merchant,sms,emails,voice minutes,state";
const pathOf = (month: string) => join(folder as string, `usage-${month}.csv`);

/** Replaces the file atomically: neither a reader nor a crash leaves half a file. */
function write(month: string, lines: readonly string[]): void {
  writeFileSync(`${pathOf(month)}.new`, `${[HEADER, ...lines].join("\n")}\n`);
  renameSync(`${pathOf(month)}.new`, pathOf(month));
}

const merchants = await client.merchants.list();
const present = merchants[0]?.usage.periodStart;
if (present === undefined) throw new Error("The tenant has no merchants to report.");
const units = merchants.map(({ merchantId, usage: { smsUsed, emailUsed, voiceUsed } }) =>
  [merchantId, smsUsed, emailUsed, voiceUsed, FreshnessState.PROVISIONAL].join(),
);
write(present.slice(0, 7), units);

// Months follow the tenant's time zone: the previous month ended the day before the current one began.
const lastDay = new Date(Date.parse(present) - 86_400_000).toISOString().slice(0, 10);
const month = lastDay.slice(0, 7);
const report = await client.reports.usage({ from: `${month}-01`, to: lastDay });
const state = report.freshnessState;
if (existsSync(pathOf(month))) {
  const lines = readFileSync(pathOf(month), "utf8").trimEnd().split("\n").slice(1);
  // Only the tenant's total includes messages that were sent after the last run of the month.
  const byMerchant = lines.filter((line) => !line.startsWith("(all)")).map((line) => line.replace(/[^,]+$/, state));
  write(month, [...byMerchant, ["(all)", report.totalSmsCount, report.totalEmailCount, "", state].join()]);
}
console.log(`${month}: ${state} (${report.freshnessReason}), SMS and email ${report.finalCharges.toFixed(6)} USD`);
