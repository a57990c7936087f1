// Ten thousand messages arrive while the list is shown. The page renders few rows, neither loses nor repeats a
// message, and uses bounded memory.

import type { BrowserContext, CDPSession, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasChromium, openContext } from "../browser/chromium.ts";
import { createPost, type Post } from "../e2e/create-post.ts";
import { MsgdFolder } from "../e2e/msgd-process.ts";
import { watchFaults } from "./pages.ts";

const MANY = 10_000;
/** Number of messages sent before the list is opened. The list keeps only the newest ten thousand. */
const EARLIER = 50;
const AT_ONCE = 16;
/** Maximum number of rows rendered on a page of 800 px, including those just out of sight. */
const MOST_ROWS = 60;
const MOST_HEAP_BYTES = 64 * 1024 * 1024;

const folder = new MsgdFolder();

let baseUrl: string;
let context: BrowserContext;
let page: Page;
let faults: string[];
let measures: CDPSession;
let post: Post;

describe.runIf(hasChromium)("the dashboard in a browser", () => {
  beforeAll(async () => {
    ({ baseUrl } = await folder.shareDemo());
    post = createPost(baseUrl, folder.demoCredential);
    await call("/api/v1/merchants", { merchantId: "demo", displayName: "Demo Bakery", smsLimit: 1_000_000 });
    await sendAll(0, EARLIER);
    context = await openContext({ viewport: { width: 1_280, height: 800 } });
    page = await context.newPage();
    faults = watchFaults(page, baseUrl, []);
    measures = await context.newCDPSession(page);
    await measures.send("Performance.enable");
  });
  afterAll(async () => {
    await context?.close();
    await folder.remove();
  });

  async function call(path: string, body: object): Promise<void> {
    const reply = await post(path, body);
    const text = await reply.text();
    if (!reply.ok) throw new Error(text);
  }

  async function sendAll(from: number, end: number): Promise<void> {
    let next = from;
    const sendNext = async () => {
      while (next < end) {
        const message = `Number ${next++}.`;
        await call("/api/v1/messages/sms", { merchantId: "demo", type: "OTP", to: "+12025550100", message });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, sendNext));
  }

  const rows = () => page.locator(".rows .row");

  async function expectLittle(): Promise<void> {
    await measures.send("HeapProfiler.collectGarbage");
    const { metrics } = await measures.send("Performance.getMetrics");
    const heap = metrics.find(({ name }) => name === "JSHeapUsedSize")?.value;
    expect(heap).toBeLessThan(MOST_HEAP_BYTES);
    expect(await rows().count()).toBeLessThan(MOST_ROWS);
  }

  /**
   * Scrolls to the end one window height at a time, and returns the position, time and text of each visible row. Runs in the
   * page, because ten thousand rows take a thousand steps.
   */
  const readThrough = () =>
    page.locator(".rows").evaluate(async (scroller) => {
      const seen = new Map<number, { at: string; text: string }>();
      const table = scroller.querySelector("table");
      let most = 0;
      const read = () => {
        const items = [...scroller.querySelectorAll("tbody tr")];
        most = Math.max(most, items.length);
        for (const item of items) {
          const text = /Number \d+\./.exec(item.textContent ?? "")?.[0] ?? "";
          const at = item.querySelector("time")?.dateTime ?? "";
          // the headings are the first row
          seen.set(Number(item.getAttribute("aria-rowindex")) - 1, { at, text });
        }
      };
      const isMore = () => table?.getAttribute("aria-rowcount") === "-1";
      const isAtEnd = () => scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - 1;
      for (;;) {
        // wait for two frames: the rows are rendered before the second one
        await new Promise(requestAnimationFrame);
        await new Promise(requestAnimationFrame);
        read();
        if (!isAtEnd()) scroller.scrollTop += scroller.clientHeight;
        else if (!isMore() || scroller.querySelector(`[aria-rowindex="${10_001}"]`) !== null) break;
      }
      return { most, seen: [...seen].sort(([one], [other]) => one - other) };
    });

  it("neither loses nor repeats a message", async () => {
    await page.goto(`${baseUrl}/dashboard`);
    await rows()
      .getByText(/Number \d+\./)
      .first()
      .waitFor();
    const bar = page.getByRole("button", { name: "new or changed: show them" });
    // a reader who has scrolled down keeps the position, and sees how many messages have arrived
    await page.locator(".rows").evaluate((list) => list.scrollTo(0, 400));
    const read = /Number \d+\./.exec(await rows().nth(15).innerText())?.[0] ?? "";
    const readAt = async () => Math.round((await rows().filter({ hasText: read }).boundingBox())?.y ?? Number.NaN);
    const before = await readAt();
    const sent = sendAll(EARLIER, EARLIER + MANY);
    await bar.waitFor();
    // the bar itself moves the list down
    const barHeight = await bar.evaluate(
      (button) => button.getBoundingClientRect().height + Number.parseFloat(getComputedStyle(button).marginBlockEnd),
    );
    await expect.poll(async () => Math.abs((await readAt()) - before - barHeight)).toBeLessThanOrEqual(1);
    await page.locator(".rows").evaluate((list) => list.scrollTo(0, list.scrollHeight));
    await sent;
    await expectLittle();
    await fetch(`${baseUrl}/control/clock`, {
      ...{ method: "POST", headers: { "content-type": "application/json" } },
      body: JSON.stringify({ advance: "1m" }),
    });
    await bar.click();
    await bar.waitFor({ state: "hidden" });
    const { most, seen } = await readThrough();
    expect(most).toBeLessThan(MOST_ROWS);
    // each position occurs once, newest first
    expect(seen.map(([place]) => place)).toEqual(Array.from({ length: MANY }, (_none, index) => index + 1));
    const times = seen.map(([, { at }]) => at);
    expect(times).toEqual(times.toSorted().reverse());
    const texts = new Set(seen.map(([, { text }]) => text));
    expect(texts.size).toBe(MANY);
    for (let number = EARLIER + AT_ONCE; number < EARLIER + MANY; number += 1) {
      expect(texts.has(`Number ${number}.`) || number).toBe(true);
    }
    await page.getByText("the newest 10,000: narrow the search to see older ones").waitFor();
    await expectLittle();
    expect(faults).toEqual([]);
  }, 900_000);
});
