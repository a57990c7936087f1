// A newcomer's first half hour with the dashboard: a server as `npm start` starts it, a program that sends, a recipient who
// replies STOP, and a receiver of callbacks that fails at first.

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { ApiError, MessagingClient } from "@msgctl/sdk";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasChromium, openContext } from "../browser/chromium.ts";
import { MsgdFolder } from "../e2e/msgd-process.ts";
import { watchFaults } from "./pages.ts";

const TO = "+12025550100";
const folder = new MsgdFolder();

let baseUrl: string;
let context: BrowserContext;
let page: Page;
let faults: string[];
let client: MessagingClient;
let receiver: Server;
let hook: string;
/** Status with which the receiver answers. */
let status: number;

describe.runIf(hasChromium)("a newcomer", () => {
  beforeAll(async () => {
    receiver = createServer((request, response) => {
      request.resume().on("end", () => response.writeHead(status).end());
    });
    await new Promise<void>((listening) => receiver.listen(0, "127.0.0.1", listening));
    hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
    ({ baseUrl } = await folder.shareDemo());
    const { apiKey, apiSecret } = folder.demoCredential;
    client = new MessagingClient({ baseUrl, apiKey, apiSecret });
    context = await openContext();
    page = await context.newPage();
    faults = watchFaults(page, baseUrl, []);
  });
  afterAll(async () => {
    await context?.close();
    await folder.remove();
    receiver?.close();
    receiver?.closeAllConnections();
  });

  const sms = (message: string) => client.send.sms({ merchantId: "demo", type: "OTP", to: TO, message });
  const rows = () => page.locator(".rows .row");
  const follow = (name: string) => page.getByRole("link", { name, exact: true }).click();

  it("is redirected from / to the messages, and sees a program's messages and their failures live", async () => {
    const reply = await page.goto(baseUrl);
    expect([reply?.status(), new URL(page.url()).pathname]).toEqual([200, "/dashboard"]);
    await page.getByText("No messages yet.").waitFor();
    await page.getByText("Messages that your program sends appear here.").waitFor();
    let loads = 0;
    page.on("load", () => {
      loads += 1;
    });
    await sms("Your code is 123456");
    await rows().filter({ hasText: "Your code is 123456" }).getByText("Delivered").waitFor();
    expect(loads).toBe(0);
    await rows().click();
    const story = page.getByRole("list", { name: "What happened" });
    await story.getByText(/^The recipient had opted in \(.+\)\.$/).waitFor();
    await story.getByText("Accepted by simulated").waitFor();
    await story.getByText("Delivered", { exact: true }).waitFor();
  });

  it("replies STOP as the recipient, and sees why the next send is refused", async () => {
    await page.getByRole("textbox", { name: "Reply as the recipient" }).fill("STOP");
    await page.getByRole("button", { name: "Reply" }).click();
    await page.getByRole("status").getByText("opts the recipient out").waitFor();
    await page.getByText("All decisions and messages").click();
    await page.getByRole("row", { name: "Demo Bakery SMS Opted out" }).waitFor();
    const refused = await sms("One more").catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ApiError);
    expect(refused).toMatchObject({ code: "consent_opted_out" });
    await follow("Requests");
    await rows().filter({ hasText: "sendSms" }).filter({ hasText: "consent_opted_out" }).click();
    const request = page.getByRole("dialog", { name: "Request" });
    await request.getByText("POST /api/v1/messages/sms").waitFor();
    await request.getByText("The recipient has opted out of SMS from merchant demo.").waitFor();
    await request.getByRole("link", { name: "consent_opted_out" }).waitFor();
    await page.keyboard.press("Escape");
  });

  it("moves the clock", async () => {
    await follow("Simulator");
    await page.getByText("the same as the machine's").waitFor();
    await page.getByRole("button", { name: "+ 1h", exact: true }).click();
    await page.getByText("ahead of the machine's").waitFor();
  });

  it("sees that a receiver failed, and that the callback succeeds after the clock is moved", async () => {
    status = 500;
    const words = { merchantId: "demo", useCase: "OTP", messageText: "Your code is 1 2 3", toNumber: "+12025550101" };
    await client.tts.create({ ...words, callbackUrl: hook });
    await follow("Webhooks");
    const callback = rows().filter({ hasText: "voice.tts_batch.finalized" });

    await callback.getByText(/\d attempts?\b.* 500/).waitFor();
    await callback.getByText("Pending").waitFor();
    status = 200;
    // move the clock in another tab, while this one shows the callback
    const clock = await context.newPage();
    await clock.goto(`${baseUrl}/dashboard/simulator`);
    await expect
      .poll(async () => {
        await clock.getByRole("button", { name: "+ 1h", exact: true }).click();
        return callback.getByText("Delivered").count();
      })
      .toBe(1);
    await callback.getByText(/\d attempts, last 200/).waitFor();
    await clock.close();
    expect(faults).toEqual([]);
  });
});
