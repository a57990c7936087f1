// The linter's rule for the order of folders (import-order.grit), on files that break it. That the project keeps the order is
// asserted by test/house/imports.test.ts.

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

it("is told of each import that goes against it", () => {
  const folder = mkdtempSync(join(tmpdir(), "import-order-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "order.grit"), readFileSync(join(root, "import-order.grit")));
  writeFileSync(join(folder, "biome.json"), JSON.stringify({ plugins: ["./order.grit"] }));
  const write = (path: string, ...specifiers: readonly string[]) => {
    const file = join(folder, "packages", path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, specifiers.map((specifier) => `import "${specifier}";\n`).join(""));
  };
  write("cli/src/process/a.ts", "./b.ts", "../failures/errors.ts");
  write("cli/src/call/access/a.ts", "../connection.ts", "../../output/json/json.ts", "../../operation/hints.ts");
  write("cli/src/commands/listen/a.ts", "../../output/table/cell.ts", "../../bulk/journal/journal.ts");
  write("cli/src/output/json/a.ts", "../csv/csv.ts", "../../prompts/asker.ts");
  write("server/src/store/sqlite/a.ts", "../port.ts", "../../rules/quota.ts", "../../steps/acceptance.ts");
  const biome = join(root, "node_modules/@biomejs/biome/bin/biome");
  const { stdout, stderr } = spawnSync(process.execPath, [biome, "lint"], { cwd: folder, encoding: "utf8" });
  expect((stdout + stderr).match(/\w+\/ stands below \w+\//g)?.sort()).toEqual([
    "call/ stands below operation/",
    "output/ stands below prompts/",
    "process/ stands below failures/",
    "store/ stands below steps/",
  ]);
});
