// Real browsers for tests of the dashboard, and checks that every page has to pass.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { installedChromium } from "../browser/chromium.ts";
import { installedFirefox } from "../browser/firefox.ts";

/** The browsers in which a suite that is not about one browser runs. */
export const browsers = [installedChromium, installedFirefox];

for (const { name, isInstalled } of browsers) {
  if (!isInstalled) console.warn(`No ${name} is on PATH: the dashboard's pages are NOT tested in it.`);
}

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

/** Expects that in each variant the page breaks no accessibility rule and is no wider than its window. */
export async function expectOpenToAll(page: Page): Promise<void> {
  await page.evaluate(axe);
  for (const { width, colorScheme, runOnly } of looks) {
    await page.setViewportSize({ width, height: 800 });
    // without motion, colours do not fade from the look before
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
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
