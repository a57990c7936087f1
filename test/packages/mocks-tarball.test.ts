// Checks the files of @msgctl/mocks that `npm publish` would upload. Their types must not need other packages of the
// workspace.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { expect, it } from "vitest";
import { leavesOf, packMocks, readManifest, root } from "./packed.ts";

const { tarball, folder, files, manifest } = packMocks();
/** The exports that have a source file. */
const entries = Object.entries(manifest.exports).filter(([entry]) => {
  const name = entry === "." ? "index" : entry.slice("./".length);
  return existsSync(join(root, `packages/mocks/src/${name}.ts`));
});
const text = (file: string) => readFileSync(join(folder, file), "utf8");

it("the package has its exports, program, readme and license, and otherwise only chunks", () => {
  expect(files.filter((file) => !file.startsWith("dist/"))).toEqual([
    ...["LICENSE", "README.md", "bin/msgctl-mock.js", "package.json"],
  ]);
  expect(
    files.filter(
      (file) => file.startsWith("dist/") && !/^dist\/(?:[\w-]+\.(?:c?js|d\.c?ts)|openapi\.yaml)$/.test(file),
    ),
  ).toEqual(["dist/THIRD-PARTY-LICENSES.txt"]);
  expect(text("dist/THIRD-PARTY-LICENSES.txt")).toMatch(/\nopenapi-msw 2\.0\.0 \(MIT\)\n/);
  const exported = entries.flatMap(([, conditions]) => leavesOf(conditions));
  expect(exported.map(({ file }) => file.slice("./".length)).filter((file) => !files.includes(file))).toEqual([]);
});

it("the package imports only packages that its users have, and its types import none of the workspace", () => {
  const allowed = [...Object.keys(manifest.dependencies ?? {}), ...Object.keys(manifest.peerDependencies as object)];
  const named = (ending: string) =>
    files
      .filter((file) => file.startsWith("dist/") && file.endsWith(ending))
      .flatMap((file) => [...text(file).matchAll(PACKAGE_NAMED)].map(([, name, required = ""]) => name ?? required))
      .filter((name) => !name.startsWith("node:"));
  const isAllowed = (name: string) => allowed.some((each) => name === each || name.startsWith(`${each}/`));
  expect([...named(".js"), ...named(".cjs")].filter((name) => !isAllowed(name) && !NODE_MODULES.has(name))).toEqual([]);
  expect(
    [...named(".d.ts"), ...named(".d.cts")].filter((name) => !isAllowed(name) || name.startsWith("@msgctl/")),
  ).toEqual([]);
});

/** Matches imports at the start of a line, where the build writes them. Comments in declarations contain the words too. */
const PACKAGE_NAMED =
  /^(?:import|export)\b[^"';]*?(?:\bfrom\s*)?["']([^."'\s][^"'\s]*)["'];?$|^var \w+ = .*\brequire\("([^."]+)"\)\)?;$/gm;
/** Names of Node's modules without `node:`, which the build omits. */
const NODE_MODULES: ReadonlySet<string> = new Set([
  "async_hooks",
  "child_process",
  "events",
  "fs",
  "module",
  "net",
  "os",
  "path",
  "timers",
  "url",
  "util",
]);

it("the package installs no driver of PostgreSQL", () => {
  const brought = new Set([manifest.name]);
  for (const name of brought) {
    const own = join(root, "packages", name.replace(/^@msgctl\//, ""));
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = readManifest(
      name.startsWith("@msgctl/") ? own : join(root, "node_modules", name),
    );
    const optional = Object.keys(peerDependenciesMeta ?? {});
    const peers = Object.keys(peerDependencies ?? {}).filter((peer) => !optional.includes(peer));
    for (const next of [...Object.keys({ ...dependencies, ...(optionalDependencies as object) }), ...peers]) {
      // packages for another system are not installed
      if (next.startsWith("@msgctl/") || existsSync(join(root, "node_modules", next))) brought.add(next);
    }
  }
  expect([...brought]).toEqual(expect.arrayContaining(["@msgctl/server", "better-sqlite3", "msw"]));
  expect([...brought].filter((name) => /^pg\b|postgres/.test(name))).toEqual([]);
});

it("the package passes publint", async () => {
  const bytes = new Uint8Array(readFileSync(tarball));
  const { messages, pkg } = await publint({ pack: { tarball: bytes.buffer }, strict: true });
  const known = messages.filter(
    ({ path: [, entry] }) => entry === undefined || entries.some(([each]) => each === entry),
  );
  expect(known.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
});

it("the package has correct types for ES modules and CommonJS according to are-the-types-wrong", async () => {
  const analysis = await checkPackage(createPackageFromTarballData(new Uint8Array(readFileSync(tarball))));
  if (!analysis.types) throw new Error("are-the-types-wrong found no types");
  const kinds = ["node10", "node16-cjs", "node16-esm", "bundler"];
  /** `./prism` is an ES module only, because it starts Prism as a separate process. */
  const isResolved = (subpath: string, kind: string) => subpath !== "./prism" || /esm|bundler/.test(kind);
  const built = Object.values(analysis.entrypoints).filter(({ subpath }) => entries.some(([each]) => each === subpath));
  const resolved = built.flatMap(({ subpath, resolutions }) =>
    Object.entries(resolutions)
      .filter(([kind]) => isResolved(subpath, kind))
      .map(([kind, { resolution }]) => [subpath, kind, resolution?.isTypeScript]),
  );
  expect(resolved).toEqual(
    entries.flatMap(([subpath]) =>
      kinds.filter((kind) => isResolved(subpath, kind)).map((kind) => [subpath, kind, true]),
    ),
  );
  const isExpected = (problem: { kind: string; entrypoint?: string }) =>
    problem.entrypoint === "./prism" && ["CJSResolvesToESM", "NoResolution"].includes(problem.kind);
  expect(analysis.problems.filter((problem) => !isExpected(problem))).toEqual([]);
});
