// Tests /docs in a real browser: its frame, search, examples and the form that runs an operation, under the server's content
// security policy.

import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasChromium, openContext } from "../browser/chromium.ts";
import { expectOpenToAll, expectReadable, holdBack } from "../dashboard/pages.ts";
import { MsgdFolder } from "../e2e/msgd-process.ts";

const folder = new MsgdFolder();
let context: BrowserContext;
let page: Page;
let baseUrl: string;

/** Waits until the expression is true. A page that is being left cannot evaluate it, so it is retried. */
const until = (expression: string) =>
  expect.poll(() => page.evaluate(`Boolean(${expression})`).catch(() => false)).toBe(true);
const click = (selector: string) => page.evaluate(`document.querySelector(${JSON.stringify(selector)}).click()`);
const textOf = (selector: string) => page.evaluate(`document.querySelector(${JSON.stringify(selector)})?.textContent`);

describe.runIf(hasChromium)("/docs in a browser", () => {
  beforeAll(async () => {
    ({ baseUrl } = await folder.shareDemo());
    context = await openContext();
    page = await context.newPage();
    await page.goto(`${baseUrl}/docs`);
  });
  afterAll(async () => {
    await context?.close();
    await folder.remove();
  });

  it("is shown under its own content security policy", async () => {
    await until('document.querySelector(".find")?.hidden === false');
    await page.evaluate(`
      window.violations = [];
      document.addEventListener("securitypolicyviolation", ({ violatedDirective }) => violations.push(violatedDirective));
    `);
    expect(await page.evaluate("location.pathname")).toBe("/docs");
  });

  it("leads to an operation with the keyboard", async () => {
    await page.evaluate(`
      const press = (target, key) => target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
      window.press = press;
      press(document.body, "/");
    `);
    expect(await page.evaluate("document.activeElement.id")).toBe("search");
    await page.evaluate('search.value = "sendSms"; search.dispatchEvent(new Event("input"))');
    await until('document.querySelector("[role=option]") !== null');
    expect(await textOf("[role=option][aria-selected=true] span")).toBe("Send an SMS for a merchant");
    await page.evaluate('press(search, "Enter")');
    await until('location.pathname === "/docs/send/sms" && document.querySelector("section.try")?.hidden === false');
    expect(await page.evaluate("document.activeElement.id")).toBe("content");
    expect(await textOf("#side [aria-current]")).toBe("Send an SMS for a merchant");
  });

  it("asks before a billable send, and sends nothing until it is confirmed", async () => {
    await click("section.try [type=submit]");
    await until('document.querySelector("dialog").open');
    await page.evaluate('document.querySelector("dialog").close("")');
    expect(await textOf(".answer")).toBe("");
  });

  it("sends with the demo credential, and shows the reply", async () => {
    await click("[data-action=demo]");
    await until('document.querySelector("[name=apiSecret]").value !== ""');
    await click("section.try [type=submit]");
    await until('document.querySelector(".answer .chip") !== null');
    expect(await textOf(".answer .chip")).toBe("200");
    expect(JSON.parse(String(await textOf(".answer pre")))).toMatchObject({ merchantId: "demo", status: "QUEUED" });
  });

  it("keeps the credential between pages, and stores it nowhere else", async () => {
    await click('#side a[href="/docs/merchants/get"]');
    await until('document.querySelector("[name=\\"path:merchantId\\"]") !== null');
    await page.evaluate("document.querySelector('[name=\"path:merchantId\"]').value = 'nobody'");
    await click("section.try [type=submit]");
    await until('document.querySelector(".answer .chip") !== null');
    expect(await textOf(".outcome a")).toBe("merchant_not_found");
    const kept = "[localStorage.length, sessionStorage.length, document.cookie, location.search, location.hash]";
    expect(await page.evaluate(kept)).toEqual([0, 0, "", "", ""]);
  });

  it("loses no input that arrives before the data that it needs", async () => {
    const early = await context.newPage();
    const answerIndex = await holdBack(early, "**/docs/search.json");
    await early.goto(`${baseUrl}/docs`);
    const search = early.getByLabel("Search operations and errors");
    await search.fill("getMerchant");
    await search.press("Enter");
    answerIndex();
    await early.waitForURL("**/docs/merchants/get");

    const merchant = early.getByLabel("merchantId");
    const answerDemo = await holdBack(early, "**/control/credential");
    await early.getByRole("button", { name: "Use the demo credential" }).click();
    await merchant.fill("nobody");
    answerDemo();
    await expect.poll(() => early.getByLabel("API secret").inputValue()).not.toBe("");
    expect(await merchant.inputValue()).toBe("nobody");

    const answerReply = await holdBack(early, "**/api/v1/merchants/nobody");
    await early.getByRole("button", { name: "Send", exact: true }).press("Enter");
    await early.getByRole("button", { name: "Cancel" }).waitFor();
    await early.evaluate("new Promise((frame) => requestAnimationFrame(() => requestAnimationFrame(frame)))");
    expect(await early.evaluate("document.activeElement.textContent")).toBe("Send");
    answerReply();
    await early.getByRole("link", { name: "merchant_not_found" }).first().waitFor();

    const answerPage = await holdBack(early, "**/docs/send/sms");
    await early.locator('#side a[href="/docs/send/sms"]').click();
    await early.keyboard.press("/");
    await early.keyboard.type("send");
    answerPage();
    await early.waitForURL("**/docs/send/sms");
    await early.getByRole("heading", { name: "Try it" }).waitFor();
    await early.keyboard.type("Sms");
    expect(await search.inputValue()).toBe("sendSms");
    await early.close();
  });

  it("has the dashboard's frame, in light and dark", async () => {
    const other = await context.newPage();
    const look = async () => {
      await other.locator("main h1").waitFor();
      return await other.evaluate(`(() => {
        const pick = (selector, ...names) => {
          const element = document.querySelector(selector);
          const { x, y, width, height } = element.getBoundingClientRect();
          const style = getComputedStyle(element);
          return [selector, ...names.map((name) => style[name] || [x, y, width, height][["x", "y", "width", "height"].indexOf(name)])];
        };
        const colours = ["color", "backgroundColor", "borderTopColor", "borderRadius", "fontFamily", "fontSize", "outlineColor"];
        document.querySelector(".find input").focus();
        return [
          pick(".side", "display", ...colours),
          pick(".top", "height", ...colours),
          pick(".menu", "display"),
          pick(".find input", "x", "y", "height", "outlineStyle", "outlineWidth", ...colours),
          pick("main", "x", "y", "paddingLeft", ...colours),
          pick(".side li a:not([aria-current])", "x", "width", ...colours),
          pick(".side li a[aria-current]", "fontWeight", ...colours),
          pick("h1", "fontWeight", ...colours),
        ];
      })()`);
    };
    for (const width of [1_280, 390]) {
      await other.setViewportSize({ width, height: 800 });
      for (const colorScheme of ["light", "dark"] as const) {
        await other.emulateMedia({ colorScheme });
        await other.goto(`${baseUrl}/docs`);
        const docs = await look();
        await other.goto(`${baseUrl}/dashboard`);
        expect({ width, colorScheme, look: docs }).toEqual({ width, colorScheme, look: await look() });
      }
    }
    expect(await other.locator(".top").evaluate(({ clientHeight }) => clientHeight)).toBeLessThanOrEqual(56);
    await other.close();
  });

  it("leads to the dashboard and back", async () => {
    const other = await context.newPage();
    await other.goto(`${baseUrl}/docs/send/sms`);
    await other.getByRole("link", { name: "Dashboard" }).click();
    await other.getByRole("link", { name: "API reference" }).click();
    await other.getByRole("heading", { name: "Merchant messaging" }).waitFor();
    await other.close();
  });

  it("excludes nobody", async () => {
    const other = await context.newPage();
    for (const path of ["/docs", "/docs/send/sms", "/docs/errors/quota_exceeded"]) {
      await other.goto(baseUrl + path);
      await expectOpenToAll(other);
      await expectReadable(other);
    }
    await other.close();
  });

  it("opens its navigation from a button in a narrow window, without a script", async () => {
    const plain = await openContext({ javaScriptEnabled: false, viewport: { width: 390, height: 800 } });
    const other = await plain.newPage();
    await other.goto(`${baseUrl}/docs/send/sms`);
    expect(await other.title()).toBe("Send an SMS for a merchant · Merchant messaging");
    const links = other.getByRole("navigation", { name: "Documentation" }).getByRole("link");
    const menu = other.getByRole("button", { name: "Menu" });
    await links.first().waitFor({ state: "hidden" });
    await menu.press("Enter");
    await links.first().waitFor();
    await other.keyboard.press("Escape");
    await links.first().waitFor({ state: "hidden" });
    await menu.click();
    await links.getByText("Errors").click();
    await other.getByRole("heading", { name: "Errors", level: 1 }).waitFor();
    // what only a script can do is not offered
    expect(await other.getByRole("combobox").count()).toBe(0);
    await plain.close();
  });

  it("prints an operation without its frame and form", async () => {
    const other = await context.newPage();
    await other.goto(`${baseUrl}/docs/send/sms`);
    await other.getByRole("heading", { name: "Try it" }).waitFor();
    await other.emulateMedia({ media: "print" });
    for (const selector of [".side", ".top", ".try", ".copy", ".skip"]) {
      expect([selector, await other.locator(selector).first().isVisible()]).toEqual([selector, false]);
    }
    expect(await other.locator(".reference").isVisible()).toBe(true);
    await other.close();
  });

  it("has contacted no other host, and not violated the content security policy", async () => {
    const names = 'performance.getEntriesByType("resource").map(({ name }) => new URL(name).origin)';
    expect(new Set((await page.evaluate(names)) as string[])).toEqual(new Set([new URL(baseUrl).origin]));
    expect(await page.evaluate("violations")).toEqual([]);
  });
});
