// Lists of many rows in a real browser: only visible rows are rendered, keys move through them, and the row being read stays
// in place.

import type { BrowserContext, Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { hasChromium } from "../browser/chromium.ts";
import type { Post } from "../e2e/create-post.ts";
import { openDemo } from "./demo.ts";
import { expectOpenToAll, holdBack } from "./pages.ts";

let baseUrl: string;
let context: BrowserContext;
let page: Page;
let post: Post;

describe.runIf(hasChromium)("the dashboard in a browser", () => {
  openDemo([400], (demo) => {
    ({ baseUrl, context, page, post } = demo);
  });

  async function call(path: string, body: object): Promise<Record<string, string>> {
    return (await (await post(path, body)).json()) as Record<string, string>;
  }
  const send = (message: string) =>
    call("/api/v1/messages/sms", { merchantId: "demo", type: "OTP", to: "+12025550100", message });
  const beginBatch = async (size: number) => {
    const toNumbers = Array.from({ length: size }, (_none, index) => `+1202556${String(index).padStart(4, "0")}`);
    const words = { merchantId: "demo", useCase: "OTP", messageText: "Hello" };
    await call("/api/v1/merchants", { merchantId: "demo", displayName: "Demo Bakery", voiceMinutesLimit: 1_000_000 });
    const { batchId } = await call("/api/v1/voice/tts-calls", { ...words, toNumbers });
    return batchId ?? "";
  };
  /** Waits until the server has no work in progress. */
  const settle = () =>
    fetch(`${baseUrl}/control/clock`, {
      ...{ method: "POST", headers: { "content-type": "application/json" } },
      body: JSON.stringify({ advance: "1m" }),
    });
  const open = (path: string) => page.goto(`${baseUrl}/dashboard${path}`);
  const rows = () => page.locator(".rows .row");
  /** The text of the focused element, or that of the message in whose row it is. */
  const focusedText = () =>
    page.evaluate(`(({ activeElement }) =>
      (activeElement.closest("tr")?.querySelector(".text") ?? activeElement).textContent)(document)`) as Promise<string>;
  const rowCount = () => page.locator(".rows table").getAttribute("aria-rowcount");
  const toEnd = () => page.locator(".rows").evaluate((list) => list.scrollTo(0, list.scrollHeight));
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };

  it("renders only the visible rows, and announces how many there are", async () => {
    for (let count = 0; count < 120; count += 1) await send(`Number ${count}.`);
    await open("/messages");
    await rows().getByText("Number 119.").waitFor();
    await expect
      .poll(async () => {
        await toEnd();
        return rows().getByText("Number 0.").count();
      })
      .toBe(1);
    expect(await rows().count()).toBeLessThan(60);
    const last = page.getByRole("table", { name: "Messages" }).getByRole("row").filter({ hasText: "Number 0." });
    // the headings are the first row
    expect([await last.getAttribute("aria-rowindex"), await rowCount()]).toEqual(["121", "121"]);
  });

  it("no longer says that messages are being indexed once all are", async () => {
    await send("Indexed.");
    let asked = 0;
    await page.route("**/dashboard/api/messages?*", async (route) => {
      const reply = await route.fetch();
      asked += 1;
      await route.fulfill({ response: reply, json: { ...(await reply.json()), isComplete: asked > 3 } });
    });
    await open("/messages");
    await page.getByText("older messages are still being indexed").waitFor();
    await page.getByText("older messages are still being indexed").waitFor({ state: "hidden" });
    await rows().getByText("Indexed.").waitFor();
  });

  it("lists all numbers of a long batch, and moves through them by keys", async () => {
    const batchId = await beginBatch(2_000);
    await open(`/calls/batches/${batchId}`);
    await rows().filter({ hasText: "+1 202 556 0000" }).waitFor();
    expect(await rows().count()).toBeLessThan(60);
    await press("j", ...Array.from({ length: 40 }, () => "ArrowDown"), "k");
    await expect.poll(focusedText).toContain("+1 202 556 0039");
    await toEnd();
    await rows().filter({ hasText: "+1 202 556 1999" }).waitFor();
    // j continues from the focused row, which is out of sight
    await press("j");
    await expect.poll(focusedText).toContain("+1 202 556 0040");
    await rows().filter({ hasText: "+1 202 556 0041" }).waitFor();
    await press("Enter");
    await page.getByRole("heading", { name: /^Call / }).waitFor();
  });

  it("keeps the row being read in place while new rows arrive", async () => {
    for (let count = 0; count < 60; count += 1) await send(`Number ${count}.`);
    await settle();
    await open("/messages");
    await rows().getByText("Number 59.").waitFor();
    await page.locator(".rows").evaluate((list) => list.scrollTo(0, 1_000));
    const read = rows().getByText("Number 30.");
    const place = async () => Math.round((await read.boundingBox())?.y ?? Number.NaN);
    await read.waitFor();
    const before = await place();
    await send("One more.");
    await expect.poll(rowCount).toBe("62");
    await expect.poll(place).toBe(before);
    // the focused row keeps its position too, even at the top of the list
    await page.locator(".rows").evaluate((list) => list.scrollTo(0, 0));
    await rows().getByText("One more.").waitFor();
    await press("j", "j");
    const reached = await focusedText();
    await send("Another one.");
    await expect.poll(rowCount).toBe("63");
    await expect.poll(focusedText).toBe(reached);
    await press("k", "k", "k");
    await expect.poll(focusedText).toContain("Another one.");
  });

  it("shows new rows at the top, and catches up with a burst", async () => {
    await send("The first one.");
    await open("/messages");
    await rows().getByText("The first one.").waitFor();
    await beginBatch(200);
    await rows().filter({ hasText: "+1 202 556 0199" }).waitFor();
    await page.getByText("new or changed").waitFor({ state: "hidden" });
    await send("One more.");
    await rows().getByText("One more.").waitFor();
    expect(await page.locator(".rows").evaluate((list) => list.scrollTop)).toBe(0);
  });

  it("returns to the row that the reader left, however far down it is, even if new rows have arrived", async () => {
    for (let count = 0; count < 300; count += 1) await send(`Number ${count}.`);
    // below 80rem a row opens a page, and not beside the list
    await page.setViewportSize({ width: 1_100, height: 720 });
    await open("/messages");
    const row = rows().filter({ hasText: "Number 60." });
    await expect
      .poll(async () => {
        if ((await row.count()) === 0) await page.locator(".rows").evaluate((list) => list.scrollBy(0, 400));
        return row.count();
      })
      .toBe(1);
    await row.scrollIntoViewIfNeeded();
    const topOf = async (shown: Locator) => (await shown.boundingBox())?.y ?? 0;
    const fromTop = async () => (await topOf(row)) - (await topOf(page.locator(".rows")));
    const before = await fromTop();
    await row.click();
    await page.getByText("Number 60.", { exact: true }).waitFor();
    for (let count = 0; count < 3; count += 1) await send(`Meanwhile ${count}.`);
    await page.goBack();
    await expect.poll(focusedText).toContain("Number 60.");
    await expect.poll(fromTop).toBeCloseTo(before, 0);
    // a link opens the list at its top
    for (const name of ["Requests", "Messages"]) await page.getByRole("link", { name, exact: true }).click();
    await rows().getByText("Meanwhile 2.").waitFor();
    expect(await focusedText()).not.toContain("Number 60.");
  });

  it("opens a request, and returns the focus to its row, even if many rows have arrived", async () => {
    await send("Hello");
    await open("/requests");
    await rows().first().waitFor();
    await press("j", "Enter");
    await page.getByRole("dialog", { name: "Request" }).getByText("POST /api/v1/messages/sms").waitFor();
    const id = await page.getByRole("dialog").getByText(/^req_/).innerText();
    for (let count = 0; count < 40; count += 1) await send("me");
    await expect.poll(rowCount).toBe("42");
    await press("Escape", "Enter");
    expect(await page.getByRole("dialog").getByText(/^req_/).innerText()).toBe(id);
  });

  it("shows its keyboard shortcuts on every page, and ignores them while the user types", async () => {
    await send("Hello");
    const help = page.getByRole("dialog", { name: "Keyboard" });
    for (const path of ["/messages", "/overview", "/simulator", "/nowhere"]) {
      await open(path);
      await page.getByRole("button", { name: "? keyboard" }).waitFor();
      await press("?");
      await help.getByText("to the next row").waitFor();
      await press("Escape");
      await help.waitFor({ state: "hidden" });
    }
    await open("/messages");
    await rows().first().waitFor();
    await press("/", "?", "j");
    expect(await page.getByRole("searchbox").inputValue()).toBe("?j");
    await press("Control+a", "Backspace", "Escape");
    await expect.poll(focusedText).toContain("Hello");
    for (const key of ["Control+?", "Alt+?", "Meta+?"]) await press(key);
    expect(await help.count()).toBe(0);
    await press("?");
    await help.getByRole("button", { name: "Close" }).click();
    await expect.poll(focusedText).toContain("Hello");
  });

  it("binds its shortcuts as soon as it is rendered, before it is painted", async () => {
    const early = await context.newPage();
    await early.addInitScript(`new MutationObserver((_changes, observer) => {
      if (document.querySelector("button.help") === null) return;
      observer.disconnect();
      document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "?", bubbles: true }));
    }).observe(document, { childList: true, subtree: true })`);
    await early.goto(`${baseUrl}/dashboard/messages`);
    await early.getByRole("dialog", { name: "Keyboard" }).getByText("to the next row").waitFor();
    await early.close();
  });

  it("focuses the first row if j was pressed before the rows were loaded", async () => {
    await send("Hello");
    const letGo = await holdBack(page, "**/dashboard/api/requests*");
    await open("/requests");
    await page.getByRole("heading", { name: "Requests" }).waitFor();
    await press("j");
    letGo();
    await expect.poll(() => page.locator(".row:has(:focus)").allTextContents()).toHaveLength(1);
  });

  it("ignores shortcuts after they are turned off, and remembers the setting", async () => {
    await send("Hello");
    await open("/messages");
    await rows().first().waitFor();
    await page.getByRole("button", { name: "? keyboard" }).click();
    await page.getByRole("dialog").getByRole("checkbox").uncheck();
    await press("Escape");
    await expect.poll(focusedText).toBe("?");
    await page.reload();
    await rows().first().waitFor();
    await press("?", "j", "/");
    expect(await page.getByRole("dialog").count()).toBe(0);
    await expect.poll(() => page.evaluate("document.activeElement === document.body")).toBe(true);
    // keys that act only on the focused element still work
    await send("Another");
    await rows().nth(1).waitFor();
    await rows().first().focus();
    await press("ArrowDown");
    await expect.poll(focusedText).toContain("Hello");
    await page.getByRole("button", { name: "? keyboard" }).click();
    await page.getByRole("dialog").getByRole("checkbox").check();
    await press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await press("?");
    await page.getByRole("dialog").waitFor();
  });

  it.each(["/requests", "/messages"])("the dialogs of %s are accessible", async (path) => {
    await send("Hello");
    await call("/api/v1/messages/sms", { merchantId: "demo", type: "OTP", to: "me", message: "Hello" });
    await open(path);
    await rows().first().waitFor();
    if (path === "/messages") await press("?");
    else await rows().first().click();
    await page.getByRole("dialog").waitFor();
    await expectOpenToAll(page);
  });
});
