// `npm run pictures`: renders the pictures of docs/dashboard.md from demo data in a real browser.

import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { launchChromium } from "../browser/chromium.ts";
import { createPost } from "../e2e/create-post.ts";
import { MsgdFolder } from "../e2e/msgd-process.ts";

const images = fileURLToPath(new URL("../../docs/images/", import.meta.url));
const SIZE = { width: 1_100, height: 640 };

const browser = await launchChromium();
const folder = new MsgdFolder();
const { baseUrl } = await folder.serve("--dev", "--consent-policy", "opt_out_only");
const post = createPost(baseUrl, folder.demoCredential);
try {
  await sendForTwoDays();
  const page = await browser.newPage({ viewport: SIZE, colorScheme: "light", timezoneId: "UTC" });
  await take(page, "messages", "/dashboard", "tr.row");
  await page.locator("tr.row").filter({ hasText: "table for two" }).first().click();
  await page.waitForURL(/messages\/msg_/);
  await take(page, "message", page.url().slice(baseUrl.length), ".timeline");
  await take(page, "overview", "/dashboard/overview", ".plot");
  await take(page, "batch", `/dashboard/calls/batches/${await beginBatch()}`, "[role=progressbar]");
} finally {
  await browser.close();
  await folder.remove();
}

async function take(page: Page, name: string, path: string, shown: string): Promise<void> {
  const { now } = (await (await fetch(`${baseUrl}/control/clock`)).json()) as { now: string };
  await page.clock.setFixedTime(now);
  await page.goto(baseUrl + path);
  await page.locator(shown).first().waitFor();
  await page.evaluate("document.fonts.ready");
  await page.waitForLoadState("networkidle").catch(() => {});
  await page.screenshot({ path: `${images}dashboard-${name}.png`, animations: "disabled" });
}

async function call(path: string, body: object): Promise<Record<string, string>> {
  return (await (await post(path, body)).json()) as Record<string, string>;
}

/** Sends two days of a bakery's messages: more by day than by night, and some that fail. */
async function sendForTwoDays(): Promise<void> {
  const texts = [
    "Your order is ready at the counter.",
    "Tomorrow at 19:30 your table for two is laid.",
    "Your code is 481516.",
  ];
  for (let hour = 0; hour < 44; hour += 1) {
    const many = Math.round(6 + 5 * Math.sin(((hour - 8) / 24) * 2 * Math.PI));
    for (let sent = 0; sent < many; sent += 1) {
      const to = (hour * 7 + sent) % 9 === 0 ? "+12025550111" : `+1202555010${sent % 2}`;
      const message = texts[(hour + sent) % texts.length] ?? "";
      await call("/api/v1/messages/sms", { merchantId: "demo", type: "TRANSACTIONAL", to, message });
    }
    await advance("1h");
  }
  const mail = {
    merchantId: "demo",
    type: "TRANSACTIONAL",
    to: "delivered@simulator.example",
    subject: "Your receipt",
  };
  await call("/api/v1/messages/email", { ...mail, body: "<p>Thank you. You paid <b>$85.00</b>.</p>" });
  const last = { merchantId: "demo", type: "TRANSACTIONAL", to: "+12025550100" };
  await call("/api/v1/messages/sms", { ...last, message: texts[1] ?? "" });
  await advance("2m");
}

async function advance(by: string): Promise<void> {
  const headers = { "content-type": "application/json" };
  await fetch(`${baseUrl}/control/clock`, { method: "POST", headers, body: JSON.stringify({ advance: by }) });
}

async function beginBatch(): Promise<string> {
  const toNumbers = Array.from(
    { length: 40 },
    (_none, index) => `+1${["202", "212", "415", "312"][index % 4]}55501${String(index).padStart(2, "0")}`,
  );
  const words = {
    merchantId: "demo",
    useCase: "REMINDER",
    messageText: "Hello from Demo Bakery. Your cake is ready tomorrow at ten.",
  };
  const { batchId = "" } = await call("/api/v1/voice/tts-calls", { ...words, toNumbers });
  await advance("20s");
  return batchId;
}
