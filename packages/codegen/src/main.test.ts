import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { PARCELS } from "./invented/parcels.ts";

const MAIN = fileURLToPath(new URL("main.ts", import.meta.url));

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "generate-main-"));
  mkdirSync(join(root, "packages/contract"), { recursive: true });
});
afterAll(() => rmSync(root, { recursive: true }));

function generate(document: string, ...flags: string[]) {
  writeFileSync(join(root, "openapi.yaml"), document);
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--import", "tsx", MAIN, "--root", root, ...flags], {
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

it("writes, then finds no drift, then finds what a change of the document makes", () => {
  const written = generate(PARCELS);
  expect(written).toMatchObject({ status: 0, stderr: "" });
  expect(written.stdout).toContain("packages/contract/src/generated/operations.ts\n");
  expect(generate(PARCELS, "--check")).toEqual({ status: 0, stdout: "", stderr: "" });

  const drifted = generate(PARCELS.replaceAll("sendParcel", "postParcel"), "--check");
  expect(drifted).toMatchObject({ status: 1, stdout: "" });
  expect(drifted.stderr).toMatch(/^differs {2}packages\/contract\/src\/generated\/operations\.ts$/m);
  expect(drifted.stderr).toContain("run `npm run generate`");
});

it("lists the faults of a document and writes nothing", () => {
  const { status, stderr, stdout } = generate(PARCELS.replace("group: pings,", "group: pings, colour: red,"));
  expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
  expect(stderr).toMatch(/^openapi\.yaml:\d+:\d+ colour is not a key of x-msgctl\. Allowed: group, name/);
  expect(stderr).toContain("Nothing was written: 1 fault in openapi.yaml.");
});
