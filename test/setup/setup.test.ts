// The set-up as `npm start` and `npm test` begin with it, in a checkout where installing and building take no time.

import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "setup-"));
  cpSync(fileURLToPath(new URL("../../scripts", import.meta.url)), join(root, "scripts"), { recursive: true });
  write("package.json", JSON.stringify({ type: "module", engines: { node: ">=20.19" } }));
  for (const path of ["package-lock.json", "node_modules/.package-lock.json"]) write(path, '{"packages":{}}');
  for (const path of ["tsup.config.ts", "tsconfig.json", "packages/server/package.json", "packages/server/src/main.ts"])
    write(path, "{}");
  write("node_modules/better-sqlite3/index.js", "module.exports = class { close() {} };");
  // builds under names that nobody has told the set-up
  write(
    "node_modules/tsup/dist/cli-default.js",
    `const { appendFileSync, mkdirSync, writeFileSync } = require("node:fs");
    appendFileSync("builds", "x");
    mkdirSync("packages/server/dist", { recursive: true });
    for (const name of ["program.cjs", "chunk-1.cjs"]) writeFileSync("packages/server/dist/" + name, "");`,
  );
});
afterEach(() => rmSync(root, { recursive: true }));

function write(path: string, content: string): void {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

/** How often it has been built once the set-up has run again. */
function buildsAfterSetUp(): number {
  const program = 'const { setUp } = await import("./scripts/setup.mjs"); await setUp();';
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
    cwd: root,
    encoding: "utf8",
  });
  expect([status, stderr]).toEqual([0, expect.any(String)]);
  return readFileSync(join(root, "builds"), "utf8").length;
}

it("builds once, and again when a source changes or something that was built is gone", () => {
  expect([buildsAfterSetUp(), buildsAfterSetUp()]).toEqual([1, 1]);
  write("packages/server/src/main.ts", "export {};");
  expect([buildsAfterSetUp(), buildsAfterSetUp()]).toEqual([2, 2]);
  rmSync(join(root, "packages/server/dist/chunk-1.cjs"));
  expect([buildsAfterSetUp(), buildsAfterSetUp()]).toEqual([3, 3]);
  write(".cache/built-from", "cut off");
  expect([buildsAfterSetUp(), buildsAfterSetUp()]).toEqual([4, 4]);
});
