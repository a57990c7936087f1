// The overview of each role, and how alerts are acknowledged, in a real browser.

import type { BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { hasChromium, openContext } from "../browser/chromium.ts";
import { createPost, type Post } from "../e2e/create-post.ts";
import { type Credential, MsgdFolder } from "../e2e/msgd-process.ts";
import { expectOpenToAll, holdBack, leave, watchFaults } from "./pages.ts";

const PASSWORD = "correct horse battery staple";
const folder = new MsgdFolder();

let baseUrl: string;
let credential: Credential;
let context: BrowserContext;
let page: Page;
let faults: string[];
let post: Post;

describe.runIf(hasChromium)("the overview in a browser", () => {
  beforeAll(async () => {
    credential = folder.createTenant("Acme");
    ({ baseUrl } = await folder.serve());
    post = createPost(baseUrl, credential);
    context = await openContext();
    page = await context.newPage();
    // requests before signing in are answered with 401
    faults = watchFaults(page, baseUrl, [401]);
    for (const merchantId of ["bakery", "florist"]) {
      await post("/api/v1/merchants", { merchantId, displayName: `The ${merchantId}`, smsLimit: 4 });
      // a message that fails, and messages until the limit is reached
      for (const to of ["+12025550112", "+12025550100", "+12025550100", "+12025550100", "+12025550100"])
        await post("/api/v1/messages/sms", { merchantId, to, message: "Hello", type: "OTP" });
    }
    for (const [name, ...flags] of [
      ["viewer"],
      ["agent"],
      ["admin"],
      ["viewer", "--merchant", "bakery"],
      ["agent", "--merchant", "bakery"],
    ] as const)
      await add(name, ...flags);
  });
  afterAll(async () => {
    await context?.close();
    await folder.remove();
  });

  afterEach(async () => {
    await leave(page, baseUrl);
    expect(faults.splice(0)).toEqual([]);
  });

  const addressOf = (role: string, isOfMerchant = false) => `${role}${isOfMerchant ? ".bakery" : ""}@example.com`;

  /** Adds a user who has a password, with the `msgd` command line. */
  async function add(role: string, ...flags: readonly string[]): Promise<void> {
    const email = addressOf(role, flags.length > 0);
    const args = ["users", "create", "--tenant", credential.tenantId, "--email", email, "--role", role, ...flags];
    const { hash } = new URL(folder.command<{ link: string }>(...args).link);
    const body = JSON.stringify({ link: hash.slice(1), password: PASSWORD });
    const headers = { "content-type": "application/json" };
    expect((await fetch(`${baseUrl}/dashboard/api/password`, { method: "POST", headers, body })).status).toBe(200);
  }

  async function openOverview(email: string): Promise<void> {
    await page.goto(`${baseUrl}/dashboard/overview`);
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Overview" }).waitFor();
  }

  const alerts = () => page.getByRole("region", { name: "Open alerts" });
  const titles = () => page.locator("main h2").allTextContents();
  const ofManager = ["Cost so far", "SMS", "Calls", "Emails", "Who runs out first", "Messages", "Open alerts"];

  it("begins with the costs for a viewer, who cannot acknowledge alerts", async () => {
    await openOverview(addressOf("viewer"));
    await alerts().getByText("SMS usage has reached 100 %").first().waitFor();
    await page.getByRole("row", { name: "The bakery SMS 4 of 4 used up" }).waitFor();
    expect(await titles()).toEqual(ofManager);
    expect(await page.getByRole("button", { name: "Acknowledge" }).count()).toBe(0);
    await expectOpenToAll(page);
  });

  it("begins with errors, requests and webhooks for an admin", async () => {
    await openOverview(addressOf("admin"));
    await page.getByText("2 × quota_exceeded sendSms").waitFor();
    const latest = page.getByRole("table", { name: "Latest requests" });
    await latest
      .getByRole("row", { name: /sendSms/ })
      .first()
      .waitFor();
    expect(await latest.locator("tr.row").count()).toBe(6);
    await page.getByText("Callbacks to your receivers appear here.").waitFor();
    await page.getByText("4 of 4").first().waitFor();
    const first = ["Refused or failed in the last hour", "Latest requests", "Messages"];
    const second = ["Webhooks of the last 7 days", "Open alerts", "Cost so far"];
    expect((await titles()).slice(0, 6)).toEqual([...first, ...second]);
    await expectOpenToAll(page);
    await latest.getByRole("link").first().click();
    await page.getByRole("heading", { name: "Request", exact: true }).waitFor();
  });

  it("begins with failed messages for an agent, with reasons and links", async () => {
    await openOverview(addressOf("agent"));
    const failed = page.getByRole("table", { name: "Latest failed messages" });
    await failed
      .getByRole("row", { name: /^(Failed|Undelivered).*The (bakery|florist)/ })
      .nth(1)
      .waitFor();
    expect(await failed.getByRole("row").count()).toBe(3);
    await page.getByRole("region", { name: "Waiting to be sent" }).getByText("None.").waitFor();
    await page.getByRole("img", { name: /^\d+ messages, \d+ at most at a time$/ }).waitFor();
    expect(await titles()).toEqual(["Latest failed messages", "Waiting to be sent", "Messages", "Open alerts"]);
    await expectOpenToAll(page);
    await page.getByRole("region", { name: "Latest failed messages" }).getByRole("link", { name: "All" }).click();
    await page.locator("tr.row").nth(1).waitFor();
    expect(await page.locator("tr.row").count()).toBe(2);
  });

  it("shows a merchant's user only the merchant's alerts", async () => {
    await openOverview(addressOf("viewer", true));
    await alerts().getByRole("link", { name: "The bakery" }).first().waitFor();
    expect(await alerts().getByText("The florist").count()).toBe(0);
    expect(await titles()).toEqual(ofManager);
  });

  it("acknowledges alerts by keyboard, announces it, and keeps the focus in the list", async () => {
    await openOverview(addressOf("agent", true));
    const buttons = alerts().getByRole("button", { name: "Acknowledge" });
    await buttons.nth(2).waitFor();
    const count = await buttons.count();
    const nameOf = async (index: number) => (await buttons.nth(index).textContent()) ?? "";
    const focused = () => page.evaluate("document.activeElement.textContent");
    const [first, second] = [await nameOf(0), await nameOf(1)];
    await buttons.first().focus();
    await page.keyboard.press("Enter");
    await alerts()
      .getByRole("status")
      .getByText(`Acknowledged${first.slice("Acknowledge".length)}`)
      .waitFor();
    await buttons.nth(count - 1).waitFor({ state: "detached" });
    expect(await focused()).toBe(second);
    // the last button of the list, so that the focus moves up
    const last = await nameOf(count - 3);
    await buttons.nth(count - 2).focus();
    await page.keyboard.press("Enter");
    await buttons.nth(count - 2).waitFor({ state: "detached" });
    expect(await focused()).toBe(last);
    for (let left = count - 2; left > 0; left -= 1) {
      await buttons.first().focus();
      await page.keyboard.press("Enter");
      await buttons.nth(left - 1).waitFor({ state: "detached" });
    }
    await alerts().getByText("None.").waitFor();
    expect(await focused()).toBe("Open alerts");
    await alerts().getByText("All alerts").click();
    await alerts()
      .getByRole("list", { name: "All alerts" })
      .getByRole("listitem")
      .nth(count - 1)
      .waitFor();
    await expectOpenToAll(page);
  });

  it("says who has acknowledged an alert, if somebody was quicker", async () => {
    await openOverview(addressOf("agent"));
    const button = alerts().getByRole("button", { name: "Acknowledge" }).first();
    await button.waitFor();
    // another user acknowledges it before the page has noticed
    const letGo = await holdBack(page, "**/dashboard/api/alerts");
    const { status } = await acknowledgeAs("admin");
    expect(status).toBe(200);
    await button.click();
    await alerts()
      .getByRole("status")
      .getByText(`${addressOf("admin")} has acknowledged it already`)
      .waitFor();
    letGo();
  });

  /** Acknowledges the newest open alert through the API. */
  async function acknowledgeAs(role: string): Promise<Response> {
    const call = (path: string, init: RequestInit) => fetch(`${baseUrl}/dashboard/api${path}`, init);
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ email: addressOf(role), password: PASSWORD });
    const { token } = (await (await call("/session", { method: "POST", headers, body })).json()) as { token: string };
    const authorization = `Bearer ${token}`;
    const open = (await (await call("/alerts", { headers: { authorization } })).json()) as {
      alerts: { alertId: number }[];
    };
    const path = `/alerts/${open.alerts[0]?.alertId}/acknowledge`;
    return call(path, { method: "POST", headers: { authorization } });
  }
});
