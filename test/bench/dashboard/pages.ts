// The messages page in a real browser: its first load, and how smoothly ten thousand rows scroll while others arrive.

import type { Browser, Page } from "playwright-core";
import { hasChromium, launchChromium } from "../../browser/chromium.ts";
import { createPost, type Post } from "../../e2e/create-post.ts";
import { MsgdFolder } from "../../e2e/msgd-process.ts";
import type { SectionOutput } from "../section-output.ts";
import { ms, percentile } from "./figures.ts";

export interface PagesSizes {
  readonly loads: number;
  readonly rows: number;
}

const LOAD_GOAL_KB = 150;
const LIVE_GOAL_MS = 1_000;
/** At 60 frames a second, one frame in twenty may be one refresh late. */
const FRAME_GOAL_MS = 34;
const SCROLL_MS = 5_000;
/** Distance that one wheel event scrolls. The page is scrolled to its end. */
const WHEEL_PX = 240;
/** If messages arrived faster, the page would count them without showing them. */
const ARRIVING_EVERY_MS = 50;
const AT_ONCE = 16;

export async function benchPages(sizes: PagesSizes, { print, printGoal }: SectionOutput): Promise<void> {
  if (!hasChromium) {
    print("\nNo Chromium is on PATH: the pages are not measured");
    return;
  }
  print(`\nThe messages page in Chromium: ${sizes.loads} loads, ${sizes.rows} rows\n`);
  const folder = new MsgdFolder();
  const browser = await launchChromium();
  try {
    const { baseUrl } = await folder.serveDemo();
    const send = createSender(createPost(baseUrl, folder.demoCredential));
    await send.many(sizes.rows);
    const loads: Load[] = [];
    for (let count = 0; count < sizes.loads; count += 1) loads.push(await measureLoad(browser, baseUrl));
    const kb = Math.max(...loads.map(({ bytes }) => bytes)) / 1_000;
    const live = percentile(
      loads.map(({ liveMs }) => liveMs),
      50,
    );
    const frames = await measureFrames(browser, baseUrl, sizes.rows, send.one);
    const frame = percentile(frames, 95);
    print(
      `frames while scrolling: p50 ${ms(percentile(frames, 50))} ms, p95 ${ms(frame)} ms, longest ${ms(Math.max(...frames))} ms`,
    );
    print("");
    printGoal("first load", `${kb.toFixed(0)} kB`, `≤ ${LOAD_GOAL_KB} kB`, kb <= LOAD_GOAL_KB);
    printGoal("live after", `${ms(live)} ms`, `≤ ${LIVE_GOAL_MS} ms`, live <= LIVE_GOAL_MS);
    printGoal("frame, p95", `${ms(frame)} ms`, `≤ ${FRAME_GOAL_MS} ms`, frame <= FRAME_GOAL_MS);
  } finally {
    await browser.close();
    await folder.remove();
  }
}

function createSender(post: Post) {
  const create = async (path: string, body: object) => {
    const reply = await post(path, body);
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${path} was refused: ${text}`);
  };
  const message = { merchantId: "demo", type: "OTP", to: "+12025550100", message: "Your code is 481516." };
  const one = () => create("/api/v1/messages/sms", message);
  return {
    one,
    async many(count: number) {
      await create("/api/v1/merchants", { merchantId: "demo", displayName: "Demo Bakery", smsLimit: 1_000_000 });
      let left = count;
      const sendNext = async () => {
        while (left-- > 0) await one();
      };
      await Promise.all(Array.from({ length: AT_ONCE }, sendNext));
    },
  };
}

interface Load {
  /** Bytes transferred over the network. */
  readonly bytes: number;
  /** Time from the start of the navigation until rows are shown. */
  readonly liveMs: number;
}

/** Measures a load with an empty cache. */
async function measureLoad(browser: Browser, baseUrl: string): Promise<Load> {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 800 } });
  const page = await context.newPage();
  const network = await context.newCDPSession(page);
  await network.send("Network.enable");
  let bytes = 0;
  network.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await page.addInitScript(() => {
    new MutationObserver((_changes, observer) => {
      if (document.querySelector(".rows .row") === null) return;
      observer.disconnect();
      performance.mark("live");
    }).observe(document, { childList: true, subtree: true });
  });
  await openMessages(page, baseUrl);
  const liveMs = await page.evaluate(() => performance.getEntriesByName("live")[0]?.startTime ?? Number.NaN);
  await context.close();
  return { bytes, liveMs };
}

async function openMessages(page: Page, baseUrl: string): Promise<void> {
  await page.goto(`${baseUrl}/dashboard`, { waitUntil: "commit" });
  await page.locator(".rows .row").first().waitFor();
}

/** Measures the time of each frame while the page scrolls through all rows and new messages arrive. */
async function measureFrames(
  browser: Browser,
  baseUrl: string,
  rows: number,
  send: () => Promise<void>,
): Promise<number[]> {
  const page = await browser.newPage({ viewport: { width: 1_280, height: 800 } });
  await openMessages(page, baseUrl);
  const list = page.locator(".rows");
  await list.evaluate(async (scroller, least) => {
    for (;;) {
      await new Promise(requestAnimationFrame);
      scroller.scrollTop = scroller.scrollHeight;
      // the headings are the first row
      if (scroller.querySelector(`[aria-rowindex="${least + 1}"]`) !== null) return;
    }
  }, rows);
  const arriving = setInterval(() => void send().catch(() => {}), ARRIVING_EVERY_MS);
  const recording = list.evaluate(async (_scroller, lastsMs) => {
    const times: number[] = [];
    const start = performance.now();
    for (let before = start; before < start + lastsMs; ) {
      const now: number = await new Promise(requestAnimationFrame);
      times.push(now - before);
      before = now;
    }
    return times.slice(1);
  }, SCROLL_MS);
  let isOver = false;
  const recorded = recording.finally(() => {
    isOver = true;
  });
  await list.hover();
  for (let turns = 0; !isOver; turns += 1) await page.mouse.wheel(0, turns % 100 < 50 ? -WHEEL_PX : WHEEL_PX);
  const frames = await recorded;
  clearInterval(arriving);
  await page.close();
  return frames;
}
