import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Artefact, NOTICE } from "./artefact.ts";
import { artefacts } from "./artefacts/index.ts";
import { renderContract } from "./generate.ts";
import { compareFiles, writeFiles } from "./generated-files.ts";
import { PARCELS } from "./testing/parcels.ts";

const names: Artefact = {
  path: "packages/sdk/src/generated/names.ts",
  render: ({ operations }) => `${operations.map(({ operationId }) => `// ${operationId}`).join("\n")}\n`,
};

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "generate-"));
  await writeFile(join(root, "openapi.yaml"), PARCELS);
  await mkdir(join(root, "packages/sdk/src/generated/old"), { recursive: true });
  await mkdir(join(root, "packages/cli/src"), { recursive: true });
});
afterEach(() => rm(root, { recursive: true }));

const put = (path: string, text: string) => writeFile(join(root, path), text);

describe("generating", () => {
  it("writes each artefact under a notice", async () => {
    await writeFiles(root, await renderContract(root, [names]));
    const text = await readFile(join(root, names.path), "utf8");
    expect(text).toBe(`${NOTICE}\n\n// sendParcel\n// listParcels\n// getParcel\n// getLabel\n// ping\n`);
  });

  it("removes the file of an artefact that no longer exists", async () => {
    await put("packages/sdk/src/generated/old/stale.ts", "stale");
    await writeFiles(root, await renderContract(root, [names]));
    expect(await readdir(join(root, "packages/sdk/src/generated"))).toEqual(["names.ts"]);
  });

  it("renders the same text on every run, whatever ran before", async () => {
    const first = await renderContract(root, artefacts);
    expect(await renderContract(root, artefacts)).toEqual(first);
  });

  it("names no path twice, and writes only in generated folders", async () => {
    const paths = artefacts.map(({ path }) => path);
    expect(new Set(paths).size).toBe(paths.length);
    expect(paths.filter((path) => !/^packages\/\w+\/src\/generated\/[\w-]+\.ts$/.test(path))).toEqual([]);
  });
});

describe("comparing", () => {
  it("reports nothing after a write", async () => {
    await writeFiles(root, await renderContract(root, [names]));
    expect(await compareFiles(root, await renderContract(root, [names]))).toEqual([]);
  });

  it("reports a file that differs, a missing one and an extra one", async () => {
    const other = { ...names, path: "packages/sdk/src/generated/other.ts" };
    await writeFiles(root, await renderContract(root, [names]));
    await put(names.path, "edited by hand");
    await put("packages/sdk/src/generated/extra.ts", "left behind");
    expect(await compareFiles(root, await renderContract(root, [names, other]))).toEqual([
      { path: "packages/sdk/src/generated/extra.ts", kind: "extra" },
      { path: names.path, kind: "differs" },
      { path: other.path, kind: "missing" },
    ]);
  });

  it("writes nothing", async () => {
    await compareFiles(root, await renderContract(root, [names]));
    expect(await readdir(join(root, "packages/sdk/src/generated"))).toEqual(["old"]);
  });
});
