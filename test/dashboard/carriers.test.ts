// A tenant with its own carrier, in a real browser: the page of its carriers with a test, and what messages show of it.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type MailServer, openMailServer } from "../../packages/server/src/testing/mail-server.ts";
import { hasChromium, openContext } from "../browser/chromium.ts";
import { createPost, type Post } from "../e2e/create-post.ts";
import { MsgdFolder } from "../e2e/msgd-process.ts";
import { expectOpenToAll, leave, watchFaults } from "./pages.ts";

const PASSWORD = "correct horse battery staple";
const folder = new MsgdFolder();

let mails: MailServer;
let carrier: string;
let baseUrl: string;
let context: BrowserContext;
let page: Page;
let faults: string[];
let post: Post;

describe.runIf(hasChromium)("the dashboard in a browser", () => {
  beforeAll(async () => {
    mails = await openMailServer();
    const { tenantId } = folder.command<{ tenantId: string }>("tenants", "create", "Live");
    const file = join(folder.parent, "carrier.json");
    const settings = {
      kind: "smtp",
      host: "127.0.0.1",
      port: mails.port,
      tls: "none",
      from: "a@acme.example",
      perSecond: 50,
    };
    writeFileSync(file, JSON.stringify(settings), { mode: 0o600 });
    const set = ["carriers", "set", "--tenant", tenantId, "--channel", "EMAIL", "--file", file];
    carrier = folder.command<{ name: string }>(...set).name;
    ({ baseUrl } = await folder.serve());
    post = createPost(baseUrl, folder.createKey(tenantId));
    context = await openContext();
    page = await context.newPage();
    // requests before signing in are answered with 401, and a refused test of a carrier with 400
    faults = watchFaults(page, baseUrl, [400, 401]);
    await post("/api/v1/merchants", { merchantId: "shop", displayName: "Shop", emailLimit: 1_000, smsLimit: 10 });
    const user = ["users", "create", "--tenant", tenantId, "--email", "ada@acme.example", "--role", "admin"];
    const { link } = folder.command<{ link: string }>(...user);
    await page.goto(baseUrl + new URL(link).pathname + new URL(link).hash);
    await page.getByLabel("New password").fill(PASSWORD);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Your password is set" }).waitFor();
  });
  afterAll(async () => {
    await context?.close();
    await folder.remove();
    await mails.close();
  });

  afterEach(async () => {
    await leave(page, baseUrl);
    expect(faults.splice(0)).toEqual([]);
  });

  async function openSent(): Promise<void> {
    const mail = {
      merchantId: "shop",
      to: "eve@example.com",
      subject: "Hello",
      body: "It is on its way.",
      type: "OTP",
    };
    const reply = await post("/api/v1/messages/email", mail);
    const { messageId } = (await reply.json()) as { messageId: string };
    await signIn(`/messages/${messageId}`);
  }

  async function signIn(path: string): Promise<void> {
    await page.goto(`${baseUrl}/dashboard${path}`);
    await page.getByLabel("Email").fill("ada@acme.example");
    await page.getByLabel("Password").fill(PASSWORD);
    await page.keyboard.press("Enter");
  }

  it("names the carrier that took a message, and the carrier's message id", async () => {
    await openSent();
    await page.getByText(`Accepted by ${carrier}`).waitFor();
    await expectOpenToAll(page);
  });

  it("shows an admin the backlog of a channel without a carrier, and does not label live data as test data", async () => {
    const text = { merchantId: "shop", to: "+12025550100", message: "Hello", type: "OTP" };
    expect((await post("/api/v1/messages/sms", text)).status).toBe(200);
    await openSent();
    expect(await page.getByText("test data").count()).toBe(0);
    await page.getByRole("link", { name: "Health" }).click();
    await page.getByText("No carrier for SMS").waitFor();
    await page.getByText("Messages wait for a carrier for 72 hours at most").waitFor();
    await expectOpenToAll(page);
  });

  it("shows a carrier's rate, tests the carrier, and follows the test until it is sent", async () => {
    await signIn("/carriers");
    const card = page.getByRole("region", { name: "Emails" });
    await card.getByText("50 messages a second at most").waitFor();
    await page.getByRole("region", { name: "Payments" }).getByText("No processor is set").waitFor();
    await card.locator("summary").click();
    const to = card.getByLabel("Send a mail to");
    await to.fill("+12025550100");
    await page.keyboard.press("Enter");
    await card.getByRole("alert").getByText('Expected an email address, received "+12025550100".').waitFor();
    await to.fill("dana@example.com");
    await page.keyboard.press("Enter");
    await card.getByRole("status").getByText("Sent").waitFor();
    expect(mails.taken.map((mail) => mail.to)).toContain("dana@example.com");
    await expectOpenToAll(page);
  });

  it("shows a carrier's error text as text, even if it is markup", async () => {
    mails.refusals = { to: "550 5.1.1 no <img src=x onerror=alert(1)> \u202euser" };
    await openSent();
    const event = page.getByRole("listitem").filter({ hasText: `Message from ${carrier}` });
    const said = event.getByText("550 5.1.1 no <img src=x onerror=alert(1)> ");
    await said.waitFor();
    expect(await said.textContent()).not.toContain("\u202e");
    expect(await page.locator("img[src=x]").count()).toBe(0);
    mails.refusals = {};
  });
});
