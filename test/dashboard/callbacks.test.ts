// Callbacks and health of a development server, in a real browser: receivers' answers, resending, and the backlog.

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { hasChromium } from "../browser/chromium.ts";
import type { Post } from "../e2e/create-post.ts";
import { openDemo } from "./demo.ts";
import { expectOpenToAll } from "./pages.ts";

let baseUrl: string;
let page: Page;
let post: Post;
let receiver: Server;
let hook: string;
/** Status with which the receiver answers. */
let status: number;
let posted: string[];

describe.runIf(hasChromium)("the dashboard in a browser", () => {
  openDemo([400, 404, 409], (demo) => {
    ({ baseUrl, page, post } = demo);
  });

  beforeAll(async () => {
    receiver = createServer((request, response) => {
      posted.push(String(request.headers["webhook-id"]));
      request.resume().on("end", () => response.writeHead(status).end());
    });
    await new Promise<void>((listening) => receiver.listen(0, "127.0.0.1", listening));
    hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  });
  afterAll(() => {
    receiver.close();
    receiver.closeAllConnections();
  });

  beforeEach(() => {
    status = 200;
    posted = [];
  });

  /** Requests a call. */
  async function call(callbackUrl = hook, more: object = {}): Promise<void> {
    const words = { merchantId: "demo", useCase: "OTP", messageText: "Your code is 1234", toNumber: "+12025550100" };
    const reply = await post("/api/v1/voice/tts-calls", { ...words, callbackUrl, ...more });
    expect(reply.status, await reply.text()).toBe(200);
  }

  const open = (path: string) => page.goto(`${baseUrl}/dashboard${path}`);
  const rows = () => page.locator("tr.row");
  const count = (id: string) => posted.filter((other) => other === id).length;

  it("shows a callback, and sends it again", async () => {
    await open("/callbacks");
    await page.getByText("None in the last 7 days.").waitFor();
    await call();
    const last = rows().filter({ hasText: "voice.tts_batch.finalized" });
    await last.getByText("1 attempt: 200").waitFor();
    await last.click();
    await page.getByRole("heading", { name: "Callback" }).waitFor();
    const id = posted.at(-1) ?? "";
    await page.getByText(id, { exact: true }).waitFor();
    await page.locator(".content").getByText('{"type":"voice.tts_batch.finalized","timestamp":').waitFor();
    await page.getByRole("button", { name: "Send again" }).click();
    await page.getByRole("status").getByText("Queued again, with the same webhook-id.").waitFor();
    await expect.poll(() => count(id)).toBe(2);
    await page.locator(".page-head").getByText("Delivered").waitFor();
    await page.getByRole("definition").getByRole("link").first().click();
    await page.getByRole("heading", { name: "Call to +1 202 555 0100" }).waitFor();
    await page.getByText("Your code is 1234").waitFor();
    await page.goBack();
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Webhooks" }).click();
    await rows().first().waitFor();
  });

  it("says why a callback cannot be sent again", async () => {
    status = 410;
    await call();
    await open("/callbacks?status=FAILED");
    await rows().first().click();
    await page.getByText("Its receiver answered 410").waitFor();
    await expect.poll(() => page.getByRole("button", { name: "Send again" }).isDisabled()).toBe(true);
    await open(`/callbacks/evt_${"0".repeat(32)}`);
    await page.getByRole("alert").getByText("removed after 7 days").waitFor();
  });

  it("updates a list of callbacks that is filtered by state, and shows the backlog", async () => {
    status = 500;
    await open("/callbacks");
    await call();
    await rows().getByText("1 attempt: 500").first().waitFor();
    await page.getByRole("link", { name: "Delivered" }).click();
    await page.getByText("None in the last 7 days.").waitFor();
    await page.getByRole("link", { name: "Pending" }).click();
    await rows().first().waitFor();
    expect(new URL(page.url()).search).toBe("?status=PENDING");
    await page.getByRole("link", { name: "Health" }).click();
    await page.getByText("Ready", { exact: true }).waitFor();
    await page.getByText("test data", { exact: true }).waitFor();
    await page.getByRole("region", { name: "Database" }).getByText("none yet: msgd backup").waitFor();
    const callbacks = page.getByRole("region", { name: "Callbacks" });
    await callbacks.getByText("the oldest since").waitFor();
    await callbacks.getByRole("link").click();
    await rows().first().waitFor();
    expect(new URL(page.url()).search).toBe("?status=PENDING");
  });

  it("sets the URL for events of messages, and removes it after a confirmation", async () => {
    await open("/callbacks");
    const card = page.getByRole("region", { name: "Events of messages" });
    await card.getByText("None are posted: no URL is set.").waitFor();
    await card.getByText("Set a URL").click();
    await card.getByLabel("URL").fill("https://10.0.0.1/");
    await page.keyboard.press("Enter");
    await card.getByRole("alert").getByText("reachable from the public internet; received 10.0.0.1").waitFor();
    await card.getByLabel("URL").fill(hook);
    await page.keyboard.press("Enter");
    await card.getByRole("definition").getByText(hook).waitFor();
    const message = { merchantId: "demo", to: "+12025550100", message: "Hello", type: "OTP" };
    expect((await post("/api/v1/messages/sms", message)).status).toBe(200);
    await rows().getByText("message.updated").first().waitFor();
    await card.getByRole("button", { name: "Show the signing secret" }).click();
    await card.getByText(/^whsec_.{44}$/).waitFor();
    await expectOpenToAll(page);
    await card.getByRole("button", { name: "Remove" }).click();
    await page.keyboard.press("Enter");
    await card.getByRole("button", { name: "Remove" }).click();
    await card.getByRole("button", { name: "Yes, post no more events" }).click();
    await card.getByRole("status").getByText("The URL is removed.").waitFor();
    await card.getByText("None are posted: no URL is set.").waitFor();
  });

  it("can be used with the keyboard alone", async () => {
    await call();
    await open("/callbacks");
    await rows().filter({ hasText: "voice.tts_batch.finalized" }).getByText("Delivered").waitFor();
    const focused = () => page.locator("tr.row:has(:focus)").getAttribute("aria-rowindex");
    await rows().first().getByRole("link").focus();
    for (const key of ["j", "j", "k"]) await page.keyboard.press(key);
    expect(await focused()).toBe("3");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Send again" }).focus();
    const before = posted.length;
    await page.keyboard.press("Enter");
    await expect.poll(() => posted.length).toBe(before + 1);
    await page.goBack();
    await rows().first().waitFor();
  });

  it.each(["/callbacks", "/callbacks?status=FAILED", "/callbacks/ID", "/health"])("%s is accessible", async (path) => {
    status = path.endsWith("FAILED") ? 410 : 500;
    await call(`${hook}/${"a-long-path/".repeat(20)}`);
    await expect.poll(() => posted.length).toBeGreaterThan(0);
    await open(path.replace("ID", posted[0] ?? ""));
    await page.locator("tr.row, .facts").first().waitFor();
    await expectOpenToAll(page);
  });
});
