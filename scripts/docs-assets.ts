// What the pages of msgd's /docs load: one script, one style, two icons.

import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const sources = fileURLToPath(new URL("../packages/server/src/http/docs/", import.meta.url));

/** Builds them into the folder, which is made. */
export async function buildDocsAssets(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await build({
    entryPoints: { client: join(sources, "client/main.ts"), style: join(sources, "style.css") },
    outdir: folder,
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    logLevel: "warning",
  });
  for (const icon of ["icon.svg", "icon.ico"]) await copyFile(join(sources, icon), join(folder, icon));
}
