// Code that a simulation runs must take time, randomness and event loop turns from ports, in every file.

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../../packages/server/src/", import.meta.url));
const simulation = join(root, "../simulation");
/** The files of simulated worlds, which ports.grit also checks. Code for a real PostgreSQL is left out: it uses real time. */
const WORLDS = readdirSync(simulation, { recursive: true, encoding: "utf8" })
  .filter((file) => /^(?:check|plan|world)\/(?!postgres\/).*(?<!\.test)\.ts$/.test(file))
  .map((file) => join(simulation, file));

/** The ports themselves, and code that draws secrets, which only real servers do. */
const EXEMPT: ReadonlySet<string> = new Set([
  "platform/clock.ts",
  "platform/randomness.ts",
  "platform/secret-box.ts",
  "platform/timers.ts",
  "domain/callbacks/secrets.ts",
  "domain/tenancy/tenants.ts",
]);

const BARRED =
  /\b(?:Date\.now|Math\.random|performance\.now|Promise\.race|process\.nextTick|setTimeout|setInterval|setImmediate|randomBytes|randomInt|randomUUID)\b|new Date\(\)/g;

interface Source {
  /** The files from which this source imports more than types. */
  readonly imports: readonly string[];
  readonly barred: readonly string[];
}

function read(path: string): Source {
  const text = readFileSync(path, "utf8");
  const { statements } = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022);
  const imports = statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return [];
    const { moduleSpecifier } = statement;
    if (moduleSpecifier === undefined || !ts.isStringLiteral(moduleSpecifier) || isOfTypes(statement)) return [];
    return moduleSpecifier.text.startsWith(".") ? [resolve(dirname(path), moduleSpecifier.text)] : [];
  });
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
  return { imports, barred: code.match(BARRED) ?? [] };
}

function isOfTypes(statement: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
  if (ts.isExportDeclaration(statement)) {
    const { exportClause } = statement;
    const named = exportClause !== undefined && ts.isNamedExports(exportClause) ? exportClause.elements : [];
    return statement.isTypeOnly || (named.length > 0 && named.every(({ isTypeOnly }) => isTypeOnly));
  }
  const bindings = statement.importClause?.namedBindings;
  const named = bindings !== undefined && ts.isNamedImports(bindings) ? bindings.elements : [];
  const isWhole = statement.importClause?.isTypeOnly === true;
  return isWhole || (named.length > 0 && named.every(({ isTypeOnly }) => isTypeOnly));
}

it("code that a simulation runs takes time, randomness and event loop turns only from ports", () => {
  const found: string[] = [];
  const seen = new Set<string>();
  const visit = (path: string) => {
    if (seen.has(path)) return;
    seen.add(path);
    const { imports, barred } = read(path);
    const file = relative(root, path);
    if (!EXEMPT.has(file) && !file.startsWith("..")) found.push(...barred.map((use) => `${file}: ${use}`));
    for (const imported of imports) visit(imported);
  };
  for (const file of WORLDS) visit(file);
  expect(seen.size).toBeGreaterThan(100);
  expect(found).toEqual([]);
});
