// Code that is loaded with the mocks must take its timers from packages/server/src/platform/timers.ts, which captures the
// global ones on load. Otherwise fake timers of vitest or jest would stop the service.

import { readFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../../packages/", import.meta.url));
const inProcess = resolve(root, "server/src/in-process.ts");
const timers = resolve(root, "server/src/platform/timers.ts");

const FAKED: ReadonlySet<string> = new Set([
  ...["setTimeout", "clearTimeout", "setInterval", "clearInterval", "setImmediate", "clearImmediate"],
  ...["queueMicrotask", "nextTick", "hrtime", "performance"],
]);

/** Files that are used only with PostgreSQL, which the mocks do not use. */
const EXEMPT = /\/postgres[/-]/;

/** Counts the files that are loaded with `entry`, and finds the global timers that they use. */
function look(entry: string): { readonly seen: number; readonly found: readonly string[] } {
  const seen = new Set<string>();
  const found: string[] = [];
  const visit = (path: string) => {
    if (seen.has(path) || path === timers) return;
    seen.add(path);
    const { uses, imports } = read(path);
    if (!EXEMPT.test(path)) found.push(...uses.map((use) => `${relative(root, path)}: ${use}`));
    for (const next of imports) visit(next);
  };
  visit(resolve(root, entry));
  return { seen: seen.size, found };
}

const known = new Map<string, { readonly uses: readonly string[]; readonly imports: readonly string[] }>();

function read(path: string) {
  const before = known.get(path);
  if (before !== undefined) return before;
  const file = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.ES2022, true);
  const source = { uses: usesIn(file), imports: importsOf(file) };
  known.set(path, source);
  return source;
}

/** Static imports of a file. `import()` loads only PostgreSQL, carriers and a separate process. */
function importsOf({ fileName, statements }: ts.SourceFile): string[] {
  return statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return [];
    const { moduleSpecifier } = statement;
    const isOfTypes = ts.isImportDeclaration(statement) ? statement.importClause?.isTypeOnly : statement.isTypeOnly;
    if (isOfTypes || moduleSpecifier === undefined || !ts.isStringLiteral(moduleSpecifier)) return [];
    if (moduleSpecifier.text === "@msgctl/server/in-process") return [inProcess];
    return moduleSpecifier.text.startsWith(".") ? [resolve(dirname(fileName), moduleSpecifier.text)] : [];
  });
}

function usesIn(file: ts.SourceFile): string[] {
  const [own, uses] = [new Set<string>(), new Set<string>()];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteral(node) && node.text === "node:timers/promises") uses.add(node.text);
    if (ts.isIdentifier(node) && FAKED.has(node.text)) {
      const { parent } = node;
      if (ts.isImportSpecifier(parent) || ts.isBindingElement(parent)) own.add(node.text);
      else if (isGlobal(node)) uses.add(node.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return [...uses].filter((name) => !own.has(name));
}

/** Whether the identifier names a global, and not a member of another object. */
function isGlobal(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) && parent.name === node) {
    return /^(?:globalThis|global|process)$/.test(parent.expression.getText());
  }
  return !((ts.isPropertyAssignment(parent) || ts.isMethodDeclaration(parent)) && parent.name === node);
}

it.each(["mocks/src/index.ts", "mocks/src/light.ts", "mocks/src/prism.ts"])(
  "no module loaded with %s uses a timer that a test could fake",
  (entry) => expect(look(entry).found).toEqual([]),
);

it("the check covers the whole service, and finds global timers", () => {
  expect(look("mocks/src/index.ts").seen).toBeGreaterThan(200);
  const source = `import { setTimeout } from "./timers.ts"; setTimeout(a, 1); socket.setTimeout(1); setImmediate(a); process.nextTick(a);`;
  expect(usesIn(ts.createSourceFile("a.ts", source, ts.ScriptTarget.ES2022, true))).toEqual([
    "setImmediate",
    "nextTick",
  ]);
});
