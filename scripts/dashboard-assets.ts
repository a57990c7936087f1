// The dashboard's pages as files: one document, one style, one script and what it loads on demand. Their names have a hash of
// what is in them, so that a browser may keep them.

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { bundledLicences } from "./bundled-licences.ts";

const sources = fileURLToPath(new URL("../packages/dashboard/src/", import.meta.url));

/** Builds them into the folder, which is made. */
export async function buildDashboardAssets(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const { metafile } = await build({
    entryPoints: { main: join(sources, "main.tsx"), style: join(sources, "style/style.css") },
    outdir: folder,
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    target: ["chrome123", "firefox120", "safari17.5"],
    jsx: "automatic",
    jsxImportSource: "preact",
    metafile: true,
    logLevel: "warning",
    plugins: [bundledLicences("THIRD-PARTY-LICENSES.txt")],
  });
  const built = Object.keys(metafile.outputs).map((path) => basename(path));
  const nameOf = (entry: string) => {
    const name = built.find((file) => file.startsWith(`${entry}-`));
    if (name === undefined) throw new Error(`the dashboard has no ${entry}`);
    return name;
  };
  const page = await readFile(join(sources, "index.html"), "utf8");
  await writeFile(join(folder, "index.html"), page.replace("STYLE", nameOf("style")).replace("SCRIPT", nameOf("main")));
}
