// Tests the linter's rule for imports (import-order.grit) on files that break it. test/house/imports.test.ts checks that the
// project itself follows the order of folders.

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const rule = readFileSync(join(root, "import-order.grit"), "utf8");

const PACKAGES = ["codegen", "contract", "sdk", "mocks", "conformance", "dashboard", "server"];
const MODULES = ["msgctl", "msgctl/reference", ...PACKAGES.map((name) => `@msgctl/${name}`)];
const LIBRARIES = ["fastify", "better-sqlite3"];
const PURE = ["@msgctl/contract", "@msgctl/contract/constants", "@msgctl/contract/timezones"];
const TEXTS = ["@msgctl/contract/gsm-alphabet", "@msgctl/contract/email-addresses"];
const CONTRACT = [...PURE, "@msgctl/contract/schemas", ...TEXTS];
const SERVER = ["@msgctl/server", "@msgctl/server/settings"];
const SPECIFIERS = [...new Set([...MODULES, ...CONTRACT, ...SERVER])];

/** Packages that a file may import. All other `SPECIFIERS` are forbidden. */
const PACKAGE_ROWS: readonly (readonly [file: string, allowed: readonly string[]])[] = [
  ["contract/src/a.ts", []],
  ["sdk/src/a.ts", CONTRACT],
  ["sdk/src/a.test.ts", CONTRACT],
  ["cli/src/call/a.ts", [...CONTRACT, "@msgctl/sdk"]],
  ["dashboard/src/pages/a.tsx", CONTRACT],
  ["mocks/src/a.ts", [...CONTRACT, ...SERVER]],
  ["conformance/src/a.ts", CONTRACT],
  ["codegen/src/pages/api/a.ts", []],
  ["codegen/src/pages/cli/a.ts", ["msgctl/reference"]],
  ["codegen/src/pages/settings/a.ts", ["@msgctl/server/settings"]],
  ["server/src/platform/a.ts", ["@msgctl/contract"]],
  ["server/src/domain/a.ts", CONTRACT],
  ["server/src/store/a.ts", ["@msgctl/contract"]],
  ["server/src/dispatch/messages/a.ts", []],
  ["server/src/carriers/smpp/a.ts", TEXTS],
  ["server/src/http/a.ts", [...CONTRACT, "@msgctl/dashboard"]],
];

/** Imports within msgd that the order of folders allows but the rule forbids. */
const BARRED: readonly (readonly [file: string, specifiers: readonly string[]])[] = [
  ["server/src/domain/calendar.ts", ["../platform/clock.ts", "../store/store.ts", "./billing/rules.ts", ...LIBRARIES]],
  ["server/src/domain/billing/rules.ts", ["../../platform/clock.ts", "../../store/store.ts", "./rows.ts"]],
  ["server/src/domain/billing/payments.ts", ["../messages/rules.ts", "../merchants/operations.ts", "./operations.ts"]],
  ["server/src/domain/billing/rows.ts", ["../../store/sqlite/connection.ts", "../../store/postgres/connection.ts"]],
  ["server/src/store/b.ts", ["../domain/calendar.ts", "fastify"]],
  [
    "server/src/dispatch/calls/b.ts",
    ["../../domain/calls/operations.ts", "../../carriers/simulated/simulated.ts", ...LIBRARIES],
  ],
  ["server/src/dispatch/calls/c.ts", ["../../store/sqlite/connection.ts"]],
  [
    "server/src/carriers/smpp/b.ts",
    ["../../store/jobs.ts", "../../domain/billing/settlement.ts", "../../domain/calls/rows.ts"],
  ],
  ["server/src/carriers/c.ts", ["fastify"]],
  [
    "server/src/http/b.ts",
    ["../domain/calls/accept.ts", "../dispatch/workers.ts", "../carriers/provider.ts", "better-sqlite3"],
  ],
  ["server/src/http/c.ts", ["../store/sqlite/connection.ts"]],
  ["server/src/development/b.ts", ["../store/sqlite/connection.ts", "better-sqlite3"]],
  ["server/src/commands/b.ts", ["../store/sqlite/connection.ts"]],
  ["server/src/main.ts", ["./dispatch/workers.ts", "./store/sqlite/connection.ts"]],
];

/** Imports that are allowed although they resemble the forbidden ones above. */
const ALLOWED: typeof BARRED = [
  ["server/src/engines.ts", ["./store/sqlite/connection.ts"]],
  ["server/src/service.ts", ["./dispatch/workers.ts", "fastify"]],
  ["server/src/http/d.ts", ["fastify", "../domain/refusal.ts", "../domain/tenancy/credentials.ts", "../../d.ts"]],
  ["server/src/domain/calls/progress.ts", ["../messages/rows.ts", "../contacts.ts", "../../store/store.ts"]],
  ["server/src/domain/merchants/operations.ts", ["../billing/settlement.ts"]],
  ["server/src/store/sqlite/d.ts", ["better-sqlite3", "../store.ts"]],
  ["server/src/carriers/simulated/d.ts", ["../../domain/billing/rules.ts", "../../store/store.ts", "./simulated.ts"]],
  ["cli/src/output/d.test.ts", ["../prompts/asker.ts"]],
];

it("the rule reports each import that breaks it, and no other", () => {
  const folder = mkdtempSync(join(tmpdir(), "import-order-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "import-order.grit"), rule);
  writeFileSync(join(folder, "biome.json"), JSON.stringify({ plugins: ["./import-order.grit"] }));
  const written = new Map<string, string[]>();
  const expected: string[] = [];
  const plant = (file: string, specifiers: readonly string[], isBarred: (specifier: string) => boolean) => {
    const lines = written.get(file) ?? [];
    written.set(file, lines);
    for (const specifier of specifiers) {
      lines.push(`import ${JSON.stringify(specifier)};`, `void import(${JSON.stringify(specifier)});`);
      if (isBarred(specifier)) expected.push(`${file}:${lines.length - 1}`, `${file}:${lines.length}`);
    }
  };
  for (const [file, allowed] of PACKAGE_ROWS) plant(file, SPECIFIERS, (specifier) => !allowed.includes(specifier));
  for (const [file, specifiers] of BARRED) plant(file, specifiers, () => true);
  for (const [file, specifiers] of ALLOWED) plant(file, specifiers, () => false);
  const orders = [...rule.matchAll(/"(cli|server)",\s+\$order = ` (.+) `/g)];
  expect(orders).toHaveLength(2);
  for (const [, name = "", order = ""] of orders) {
    for (const [rank, below] of order.split(" ").entries()) {
      const above = order.split(" ").slice(rank + 1);
      plant(
        `${name}/src/${below}/part/z.ts`,
        above.map((other) => `../../${other}/z.ts`),
        () => below !== "testing",
      );
    }
  }
  for (const [file, lines] of written) {
    const path = join(folder, "packages", file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${lines.join("\n")}\n`);
  }
  const biome = join(root, "node_modules/@biomejs/biome/bin/biome");
  const argv = ["lint", "--only=plugin", "--max-diagnostics=none", "--reporter=github"];
  const { stdout, stderr } = spawnSync(process.execPath, [biome, ...argv], { cwd: folder, encoding: "utf8" });
  expect(stdout + stderr).not.toContain("errored");
  const found = [...stdout.matchAll(/packages\/([^,]+),line=(\d+)/g)].map(([, file, line]) => `${file}:${line}`);
  expect([...new Set(found)].sort()).toEqual(expected.sort());
});
