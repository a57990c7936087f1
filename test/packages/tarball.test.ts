// The files that `npm publish` would upload for the SDK: only used ones, and all that the manifest promises.

import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { describe, expect, it } from "vitest";
import { leavesOf, packSdk, readManifest, root } from "./packed.ts";

const { tarball, folder, files, manifest } = packSdk();
const text = (file: string) => readFileSync(join(folder, file), "utf8");
const LICENCES = "dist/THIRD-PARTY-LICENSES.txt";
const leaves = Object.entries(manifest.exports).flatMap(([entry, conditions]) =>
  leavesOf(conditions).map(({ way, file }) => ({ entry, way, file: posix.normalize(file) })),
);

describe("the files", () => {
  it("are the readme, licenses, manifest and build", () => {
    const outsideOfDist = files.filter((file) => !file.startsWith("dist/"));
    expect(outsideOfDist).toEqual(["LICENSE", "README.md", "package.json"]);
    expect(
      files.filter((file) => file.startsWith("dist/") && !/^dist\/[\w-]+\.(js|cjs|d\.ts|d\.cts)$/.test(file)),
    ).toEqual([LICENCES]);
  });

  it("are all reached from an export", () => {
    const reached = new Set<string>();
    const visit = (file: string) => {
      if (reached.has(file)) return;
      reached.add(file);
      for (const [, name = ""] of text(file).matchAll(/(?:from|import|require\()\s*["'](\.\/[^"']+)["']/g)) {
        visit(builtAs(posix.join("dist", name), file));
      }
    };
    for (const { file } of leaves) visit(file);
    expect([...reached].sort()).toEqual(files.filter((file) => file.startsWith("dist/") && file !== LICENCES));
  });

  it("refer to no source map, because none is published", () => {
    for (const file of files) expect(text(file)).not.toContain("sourceMappingURL");
  });

  it("contain the license of the SDK, and those of the bundled packages", () => {
    expect(text("LICENSE")).toBe(readFileSync(join(root, "LICENSE"), "utf8"));
    const [name = "", version] = Object.entries(manifest.dependencies ?? {})[0] ?? [];
    expect(text(LICENCES)).toContain(`\n${name} ${version} (MIT)\n`);
    expect(text(LICENCES)).toContain(readFileSync(join(root, "node_modules", name, "LICENSE"), "utf8"));
  });

  it.each([
    [".js", []],
    [".cjs", []],
    [".d.ts", Object.keys(manifest.dependencies ?? {})],
    [".d.cts", Object.keys(manifest.dependencies ?? {})],
  ])("that end in %s import only the packages %j", (ending, packages) => {
    const built = files.filter((file) => file.startsWith("dist/") && file.endsWith(ending));
    const named = built.flatMap((file) => [...text(file).matchAll(PACKAGE_NAMED)].map(([, name = ""]) => name));
    expect([...new Set(named)]).toEqual(packages);
  });
});

/** Matches a package after `from`, `require(` or `import`. `"from"` in quotes is a member of a reply. */
const PACKAGE_NAMED = /(?<!")(?:\bfrom\s*|\bimport[\s(]*|\brequire\()["']([^."'\s][^"'\s]*)["']/gm;

/** The built file's name. Declaration files import their neighbours by the names of the JavaScript files. */
function builtAs(name: string, namedBy: string): string {
  return /\.d\.c?ts$/.test(namedBy) ? name.replace(/\.(c?)js$/, ".d.$1ts") : name;
}

describe("the manifest", () => {
  it("is public, supports the same Node versions as the project, and allows tree-shaking", () => {
    expect(manifest).not.toHaveProperty("private");
    expect(manifest).not.toHaveProperty("devDependencies");
    expect(manifest).not.toHaveProperty("scripts");
    expect(manifest).toMatchObject({ license: "Apache-2.0", type: "module", sideEffects: false });
    expect(manifest.engines).toEqual(readManifest(root).engines);
  });

  it("depends on one package, at one version", () => {
    expect(Object.entries(manifest.dependencies ?? {})).toEqual([
      ["openapi-fetch", expect.stringMatching(/^\d+\.\d+\.\d+$/)],
    ]);
  });

  it("exports two entry points, each with types for import and for require", () => {
    expect(Object.keys(manifest.exports)).toEqual([".", "./webhooks"]);
    expect(leaves).toEqual(
      [
        [".", "index"],
        ["./webhooks", "webhooks"],
      ].flatMap(([entry, name]) => [
        { entry, way: ["import", "types"], file: `dist/${name}.d.ts` },
        { entry, way: ["import", "default"], file: `dist/${name}.js` },
        { entry, way: ["require", "types"], file: `dist/${name}.d.cts` },
        { entry, way: ["require", "default"], file: `dist/${name}.cjs` },
      ]),
    );
  });
});

it("the package passes publint", async () => {
  const bytes = new Uint8Array(readFileSync(tarball));
  const { messages, pkg } = await publint({ pack: { tarball: bytes.buffer }, strict: true });
  expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
});

it("the package has correct types under every resolution according to are-the-types-wrong", async () => {
  const analysis = await checkPackage(createPackageFromTarballData(new Uint8Array(readFileSync(tarball))));
  if (!analysis.types) throw new Error("are-the-types-wrong found no types");
  expect(analysis.problems).toEqual([]);
  const resolved = Object.values(analysis.entrypoints).flatMap(({ subpath, resolutions }) =>
    Object.entries(resolutions).map(([kind, { resolution }]) => [subpath, kind, resolution?.isTypeScript]),
  );
  expect(resolved).toEqual(
    [".", "./webhooks"].flatMap((subpath) =>
      ["node10", "node16-cjs", "node16-esm", "bundler"].map((kind) => [subpath, kind, true]),
    ),
  );
});
