// msgd's /docs: its pages, one script, one style, two icons.

import { copyFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { readBeside, readContract, withCallbacks } from "../packages/codegen/src/document/contract.ts";
import { writeFiles } from "../packages/codegen/src/generated-files.ts";
import { renderSite } from "../packages/codegen/src/pages/contract/site.ts";
import { browsers } from "./browsers.ts";

const sources = fileURLToPath(new URL("../packages/server/src/docs-site/", import.meta.url));

const EVENTS = "packages/contract/events.openapi.yaml";

/** Creates the folder and builds the files into it. */
export async function buildDocsAssets(folder: string): Promise<void> {
  const text = await readFile("openapi.yaml", "utf8");
  const events = await readFile(EVENTS, "utf8");
  const contract = withCallbacks(
    readContract(text, "openapi.yaml"),
    readBeside(events, EVENTS, { text, name: "../../openapi.yaml" }),
  );
  await writeFiles(folder, { files: renderSite(contract), folders: [] });
  await build({
    entryPoints: { client: join(sources, "client/main.ts"), style: join(sources, "style.css") },
    outdir: folder,
    bundle: true,
    minify: true,
    format: "esm",
    target: browsers,
    logLevel: "warning",
  });
  for (const icon of ["icon.svg", "icon.ico"]) await copyFile(join(sources, icon), join(folder, icon));
}
