// The frame of the dashboard and what its tables have in common, in a real browser: search, filters, a message beside the
// list, sorted rows, exported rows and notices.

import { readFileSync } from "node:fs";
import type { BrowserContext, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { hasChromium } from "../browser/chromium.ts";
import type { Post } from "../e2e/create-post.ts";
import { openDemo } from "./demo.ts";
import { expectOpenToAll } from "./pages.ts";

let baseUrl: string;
let context: BrowserContext;
let page: Page;
let post: Post;

describe.runIf(hasChromium)("the dashboard in a browser", () => {
  openDemo([400, 404], (demo) => {
    ({ baseUrl, context, page, post } = demo);
  });

  async function call(path: string, body: object): Promise<Record<string, string>> {
    const reply = await post(path, body);
    expect(reply.status).toBeLessThan(300);
    return (await reply.json()) as Record<string, string>;
  }
  const send = (message: string, to = "+12025550100", merchantId = "demo") =>
    call("/api/v1/messages/sms", { merchantId, type: "OTP", to, message });
  const open = (path: string) => page.goto(`${baseUrl}/dashboard${path}`);
  const rows = () => page.locator("tr.row");
  const rowOf = (text: string) => rows().filter({ hasText: text });
  const beside = () => page.getByRole("complementary", { name: "Message" });
  const parameter = (name: string) => new URL(page.url()).searchParams.get(name);
  const focusedRow = () => page.locator("tr.row:has(:focus) .text").textContent();

  it("sends a first message and shows how it arrives in three clicks", async () => {
    await page.goto(baseUrl);
    await page.getByRole("link", { name: "Send one" }).click();
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByRole("region", { name: "Answer" }).getByRole("link", { name: /^msg_/ }).click();
    await page.getByRole("list", { name: "What happened" }).getByText("Delivered").waitFor();
  });

  it("opens a message beside the list, and closes it with Esc or a button, which keep the focus on its row", async () => {
    for (const text of ["The first", "The second", "The third"]) await send(text);
    await open("/messages?q=channel%3Asms");
    await rowOf("The second").click();
    await beside().getByText("The second", { exact: true }).waitFor();
    const messageId = parameter("open");
    expect([messageId, parameter("q")]).toEqual([expect.stringMatching(/^msg_/), "channel:sms"]);
    expect(await rowOf("The second").getAttribute("aria-current")).toBe("true");
    await page.keyboard.press("Escape");
    await beside().waitFor({ state: "detached" });
    expect([parameter("open"), parameter("q"), await focusedRow()]).toEqual([null, "channel:sms", "The second"]);
    await rowOf("The third").click();
    await beside().getByText("The third", { exact: true }).waitFor();
    await page.goBack();
    await beside().waitFor({ state: "detached" });
    // the address opens it too
    await open(`/messages?open=${messageId}`);
    await beside().getByText("The second", { exact: true }).waitFor();
    await rows().nth(2).waitFor();
    await beside().getByRole("button", { name: "Close" }).click();
    await expect.poll(focusedRow).toBe("The second");
    await beside().waitFor({ state: "detached" });
    // Esc still closes it when the single-character keys are off
    await page.evaluate("localStorage.setItem('msgd.keys', 'off')");
    await open(`/messages?open=${messageId}`);
    await beside().getByText("The second", { exact: true }).waitFor();
    await page.keyboard.press("Escape");
    await beside().waitFor({ state: "detached" });
    // in a narrow window, the same address opens the message as a page
    await page.setViewportSize({ width: 390, height: 800 });
    await open(`/messages?open=${messageId}`);
    await page.waitForURL(`${baseUrl}/dashboard/messages/${messageId}`);
    await page.getByRole("heading", { name: "SMS to +1 202 555 0100" }).waitFor();
  });

  it("does not ask again and again for a message that does not exist", async () => {
    const asked: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/dashboard/api/messages/msg_")) asked.push(request.url());
    });
    for (const path of ["/messages/msg_none", "/messages?open=msg_none"]) {
      await open(path);
      await page.getByRole("alert").waitFor();
      await page.waitForTimeout(3_000);
      // once when the page opens, and once when its polling ends
      expect(asked.splice(0).length).toBeLessThanOrEqual(2);
    }
    page.removeAllListeners("request");
  });

  it("writes the filters into the search, and reads them from it", async () => {
    await call("/api/v1/merchants", { merchantId: "corner", displayName: "Corner Shop", smsLimit: 10 });
    await call("/api/v1/consents", { merchantId: "corner", channel: "SMS", contact: "+12025550100", status: "OPT_IN" });
    await send("Arrives");
    await send("Is blocked", "+12025550111");
    await send("Of the corner", "+12025550100", "corner");
    await open("/messages");
    await rows().nth(2).waitFor();
    const filter = (name: string) => page.getByRole("region", { name: "Filters" }).getByLabel(name);
    await filter("Merchant").selectOption("Corner Shop");
    await expect.poll(() => rows().locator(".text").allTextContents()).toEqual(["Of the corner"]);
    await filter("Channel").selectOption("SMS");
    await filter("Status").selectOption("Delivered");
    await expect.poll(() => parameter("q")).toBe("merchant:corner channel:sms status:delivered");
    expect(await page.getByRole("searchbox").inputValue()).toBe("merchant:corner channel:sms status:delivered");
    await rowOf("Of the corner").getByText("Delivered").waitFor();
    await filter("Merchant").selectOption("any");
    await expect.poll(() => parameter("q")).toBe("channel:sms status:delivered");
    await rowOf("Arrives").waitFor();
    await page.getByRole("searchbox").fill("type:otp after:1d shop");
    await page.keyboard.press("Enter");
    await page.getByText("No messages found").waitFor();
    const chosen = () =>
      Promise.all(["Status", "Type", "Accepted"].map((name) => filter(name).locator("option:checked").innerText()));
    await expect.poll(chosen).toEqual(["any", "One-time password", "the last 24 hours"]);
    await page.getByRole("searchbox").fill("status:undelivered");
    await page.keyboard.press("Enter");
    await rowOf("Is blocked").getByText("blocked", { exact: true }).waitFor();
  });

  it("exports the rows of the list, with numbers and texts as they were sent", async () => {
    await send("=1+1");
    await send('Bread, "fresh"');
    await open("/messages");
    await rows().nth(1).waitFor();
    await rows().getByText("Delivered").nth(1).waitFor();
    const downloading = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export 2 rows" }).click();
    const downloaded = await downloading;
    expect(downloaded.suggestedFilename()).toBe("messages.csv");
    const lines = readFileSync(await downloaded.path(), "utf8").split("\r\n");
    expect(lines[0]).toBe("\ufeffaccepted,status,reason,channel,type,to,merchant,subject,excerpt,id");
    expect(lines[1]).toMatch(/Z,DELIVERED,,SMS,OTP,\+12025550100,demo,,"Bread, ""fresh""",msg_\w+$/);
    // a spreadsheet must not take the text for a formula
    expect(lines[2]).toContain(",'=1+1,msg_");
  });

  it("sorts all rows of a table by its headings, with the keyboard", async () => {
    for (const displayName of ["Zoo", "Aquarium"]) {
      await call("/api/v1/merchants", { merchantId: displayName.toLowerCase(), displayName, smsLimit: 10 });
    }
    await open("/merchants");
    await rowOf("Zoo").waitFor();
    const names = () => rows().locator(".main bdi").allTextContents();
    const given = await names();
    const sorted = given.toSorted((one, other) => one.localeCompare(other));
    const heading = page.getByRole("columnheader", { name: "Merchant" });
    expect(await heading.getAttribute("aria-sort")).toBeNull();
    for (const [order, expected] of [
      ["ascending", sorted],
      ["descending", sorted.toReversed()],
      [null, given],
    ] as const) {
      await heading.getByRole("button").press("Enter");
      await expect.poll(names).toEqual(expected);
      expect(await heading.getAttribute("aria-sort")).toBe(order);
      expect(await heading.getByRole("button").evaluate((button) => button === document.activeElement)).toBe(true);
    }
    // tables that have only the newest rows are in the server's order
    await send("Hello");
    await open("/messages");
    const accepted = page.getByRole("columnheader", { name: "Accepted" });
    expect(await accepted.getAttribute("aria-sort")).toBe("descending");
    expect(await accepted.getByRole("button").count()).toBe(0);
  });

  it("begins at the first row when a long table is sorted", async () => {
    const names = Array.from({ length: 60 }, (_none, index) => `Shop ${String(index).padStart(2, "0")}`);
    for (const displayName of names) {
      await call("/api/v1/merchants", { merchantId: displayName.replace(" ", ""), displayName, smsLimit: 10 });
    }
    await open("/merchants");
    const sort = page.getByRole("columnheader", { name: "Merchant" }).getByRole("button");
    const topRow = () =>
      page.evaluate(`(({ top, bottom, left }) => document.elementFromPoint(left + 20, bottom + 20).closest("tr").innerText)(
        document.querySelector("thead").getBoundingClientRect())`);
    await rowOf("Shop 00").waitFor();
    await sort.click();
    await sort.click();
    await expect.poll(topRow).toContain("Shop 59");
    await page.locator(".rows").evaluate((rows) => rows.scrollTo(0, 500));
    await expect.poll(topRow).not.toContain("Shop 59");
    await sort.click();
    await sort.click();
    await expect.poll(topRow).toContain("Demo");
  });

  it("finds a merchant by its name, and shows its quotas, registration and messages", async () => {
    await call("/api/v1/merchants", { merchantId: "corner", displayName: "Corner Shop", smsLimit: 10 });
    await call("/api/v1/consents", { merchantId: "corner", channel: "SMS", contact: "+12025550100", status: "OPT_IN" });
    await send("Of the corner", "+12025550100", "corner");
    await open("/merchants");
    const search = page.getByLabel("Name or id");
    await search.fill("nobody");
    await page.getByText("No merchant has such a name or id.").waitFor();
    await search.fill("CORNER");
    await expect.poll(() => rows().count()).toBe(1);
    await rowOf("1 of 10").waitFor();
    await page.keyboard.press("Escape");
    await rowOf("Corner Shop").getByRole("link").press("Enter");
    await page.getByRole("heading", { name: "Corner Shop" }).waitFor();
    await page.getByRole("region", { name: "This month" }).getByText("1 of 10").waitFor();
    await page.getByRole("region", { name: "Registration" }).getByText("Not ready").waitFor();
    await rowOf("Of the corner").waitFor();
    await page.getByRole("link", { name: "All messages", exact: true }).click();
    await page.waitForURL(/q=merchant%3Acorner$/);
    await page.goBack();
    await page.getByRole("navigation", { name: "Breadcrumbs" }).getByRole("link", { name: "Merchants" }).click();
    await rowOf("Corner Shop").waitFor();
    await open("/merchants/nobody");
    await page.getByRole("alert").waitFor();
  });

  it("finds a recipient by a number as people write it", async () => {
    await send("Hello");
    await open("/recipients");
    await page.getByRole("button", { name: "Show" }).click();
    const field = page.getByLabel("Phone number or email address");
    expect(await field.evaluate((input) => input === document.activeElement)).toBe(true);
    await page.keyboard.type("+1 (202) 555-0100");
    await page.keyboard.press("Enter");
    const heading = page.getByRole("heading", { name: "+1 202 555 0100" });
    await heading.waitFor();
    await expect.poll(() => heading.locator("bdi").getAttribute("title")).toBe("+12025550100");
    await rowOf("Hello").waitFor();
    // copied, it is in its normal form
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await heading.click({ clickCount: 3 });
    await page.keyboard.press("Control+c");
    await expect.poll(() => page.evaluate("navigator.clipboard.readText()")).toBe("+12025550100");
  });

  it("has its search in the same position on every page, and searches the messages from there", async () => {
    const { messageId } = await send("Hello");
    const search = page.getByRole("searchbox", { name: "Search", exact: true });
    await open("/messages");
    await rows().first().waitFor();
    const position = await search.boundingBox();
    for (const path of [
      "/requests",
      "/keys",
      "/overview",
      "/merchants",
      "/calls",
      `/messages/${messageId}`,
      "/messages?q=Hello",
    ]) {
      await open(path);
      await page.locator("h1").waitFor();
      expect([path, await search.boundingBox()]).toEqual([path, position]);
      await page.keyboard.press("/");
      expect([path, await search.evaluate((input) => input === document.activeElement)]).toEqual([path, true]);
    }
    await open("/overview");
    await search.waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("Hello");
    await page.keyboard.press("Enter");
    await rowOf("Hello").waitFor();
    expect([parameter("q"), await search.inputValue()]).toEqual(["Hello", "Hello"]);
    // another page has another search
    await page.getByRole("link", { name: "Requests", exact: true }).click();
    await page.getByRole("heading", { name: "Requests" }).waitFor();
    expect(await search.inputValue()).toBe("");
  });

  it("shows on every page what is wrong, with a link to where it is explained", async () => {
    const since = "2026-01-15T12:00:00.000Z";
    const notices = [
      { kind: "CARRIER_DOWN", name: "smtp-1", since, count: { count: 12, isMore: false } },
      { kind: "NO_CARRIER", name: "SMS", since: null, count: { count: 1, isMore: false } },
      { kind: "RECEIVER_SILENT", name: "hooks.example", since, count: null },
      { kind: "BACKUP_OVERDUE", name: null, since: null, count: null },
    ];
    await page.route("**/dashboard/api/notices", (route) => route.fulfill({ json: notices }));
    const banner = page.getByRole("region", { name: "Notices" });
    await open("/requests");
    await banner.getByText(/^The carrier smtp-1 has been unreachable since .+\. Waiting: 12 messages\./).waitFor();
    await banner.getByText("No carrier is set for SMS. Waiting: 1 message.").waitFor();
    await banner.getByText(/^The webhook receiver hooks\.example does not answer/).waitFor();
    await banner.getByRole("button", { name: "Show 1 more notice" }).click();
    await banner.getByText("There is no backup yet.").waitFor();
    await expectOpenToAll(page);
    await banner.getByRole("link", { name: "Show" }).first().click();
    await page.getByRole("heading", { name: "Carriers" }).waitFor();
    await page.unrouteAll();
    // the clock of a development server
    await open("/simulator");
    await page.getByRole("button", { name: "+ 24h" }).click();
    await page.getByText("ahead of the machine's").waitFor();
    await page.getByRole("link", { name: "Calls", exact: true }).click();
    await banner.getByText("The server's clock was moved").waitFor();
    await banner.getByRole("link", { name: "Show" }).click();
    await page.getByRole("heading", { name: "Simulator" }).waitFor();
  });

  it("opens its navigation from a button in a narrow window", async () => {
    await page.setViewportSize({ width: 390, height: 800 });
    await open("/messages");
    const menu = page.getByRole("button", { name: "Menu" });
    const links = page.getByRole("navigation", { name: "Pages" }).getByRole("link");
    await menu.press("Enter");
    await links.first().waitFor();
    expect(await menu.getAttribute("aria-expanded")).toBe("true");
    expect(await page.evaluate("document.activeElement.closest('#side') !== null")).toBe(true);
    await expectOpenToAll(page);
    await page.setViewportSize({ width: 390, height: 800 });
    await page.keyboard.press("Escape");
    await links.first().waitFor({ state: "hidden" });
    expect(await menu.evaluate((button) => button === document.activeElement)).toBe(true);
    const isMoved = await menu.evaluate(async (button) => {
      (button as HTMLElement).click();
      // rendering runs in microtasks, painting in a later task: wait for some microtasks
      for (let turn = 0; turn < 10; turn += 1) await null;
      return document.activeElement?.closest("#side") !== null;
    });
    expect(isMoved).toBe(true);
    await links.getByText("Requests").click();
    await links.first().waitFor({ state: "hidden" });
    await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe("Requests");
  });

  it("keeps its navigation open if the button was pressed before the page is painted", async () => {
    const early = await context.newPage();
    await early.setViewportSize({ width: 390, height: 800 });
    await early.addInitScript(`new MutationObserver((_changes, observer) => {
      const menu = document.querySelector("button.menu");
      if (menu === null) return;
      observer.disconnect();
      menu.click();
    }).observe(document, { childList: true, subtree: true })`);
    await early.goto(`${baseUrl}/dashboard/messages`);
    await early.getByRole("navigation", { name: "Pages" }).getByRole("link").first().waitFor();
    await early.evaluate("new Promise((frame) => requestAnimationFrame(() => requestAnimationFrame(frame)))");
    expect(await early.getByRole("button", { name: "Menu" }).getAttribute("aria-expanded")).toBe("true");
    await early.close();
  });
});
