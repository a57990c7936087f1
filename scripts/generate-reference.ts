// Second half of npm run generate; --check compares alone. It writes what is made of msgctl's own data, which the first
// half has written.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { catalog } from "../packages/cli/src/catalog.ts";
import { REFERENCE_FOLDERS, renderReference } from "../packages/cli/src/reference/reference.ts";
import { compareFiles, reportDrifts, writeFiles } from "./generated-files.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const { values } = parseArgs({ options: { check: { type: "boolean" } } });

const manifest: object = JSON.parse(readFileSync(join(root, "packages/cli/package.json"), "utf8"));
const files = await renderReference(catalog, manifest);
if (values.check) {
  const drifts = await compareFiles(root, files, REFERENCE_FOLDERS);
  process.exitCode = reportDrifts(drifts, "openapi.yaml and packages/cli/src");
} else {
  await writeFiles(root, files, REFERENCE_FOLDERS);
  for (const path of files.keys()) console.log(path);
}
