// Compiles the packed declarations of the SDK with the oldest TypeScript that its README names, without skipLibCheck. That
// TypeScript is fetched from npm once. Without a network, the tests are skipped.

import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { installPeers } from "../bench/peers.ts";
import { consumers } from "./consumer.ts";
import { installSdk, packSdk, root } from "./packed.ts";

const cache = join(root, ".cache/typescript-5.4");
const strictest = {
  ...{ target: "es2022", strict: true, exactOptionalPropertyTypes: true, verbatimModuleSyntax: true },
  ...{ skipLibCheck: false, noEmit: true },
};
const resolutions = {
  node16: {
    ...{ module: "node16", moduleResolution: "node16", lib: ["es2023"], types: ["node"] },
    typeRoots: [join(root, "node_modules/@types")],
  },
  bundler: { module: "preserve", moduleResolution: "bundler", lib: ["es2023", "dom", "dom.iterable"], types: [] },
};

const { folder, remove } = installSdk();
afterAll(remove);
let version: string | undefined;
let missing: string | undefined;

beforeAll(async () => {
  const {
    versions,
    missing: packages,
    failure,
  } = await installPeers(join(root, "test/packages/typescript-5.4"), cache);
  version = versions.get("typescript");
  if (packages.length > 0) missing = `${packages.join(", ")} could not be had from npm: ${failure}`;
  for (const [name, text] of Object.entries(consumers)) writeFileSync(join(folder, name), text);
});

it("the oldest TypeScript is the version that the README names", ({ skip }) => {
  if (missing !== undefined) return skip(missing);
  const [, named] =
    /TypeScript (\d+\.\d+) or later/.exec(readFileSync(join(packSdk().folder, "README.md"), "utf8")) ?? [];
  expect(version?.startsWith(`${named}.`)).toBe(true);
});

it.for(Object.entries(resolutions))(
  "the oldest TypeScript compiles the declarations with moduleResolution %s",
  async ([name, options], { skip }) => {
    if (missing !== undefined) return skip(missing);
    const project = join(folder, `tsconfig.${name}.json`);
    writeFileSync(
      project,
      JSON.stringify({ compilerOptions: { ...strictest, ...options }, files: Object.keys(consumers) }),
    );
    const compiler = join(cache, "node_modules/typescript/bin/tsc");
    const compiled = promisify(execFile)(process.execPath, [compiler, "--project", project], { cwd: folder });
    // The compiler prints its errors.
    expect(
      await compiled.then(
        ({ stdout }) => stdout,
        ({ stdout, message }) => stdout || message,
      ),
    ).toBe("");
  },
);
