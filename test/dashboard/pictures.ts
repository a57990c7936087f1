// `npm run pictures`: renders the pictures of docs/dashboard.md from demo data in a real browser.

import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { launchChromium } from "../browser/chromium.ts";
import { MsgdFolder } from "../e2e/msgd-process.ts";
import { populate } from "./populated.ts";

const images = fileURLToPath(new URL("../../docs/images/", import.meta.url));
const SIZE = { width: 1_280, height: 760 };
const MESSAGES = 6_000;

const browser = await launchChromium();
const folder = new MsgdFolder();
const { baseUrl } = await folder.serve("--dev", "--consent-policy", "opt_out_only");
try {
  await populate({ baseUrl, credential: folder.demoCredential, messages: MESSAGES });
  const page = await browser.newPage({ viewport: SIZE, colorScheme: "light", timezoneId: "UTC" });
  await take(page, "messages", "/dashboard", "tr.row");
  await take(page, "message", `/dashboard/messages/${await findMessage("Your code is 402913")}`, ".timeline");
  await take(page, "overview", "/dashboard/overview", ".bars figcaption");
  await take(page, "batch", `/dashboard/calls/batches/${await findBatch()}`, "[role=progressbar]");
} finally {
  await browser.close();
  await folder.remove();
}

async function take(page: Page, name: string, path: string, shown: string): Promise<void> {
  const { now } = await ask<{ now: string }>("/control/clock");
  await page.clock.setFixedTime(now);
  await page.goto(baseUrl + path);
  await page.locator(shown).first().waitFor();
  await page.getByText("still being indexed").waitFor({ state: "hidden" });
  await page.evaluate("document.fonts.ready");
  await page.waitForLoadState("networkidle").catch(() => {});
  await page.screenshot({ path: `${images}dashboard-${name}.png`, animations: "disabled" });
}

async function ask<Reply>(path: string): Promise<Reply> {
  return (await (await fetch(baseUrl + path)).json()) as Reply;
}

async function findMessage(text: string): Promise<string> {
  const messages = await ask<{ messageId: string; content: string; status: string }[]>("/control/messages?limit=1000");
  const found = messages.find(({ content, status }) => content.startsWith(text) && status === "DELIVERED");
  if (found === undefined) throw new Error(`no message begins with ${text}`);
  return found.messageId;
}

async function findBatch(): Promise<string> {
  const calls = await ask<{ batchId: string }[]>(
    "/dashboard/api/v1/voice/tts-calls?merchantId=bella&useCase=REMINDER&limit=1",
  );
  return String(calls[0]?.batchId);
}
