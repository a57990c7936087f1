import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from "playwright-core";
import { InstalledBrowser } from "./installed-browser.ts";

export const installedChromium = new InstalledBrowser({
  name: "Chromium",
  // the first has no windows, and takes a fifth less of the suites' processor time
  programs: ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"],
  launch: (executablePath) =>
    chromium.launch({
      executablePath,
      // Chromium cannot set up its sandbox as root, and tests in a container run as root. Without a GPU it would emulate one,
      // which takes a seventh of the suites' processor time.
      args: [...(process.getuid?.() === 0 ? ["--no-sandbox"] : []), "--disable-gpu"],
    }),
});

export const hasChromium = installedChromium.isInstalled;

export function launchChromium(): Promise<Browser> {
  return installedChromium.launch();
}

export function openContext(options?: BrowserContextOptions): Promise<BrowserContext> {
  return installedChromium.openContext(options);
}
