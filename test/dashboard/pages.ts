// A real browser for tests of the dashboard, and what holds of every page.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type Browser, chromium, type Page } from "playwright-core";
import { expect } from "vitest";
import { findChromium } from "../packages/chromium.ts";

const program = findChromium();
if (program === undefined) console.warn("No Chromium is on PATH: the dashboard's pages are NOT tested.");

export const hasBrowser = program !== undefined;

export function openBrowser(): Promise<Browser> {
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return chromium.launch({ executablePath: program ?? "", args });
}

/**
 * Returns a list of what the page does and must not do: speak to another host, break its policy, or fail. Refusals that
 * the page shows are reported by the browser too: those of `statuses` are none of it.
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

/** Every width and scheme in which each page is looked at. */
const looks = [390, 1_280].flatMap((width) =>
  (["light", "dark"] as const).map((colorScheme) => ({ width, colorScheme })),
);

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** That the page breaks no rule of WCAG 2.2 AA that a program can tell, and is no wider than its window, in each look. */
export async function expectOpenToAll(page: Page): Promise<void> {
  await page.evaluate(axe);
  for (const { width, colorScheme } of looks) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    const { violations } = (await page.evaluate(
      "axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] })",
    )) as { violations: { id: string; nodes: { html: string }[] }[] };
    const told = violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
    const overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
    const wider = await page.evaluate(overflow);
    expect({ width, colorScheme, told, wider }).toEqual({ width, colorScheme, told: [], wider: 0 });
  }
}
