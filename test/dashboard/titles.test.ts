// Titles of pages in the tab and for screen readers, which have to announce each newly opened page.

import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { hasChromium } from "../browser/chromium.ts";
import type { Post } from "../e2e/create-post.ts";
import { openDemo } from "./demo.ts";

let baseUrl: string;
let page: Page;
let post: Post;

describe.runIf(hasChromium)("a page of the dashboard", () => {
  openDemo([], (demo) => {
    ({ baseUrl, page, post } = demo);
  });

  const focused = () =>
    page.evaluate("[document.activeElement.tagName, document.activeElement.textContent]") as Promise<string[]>;

  it("has its own title, and focuses its heading when a link leads there", async () => {
    await page.goto(`${baseUrl}/dashboard`);
    await expect.poll(() => page.title()).toBe("Messages · msgd");
    const links = page.getByRole("navigation", { name: "Pages" }).getByRole("link");
    const names = (await links.allTextContents()).filter((name) => name !== "API reference" && name !== "Messages");
    expect(names.length).toBeGreaterThan(7);
    for (const name of names) {
      await links.getByText(name, { exact: true }).click();
      await expect.poll(focused).toEqual(["H1", name]);
      expect(await page.title()).toBe(`${(await focused())[1]} · msgd`);
    }
    // the title is the same when the page is opened by its address
    await page.reload();
    await expect.poll(() => page.title()).toBe(`${names.at(-1)} · msgd`);
  });

  it("has its id in its title, and keeps the focus in the search field after a search", async () => {
    await post("/api/v1/messages/sms", { merchantId: "demo", to: "+12025550100", message: "Hello", type: "OTP" });
    // below 80rem a row opens a page, and not beside the list
    await page.setViewportSize({ width: 1_100, height: 720 });
    await page.goto(`${baseUrl}/dashboard/messages`);
    const row = page.locator(".row .open").first();
    await row.waitFor();
    const messageId = (await row.getAttribute("href"))?.split("/").at(-1);
    await page.keyboard.press("/");
    await page.keyboard.type("channel:sms");
    await page.keyboard.press("Enter");
    await page.waitForURL(/q=channel/);
    expect((await focused())[0]).toBe("INPUT");
    await row.click();
    const title = "SMS to +1 202 555 0100";
    await expect.poll(focused).toEqual(["H1", title]);
    expect(await page.title()).toBe(`${title} ${messageId} · msgd`);
    // going back focuses the row from which the page was opened
    await page.goBack();
    await expect.poll(() => page.title()).toBe("Messages · msgd");
    await expect.poll(async () => (await focused())[0]).toBe("A");
  });
});
