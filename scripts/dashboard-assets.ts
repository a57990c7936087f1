// Builds the dashboard's pages as files: one document, one style, one script and the chunks that it loads on demand. Names
// contain a hash of the contents, so that a browser may cache them.

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Metafile } from "esbuild";
import { browsers } from "./browsers.ts";
import { bundledLicences } from "./bundled-licences.ts";

const sources = fileURLToPath(new URL("../packages/dashboard/src/", import.meta.url));

/** Creates the folder and builds the files into it. */
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
    target: browsers,
    jsx: "automatic",
    jsxImportSource: "preact",
    metafile: true,
    logLevel: "warning",
    plugins: [bundledLicences("THIRD-PARTY-LICENSES.txt")],
  });
  const { outputs } = metafile;
  const find = (entry: string) => {
    const path = Object.keys(outputs).find((file) => basename(file).startsWith(`${entry}-`));
    if (path === undefined) throw new Error(`the dashboard has no ${entry}`);
    return path;
  };
  const [style, script] = [find("style"), find("main")];
  // preloaded in parallel with the script; otherwise the browser would request them only after loading the script
  const preloads = listImported(outputs, script).map((path) => `<link rel="modulepreload" href="${toUrl(path)}">`);
  const page = await readFile(join(sources, "index.html"), "utf8");
  const filled = page.replace("STYLE", toUrl(style)).replace("SCRIPT", toUrl(script));
  await writeFile(join(folder, "index.html"), filled.replace("PRELOADS", preloads.join("\n")));
}

function toUrl(path: string): string {
  return `/dashboard/files/${basename(path)}`;
}

/** The direct and indirect imports of a script, each once, without the imports that it loads on demand. */
function listImported(outputs: Metafile["outputs"], script: string): string[] {
  const found = new Set<string>();
  const add = (path: string) => {
    for (const { kind, path: imported } of outputs[path]?.imports ?? []) {
      if (kind !== "import-statement" || found.has(imported)) continue;
      found.add(imported);
      add(imported);
    }
  };
  add(script);
  return [...found];
}
