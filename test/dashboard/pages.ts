// Real browsers for tests of the dashboard, and checks that every page has to pass.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { expect, inject } from "vitest";
import { installedChromium } from "../browser/chromium.ts";
import { installedFirefox } from "../browser/firefox.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The browser of the suites that run in both; undefined for Chromium. */
    readonly browser?: "Firefox";
  }
}

/** The browser in which a suite that is not about one browser runs. */
export const browser = inject("browser") === "Firefox" ? installedFirefox : installedChromium;

if (!browser.isInstalled) console.warn(`No ${browser.name} is on PATH: the dashboard's pages are NOT tested in it.`);

/**
 * Returns a list that collects the page's faults: requests to other hosts, violations of its content security policy, and
 * errors. `statuses` are statuses of replies that a test expects: the browser reports them as errors too.
 */
export function watchFaults(page: Page, baseUrl: string, statuses: readonly number[]): string[] {
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (message) => {
    const text = message.text();
    if (message.type() === "error" && !statuses.some((status) => text.includes(`status of ${status}`)))
      faults.push(text);
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(baseUrl)) faults.push(request.url());
  });
  return faults;
}

/** Holds back the page's requests to matching addresses until the returned function is called. */
export async function holdBack(page: Page, addresses: string): Promise<() => void> {
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await page.route(addresses, async (route) => {
    await held;
    await route.continue();
  });
  return letGo;
}

/** Resets the page for the next test. A new page would start a process, which takes longer than most tests. */
export async function leave(page: Page, baseUrl: string): Promise<void> {
  await page.unrouteAll();
  await page.goto(`${baseUrl}/healthz`);
  await page.evaluate("localStorage.clear()");
  await page.context().clearCookies();
  await page.setViewportSize(SIZE);
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "no-preference" });
}

const SIZE = { width: 1_280, height: 720 };

/** The rules of WCAG 2.2 AA that a program can check. The second list has those that concern colours. */
const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
const rulesOfColours = { type: "rule", values: ["color-contrast", "link-in-text-block"] };

/** Variants in which each page is checked. Only colours differ between light and dark. */
const looks = [1_280, 390].flatMap((width) => [
  { width, colorScheme: "light" as const, runOnly: rules },
  { width, colorScheme: "dark" as const, runOnly: rulesOfColours },
]);

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Spacing of text that a page must bear without loss (WCAG 2.2, 1.4.12). */
const spacing = `
  * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
  p { margin-block-end: 2em !important; }`;

/** Lists what does not fit: the page into its window, a row's lines into the row, a chip or control into its cell. */
const misfits = `(() => {
  const found = [];
  const name = (element) => element.outerHTML.slice(0, 160);
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) found.push("the page is " + scrollWidth + " px wide");
  for (const row of document.querySelectorAll(".row")) {
    if (row.scrollHeight > row.clientHeight + 1) found.push("cut below: " + name(row));
  }
  for (const part of document.querySelectorAll(".chip, .usage, button, .button, input, select")) {
    const cell = part.closest(".cells > *, .card");
    const [inner, outer] = [part, cell].map((element) => element?.getBoundingClientRect());
    if (outer === undefined || inner.width === 0 || part.checkVisibility() === false) continue;
    if (inner.right > outer.right + 1 || inner.left < outer.left - 1) found.push("cut at the side: " + name(part));
  }
  return found;
})()`;

/** Expects that the page fits its window, and cuts nothing, at 100 %, 200 % and 400 % of a window of 1,280 px. */
export async function expectZoom(page: Page): Promise<void> {
  for (const width of [1_280, 640, 320]) {
    await page.setViewportSize({ width, height: 800 });
    await expectFit(page, `at ${width} px`);
  }
}

/** Expects that the page fits its window, and cuts nothing, when the reader spaces the text. */
async function expectSpacing(page: Page): Promise<void> {
  await space(page, spacing);
  for (const width of [320, 1_280]) {
    await page.setViewportSize({ width, height: 800 });
    await expectFit(page, `spaced, at ${width} px`);
  }
  await space(page, "");
}

/** Polls, because a table adapts its rows to the window in a later frame. */
async function expectFit(page: Page, when: string): Promise<void> {
  const found = async () => ({ when, misfits: await page.evaluate(misfits) });
  await expect.poll(found).toEqual({ when, misfits: [] });
}

/** Applies a style sheet of the reader's, which the content security policy does not restrict. */
async function space(page: Page, style: string): Promise<void> {
  await page.evaluate(`{
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(${JSON.stringify(style)});
    document.adoptedStyleSheets = [sheet];
  }`);
}

/** Lists what has no visible shape in forced colours, where the browser removes backgrounds and shadows. */
const invisible = `(() => {
  const found = [];
  const probe = document.body.appendChild(document.createElement("i"));
  probe.style.backgroundColor = "Canvas";
  const canvas = getComputedStyle(probe).backgroundColor;
  probe.remove();
  const isSeen = (colour) => colour !== "rgba(0, 0, 0, 0)" && colour !== canvas;
  const hasBorder = (style) => parseFloat(style.borderTopWidth) > 0 && isSeen(style.borderTopColor);
  const check = (selector, pseudo, isVisible) => {
    for (const element of document.querySelectorAll(selector)) {
      if (!isVisible(getComputedStyle(element, pseudo))) found.push((pseudo ?? "") + element.outerHTML.slice(0, 120));
    }
  };
  check(".chip, .card, .bubble, .bar, .tabs a, .filter, main button:not(.bare, .open, .sort), main .button", null, hasBorder);
  check(".bar i, .bars i, .progress span, .key, .side li a[aria-current], .tabs a[aria-current]", null, (style) =>
    isSeen(style.backgroundColor));
  check(".bars figcaption span, .timeline li", "::before", (style) => isSeen(style.backgroundColor));
  check(".chip", "::before", (style) => hasBorder(style) || isSeen(style.backgroundColor));
  return found;
})()`;

/** Lists what moves although the reader wants less motion. */
const moving = `[...document.querySelectorAll("*")].filter((element) => {
  const { transitionDuration, animationName } = getComputedStyle(element);
  return animationName !== "none" || transitionDuration.split(", ").some((duration) => parseFloat(duration) > 0);
}).map((element) => element.outerHTML.slice(0, 80))`;

/** Expects that the page respects the reader's colours and wish for less motion. Only Chromium can emulate these. */
async function expectPreferences(page: Page): Promise<void> {
  await page.emulateMedia({ forcedColors: "active", colorScheme: "dark", reducedMotion: "reduce" });
  expect({ invisible: await page.evaluate(invisible), moving: await page.evaluate(moving) }).toEqual({
    invisible: [],
    moving: [],
  });
  await page.emulateMedia({ forcedColors: "none", colorScheme: "light", reducedMotion: "no-preference" });
}

/** Expects that the page can be read at any zoom, with spaced text, in forced colours and without motion. */
export async function expectReadable(page: Page): Promise<void> {
  await expectZoom(page);
  await expectSpacing(page);
  await expectPreferences(page);
}

/** Expects that in each variant the page breaks no accessibility rule and is no wider than its window. */
export async function expectOpenToAll(page: Page): Promise<void> {
  await page.evaluate(axe);
  for (const { width, colorScheme, runOnly } of looks) {
    await page.setViewportSize({ width, height: 800 });
    // without motion, colours do not fade from the look before
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    // a link that is scrolled below the header would count as too close to what the header has
    await page.evaluate("scrollTo(0, 0)");
    const { violations } = (await page.evaluate(`axe.run(${JSON.stringify({ runOnly })})`)) as {
      violations: { id: string; nodes: { html: string }[] }[];
    };
    const told = violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
    const overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
    const wider = await page.evaluate(overflow);
    expect({ width, colorScheme, told, wider }).toEqual({ width, colorScheme, told: [], wider: 0 });
  }
  await page.setViewportSize(SIZE);
}
