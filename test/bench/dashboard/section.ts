// `npm run bench -- dashboard`: searches of many messages, and what looking costs those who send; `looking` alone is the latter.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SectionOutput } from "../section-output.ts";
import { benchLooking, type LookingSizes } from "./looking.ts";
import { benchSearches, type SearchSizes } from "./searches.ts";

export async function benchDashboard(sizes: SearchSizes & LookingSizes, output: SectionOutput): Promise<void> {
  await inFolder(async (folder) => {
    await benchSearches(join(folder, "many"), sizes, output);
    await benchLooking(folder, sizes, output);
  });
}

export async function benchOnlyLooking(sizes: LookingSizes, output: SectionOutput): Promise<void> {
  await inFolder((folder) => benchLooking(folder, sizes, output));
}

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "msgd-dashboard-"));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
