// The imports between the files of a package form no cycle, whether they import values or types, or use import().

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { describe, expect, it } from "vitest";

const packages = fileURLToPath(new URL("../../packages/", import.meta.url));
const names = readdirSync(packages);

/** Maps each file of a folder to the files of the folder that it imports. */
function readImports(folder: string): Map<string, string[]> {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => /\.tsx?$/.test(file));
  return new Map(
    files.map((file) => {
      const path = join(folder, file);
      const { importedFiles } = ts.preProcessFile(readFileSync(path, "utf8"), true, true);
      const own = importedFiles.filter(({ fileName }) => /^\..*\.tsx?$/.test(fileName));
      return [file, own.map(({ fileName }) => relative(folder, resolve(dirname(path), fileName)))];
    }),
  );
}

/** Returns the files of the first cycle found; empty if there is none. */
function findCircle(imports: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const done = new Set<string>();
  const follow = (file: string, way: readonly string[]): readonly string[] => {
    if (way.includes(file)) return [...way.slice(way.indexOf(file)), file];
    if (done.has(file)) return [];
    for (const next of imports.get(file) ?? []) {
      const circle = follow(next, [...way, file]);
      if (circle.length > 0) return circle;
    }
    done.add(file);
    return [];
  };
  for (const file of imports.keys()) {
    const circle = follow(file, []);
    if (circle.length > 0) return circle;
  }
  return [];
}

it("the check finds a cycle, and none if two paths lead to one file", () => {
  const ways = { "a.ts": ["b.ts", "c.ts"], "b.ts": ["d.ts"], "c.ts": ["d.ts"], "d.ts": [] };
  expect(findCircle(new Map(Object.entries(ways)))).toEqual([]);
  const closed = { ...ways, "d.ts": ["c.ts"] };
  expect(findCircle(new Map(Object.entries<string[]>(closed)))).toEqual(["d.ts", "c.ts", "d.ts"]);
});

describe("the imports of", () => {
  it.each(names)("%s form no cycle", (name) => {
    const imports = readImports(join(packages, name, "src"));
    expect(imports.size).toBeGreaterThan(0);
    expect(findCircle(imports)).toEqual([]);
  });
});

it.each(names)("the files of %s import nothing from outside of their folder", (name) => {
  const imports = [...readImports(join(packages, name, "src"))].filter(([file]) => !file.endsWith(".product.test.ts"));
  const outside = imports.flatMap(([file, imported]) =>
    imported.filter((other) => /^\.\.[/\\]/.test(other)).map((other) => `${file} → ${other}`),
  );
  expect(outside).toEqual([]);
});

const linterRule = readFileSync(join(packages, "../import-order.grit"), "utf8");

/**
 * The folders of a package in the linter's order: each may import only itself and earlier ones. A file outside of the folders
 * is an entry point, and may import everything.
 */
const FOLDERS = [...linterRule.matchAll(/"(cli|server)",\s+\$order = ` (.+) `/g)].map(
  ([, name = "", order = ""]) => [name, order.split(" ")] as const,
);

it("the linter has an order of folders for msgctl and for msgd", () => {
  expect(FOLDERS.map(([name]) => name)).toEqual(["cli", "server"]);
});

it.each(FOLDERS)("the imports of %s follow the order of its folders", (name, folders) => {
  const rank = (file: string) => folders.indexOf(dirname(file).split("/")[0] ?? "");
  const imports = [...readImports(join(packages, name, "src"))].filter(
    ([file]) => !isForTests(file) && file.includes("/") && !isGeneratedBeside(folders, file),
  );
  expect(imports.filter(([file]) => rank(file) < 0).map(([file]) => file)).toEqual([]);
  const against = imports.flatMap(([file, imported]) =>
    imported
      .filter((other) => !isGeneratedBeside(folders, other))
      .filter((other) => rank(other) < 0 || rank(other) > rank(file))
      .map((other) => `${file} → ${other}`),
  );
  expect(against).toEqual([]);
});

/** Whether a generated file is exempt from the order, because it uses the types of the only file that imports it. */
function isGeneratedBeside(folders: readonly string[], file: string): boolean {
  return file.startsWith("generated/") && !folders.includes("generated");
}

function isForTests(file: string): boolean {
  return file.endsWith(".test.ts") || file.startsWith("testing/");
}

it.each(names)("shipped files of %s do not import test helpers", (name) => {
  const shipped = [...readImports(join(packages, name, "src"))].filter(([file]) => !isForTests(file));
  expect(
    shipped.flatMap(([file, imported]) => imported.filter(isForTests).map((other) => `${file} → ${other}`)),
  ).toEqual([]);
});
