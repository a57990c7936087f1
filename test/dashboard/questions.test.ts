// Questions that people come with, answered in a real browser by clicking: each in at most three clicks, and without the
// search language.

import type { BrowserContext, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createPost, type Post } from "../e2e/create-post.ts";
import { type Credential, MsgdFolder } from "../e2e/msgd-process.ts";
import { browser, leave, watchFaults } from "./pages.ts";

const PASSWORD = "correct horse battery staple";
const MOST_CLICKS = 3;

describe.runIf(browser.isInstalled)(`the dashboard in ${browser.name}`, () => {
  const folder = new MsgdFolder();
  const links = new Map<string, string>();
  let baseUrl: string;
  let credential: Credential;
  let context: BrowserContext;
  let page: Page;
  let faults: string[];
  let post: Post;
  let clicks: number;

  beforeAll(async () => {
    credential = folder.createTenant("Riverbend", "America/New_York");
    ({ baseUrl } = await folder.serve("--consent-policy", "opt_out_only", "--allow-private-callbacks"));
    post = createPost(baseUrl, credential);
    await call("/api/v1/merchants", { merchantId: "bella", displayName: "Bella Trattoria", smsLimit: 5 });
    for (const role of ["viewer", "agent", "auditor", "admin"]) {
      const args = ["users", "create", "--tenant", credential.tenantId, "--email", `${role}@example.com`];
      const { link } = folder.command<{ link: string }>(...args, "--role", role);
      links.set(role, new URL(link).pathname + new URL(link).hash);
    }
    folder.createTenant("Quiet");
    const operator = ["users", "create", "--operator", "--email", "operator@example.com"];
    const { link } = folder.command<{ link: string }>(...operator);
    links.set("operator", new URL(link).pathname + new URL(link).hash);
    await send("+12025550110", "Your code is 402913.");
    await send("+12125550150", "Your table is ready. Reply STOP to opt out.");
    context = await browser.openContext({ viewport: { width: 1_440, height: 900 } });
    page = await context.newPage();
    faults = watchFaults(page, baseUrl, [401, 403, 404]);
  });
  afterAll(async () => {
    await context?.close();
    await folder.remove();
  });
  afterEach(async () => {
    await leave(page, baseUrl);
    await page.setViewportSize({ width: 1_440, height: 900 });
    expect(faults.splice(0)).toEqual([]);
    expect(clicks).toBeLessThanOrEqual(MOST_CLICKS);
  });

  async function call(path: string, body: object): Promise<void> {
    const reply = await post(path, body);
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
  }
  const send = (to: string, message: string) =>
    call("/api/v1/messages/sms", { merchantId: "bella", type: "OTP", to, message });

  /** Signs in as the only user with this role. */
  async function arrive(role: string): Promise<void> {
    const link = links.get(role);
    if (link !== undefined) {
      links.delete(role);
      await page.goto(baseUrl + link);
      await page.getByLabel("New password").fill(PASSWORD);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Your password is set" }).waitFor();
    }
    await page.goto(`${baseUrl}/dashboard`);
    await page.getByLabel("Email").fill(`${role}@example.com`);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Sign out" }).waitFor();
    clicks = 0;
  }

  async function click(target: Locator): Promise<void> {
    clicks += 1;
    await target.click();
  }
  const link = (name: string) => page.getByRole("link", { name, exact: true });

  it("did this number's code arrive, and if not, why?", async () => {
    await arrive("agent");
    await page.getByRole("searchbox", { name: "Search" }).fill("(202) 555-0110");
    await page.keyboard.press("Enter");
    const row = page.getByRole("row").filter({ hasText: "Your code is 402913." });
    await row.getByText("phone unreachable").waitFor();
    await click(row.getByRole("link"));
    await page.getByText("The phone was off or out of reach.").waitFor();
  });

  it("may we write to her?", async () => {
    await arrive("agent");
    await click(link("Recipients"));
    await page.getByLabel("Phone number or email address").fill("+1 212 555 0150");
    await page.keyboard.press("Enter");
    const summary = page.getByRole("region", { name: "May we write to them?" });
    await summary.getByText("Bella Trattoria may send nothing.").waitFor();
    await summary.getByText("All merchants may send everything.").waitFor();
    await summary.getByText("STOP,").waitFor();
    await summary.getByText("Delivered").waitFor();
    await page.getByRole("cell", { name: "Opted out" }).first().waitFor();
  });

  it("what did this month cost Bella, and when does her quota end?", async () => {
    await arrive("viewer");
    await click(link("Merchants"));
    await click(link("Bella Trattoria"));
    await page.getByRole("region", { name: "Cost so far" }).getByText("$0.0").waitFor();
    await page
      .getByRole("region", { name: "This month" })
      .getByText(/\d of 5/)
      .waitFor();
  });

  it("is the sender registered, and what is missing?", async () => {
    await arrive("viewer");
    await click(link("Registration"));
    await page.getByText("Not ready").waitFor();
    await page.getByText("No brand is registered yet.").waitFor();
  });

  it("who looked at this person?", async () => {
    await arrive("auditor");
    await click(link("Audit"));
    await page.getByLabel("Entries about a phone number").fill("+12025550110");
    await page.keyboard.press("Enter");
    const entry = page.getByRole("row").filter({ hasText: "agent@example.com" }).first();
    await entry.getByText(/viewed|searched/).waitFor();
  });

  it("what is wrong right now?", async () => {
    await arrive("admin");
    const notice = page.getByRole("region", { name: "Notices" }).getByText("There is no backup yet.");
    await notice.waitFor();
    await click(page.getByRole("region", { name: "Notices" }).getByRole("link", { name: "Show" }).first());
    await page.getByRole("heading", { name: "Health" }).waitFor();
  });

  it("which tenant sends most?", async () => {
    await arrive("operator");
    const busiest = page.getByRole("table", { name: "Tenants" }).getByRole("row").nth(1);
    await busiest.getByText("Riverbend").waitFor();
    await page.getByRole("columnheader", { name: "Accepted" }).waitFor();
    expect(await page.locator("body").textContent()).not.toContain("402913");
  });

  it("did the webhook receive it?", async () => {
    const batch = { merchantId: "bella", useCase: "OTP", messageText: "Hello", toNumber: "+12025550100" };
    await call("/api/v1/merchants", { merchantId: "bella", displayName: "Bella Trattoria", voiceMinutesLimit: 60 });
    await call("/api/v1/voice/tts-calls", { ...batch, callbackUrl: "http://127.0.0.1:9/hook" });
    await arrive("agent");
    await click(link("Webhooks"));
    await page.getByRole("region", { name: "Receivers of the last 7 days" }).getByText("127.0.0.1").waitFor();
    await click(page.getByRole("table", { name: "Callbacks" }).getByRole("link").first());
    await page.getByRole("region", { name: "What happened" }).getByText("attempt").first().waitFor();
  });
});
