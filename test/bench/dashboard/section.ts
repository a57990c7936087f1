// `npm run bench -- dashboard` measures searches of many messages, how viewers slow down senders, and the page in a browser.
// Each part can also be run as a separate section.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SectionOutput } from "../section-output.ts";
import { benchLooking, type LookingSizes } from "./looking.ts";
import { benchPages, type PagesSizes } from "./pages.ts";
import { benchSearches, type SearchSizes } from "./searches.ts";

type DashboardSizes = SearchSizes & LookingSizes & PagesSizes;

const parts = {
  searches: (sizes: DashboardSizes, output: SectionOutput) =>
    inFolder((folder) => benchSearches(folder, sizes, output)),
  looking: (sizes: DashboardSizes, output: SectionOutput) => inFolder((folder) => benchLooking(folder, sizes, output)),
  pages: benchPages,
};

export const dashboardParts = ["searches", "looking", "pages"] as const;

export async function benchDashboard(
  sizes: DashboardSizes,
  output: SectionOutput,
  names: readonly (keyof typeof parts)[] = dashboardParts,
): Promise<void> {
  for (const name of names) await parts[name](sizes, output);
}

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "msgd-dashboard-"));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
