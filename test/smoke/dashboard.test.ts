// One page of the dashboard, if a browser is installed: it shows a program's messages live.

import type { BrowserContext } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasChromium, openContext } from "../browser/chromium.ts";
import { watchFaults } from "../dashboard/pages.ts";
import { MsgdFolder, type MsgdProcess } from "../e2e/msgd-process.ts";

const folder = new MsgdFolder();
let server: MsgdProcess;
let context: BrowserContext;

describe.runIf(hasChromium)("the dashboard", () => {
  beforeAll(async () => {
    server = await folder.serveDemo();
    context = await openContext();
  });
  afterAll(async () => {
    await context?.close();
    await folder.remove();
  });

  it("shows a message that a program sends, without a reload", async () => {
    const page = await context.newPage();
    const faults = watchFaults(page, server.baseUrl, []);
    await page.goto(`${server.baseUrl}/dashboard`);
    await page.getByText("Messages that your program sends appear here.").waitFor();
    const { apiKey, apiSecret } = folder.demoCredential;
    const sent = await fetch(`${server.baseUrl}/api/v1/messages/sms`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-key": apiKey, "x-api-secret": apiSecret },
      body: JSON.stringify({ merchantId: "demo", to: "+12025550100", message: "Your code is 123456", type: "OTP" }),
    });
    expect(sent.ok).toBe(true);
    const row = page.locator(".rows .row").filter({ hasText: "Your code is 123456" });
    await row.getByText("Delivered").waitFor();
    expect(faults).toEqual([]);
  });
});
