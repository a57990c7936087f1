import { describe, expect, it } from "vitest";
import { checkVersion, findVersionFaults, inOrder, withVersion, withVersionInText } from "./versions.ts";

const manifests = {
  "package.json": { name: "acme", version: "1.0.0" },
  "packages/sdk/package.json": { name: "@acme/sdk", version: "1.0.0", dependencies: { fetch: "2.0.0" } },
  "packages/cli/package.json": { name: "acmectl", version: "1.0.0", devDependencies: { "@acme/sdk": "1.0.0" } },
};

describe("versions", () => {
  it("may be the same everywhere", () => {
    expect(findVersionFaults({ manifests, locked: manifests })).toEqual([]);
  });

  it("that differ are named with their file, and what is expected", () => {
    const sdk = { name: "@acme/sdk", version: "1.1.0" };
    const cli = { ...manifests["packages/cli/package.json"], peerDependencies: { "@acme/sdk": "^1.0.0" } };
    const differing = { ...manifests, "packages/sdk/package.json": sdk, "packages/cli/package.json": cli };
    expect(findVersionFaults({ manifests: differing, locked: { ...manifests, "package.json": sdk } })).toEqual([
      "packages/sdk/package.json: version is 1.1.0, expected 1.0.0",
      "packages/cli/package.json: @acme/sdk is ^1.0.0, expected 1.0.0",
      "package-lock.json, of package.json: version is 1.1.0, expected 1.0.0",
    ]);
  });

  it("are set together, without other changes", () => {
    const names = new Set(["@acme/sdk", "acmectl"]);
    const set = Object.entries(manifests).map(([file, manifest]) => [file, withVersion(manifest, "2.0.0-rc.1", names)]);
    const released = Object.fromEntries(set) as typeof manifests;
    expect(findVersionFaults({ manifests: released, locked: released })).toEqual([]);
    expect(released).toEqual({
      "package.json": { name: "acme", version: "2.0.0-rc.1" },
      "packages/sdk/package.json": { name: "@acme/sdk", version: "2.0.0-rc.1", dependencies: { fetch: "2.0.0" } },
      "packages/cli/package.json": {
        ...{ name: "acmectl", version: "2.0.0-rc.1", devDependencies: { "@acme/sdk": "2.0.0-rc.1" } },
      },
    });
    expect(Object.keys(released["packages/cli/package.json"])).toEqual(["name", "version", "devDependencies"]);
  });

  it("are set in the text of a manifest, which keeps its form and the names of programs", () => {
    const manifest = { name: "acmectl", version: "1.0.0", bin: { acmectl: "bin/acmectl.cjs" } };
    const text = JSON.stringify({ ...manifest, dependencies: { "@acme/sdk": "^1.0.0", fetch: "1.0.0" } }, null, 2);
    const names = new Set(["acmectl", "@acme/sdk"]);
    expect(withVersionInText(`${text}\n`, "2.0.0", names)).toBe(
      `${text.replace('"version": "1.0.0"', '"version": "2.0.0"').replace("^1.0.0", "2.0.0")}\n`,
    );
    expect(() => withVersionInText(JSON.stringify(manifest), "2.0.0", names)).toThrow(/not indented as npm writes/);
  });

  it.each(["1.0.0", "0.1.0", "1.0.0-rc.1"])("may be %s", (version) => expect(checkVersion(version)).toBe(version));
  it.each(["v1.0.0", "1.0", "1.0.0+build", "", "latest"])("are not %j", (version) => {
    expect(() => checkVersion(version)).toThrow(/takes three numbers/);
  });
});

describe("the order of publishing", () => {
  const packageOf = (name: string, ...needed: string[]) => ({
    manifest: { name, version: "1.0.0", dependencies: Object.fromEntries(needed.map((each) => [each, "1.0.0"])) },
  });

  it("has each package after those that it needs", () => {
    const sorted = inOrder([packageOf("a", "b", "other"), packageOf("b", "c"), packageOf("c"), packageOf("d")]);
    expect(sorted.map(({ manifest }) => manifest.name)).toEqual(["c", "b", "a", "d"]);
  });

  it("does not exist for a circle", () => {
    expect(() => inOrder([packageOf("a", "b"), packageOf("b", "a")])).toThrow("a, b depend on each other in a circle");
  });
});
