// What `npm install msgctl` brings along.

import { join } from "node:path";
import { expect, it } from "vitest";
import { readManifest, root } from "./packed.ts";
import { listPacked } from "./packed-cli.ts";

const folder = join(root, "packages/cli");
const { files, scriptBytes } = listPacked(folder);

it("is one package, but for the keychain where npm has one for the machine", () => {
  const { dependencies, optionalDependencies } = readManifest(folder);
  expect(dependencies ?? {}).toEqual({});
  expect(Object.keys(optionalDependencies ?? {})).toEqual(["@napi-rs/keyring"]);
});

it("holds the program, what was built and what is to be read, and no source", () => {
  const outside = files.map(({ path }) => path).filter((path) => !/^dist\/[\w-]+\.cjs$/.test(path));
  expect(outside).toContain("bin/msgctl.cjs");
  expect(outside.filter((path) => !["README.md", "LICENSE", "NOTICE", "package.json"].includes(path))).toEqual([
    "bin/msgctl.cjs",
  ]);
  expect(files.map(({ path }) => path)).toContain("dist/main.cjs");
});

it("holds at most 400 kB of JavaScript", () => {
  expect(scriptBytes).toBeLessThanOrEqual(400_000);
});
