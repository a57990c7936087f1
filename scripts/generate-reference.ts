// Second half of npm run generate; --check compares alone. It writes what is made of msgctl's own data and of the SDK's
// source, which the first half has written.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { catalog } from "../packages/cli/src/catalog.ts";
import { REFERENCE_FOLDERS, renderReference } from "../packages/cli/src/reference/reference.ts";
import { compareFiles, reportDrifts, writeFiles } from "./generated-files.ts";
import { readDeclarations } from "./sdk-reference/declarations.ts";
import { SDK_FOLDER, sdkPages } from "./sdk-reference/pages.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const { values } = parseArgs({ options: { check: { type: "boolean" } } });

const manifest: object = JSON.parse(readFileSync(join(root, "packages/cli/package.json"), "utf8"));
const read = (entry: string) => readDeclarations(join(root, entry), join(root, "tsconfig.json"));
const sdk = sdkPages(read("packages/sdk/src/index.ts"), read("packages/sdk/src/webhooks/index.ts"));
const files = new Map([...(await renderReference(catalog, manifest)), ...sdk]);
const folders = [...REFERENCE_FOLDERS, SDK_FOLDER];
if (values.check) {
  const drifts = await compareFiles(root, files, folders);
  process.exitCode = reportDrifts(drifts, "openapi.yaml, packages/cli/src and packages/sdk/src");
} else {
  await writeFiles(root, files, folders);
  for (const path of files.keys()) console.log(path);
}
