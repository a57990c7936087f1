import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { artefacts } from "./artefacts/index.ts";
import { renderContract, renderPages } from "./generate.ts";
import type { PageSet } from "./page-set.ts";
import { contractPages } from "./pages/index.ts";
import { run } from "./run.ts";
import { PARCELS } from "./testing/parcels.ts";

const OPERATIONS = "packages/contract/src/generated/operations.ts";

/** Pages that are made from the output of the contract's stage. */
const copies: PageSet<string> = {
  folders: ["docs/copy"],
  render: (root) => new Map([["docs/copy/operations.md", readFileSync(join(root, OPERATIONS), "utf8")]]),
};

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "generate-run-"));
  mkdirSync(join(root, "packages/contract"), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true }));

async function generate(document: string, isCheck = false) {
  writeFileSync(join(root, "openapi.yaml"), document);
  const printed = { stdout: "", stderr: "" };
  const stages = [() => renderContract(root, artefacts, contractPages), () => renderPages(root, [copies])];
  const status = await run(root, stages, isCheck, {
    log: (line) => (printed.stdout += `${line}\n`),
    error: (line) => (printed.stderr += `${line}\n`),
  });
  return { status, ...printed };
}

it("the generator writes files, then finds no drift, then finds the effect of a change to the document", async () => {
  const written = await generate(PARCELS);
  expect(written).toMatchObject({ status: 0, stderr: "" });
  expect(written.stdout).toContain(`${OPERATIONS}\n`);
  expect(await generate(PARCELS, true)).toEqual({ status: 0, stdout: "", stderr: "" });

  const drifted = await generate(PARCELS.replaceAll("sendParcel", "postParcel"), true);
  expect(drifted).toMatchObject({ status: 1, stdout: "" });
  expect(drifted.stderr).toMatch(/^differs {2}packages\/contract\/src\/generated\/operations\.ts$/m);
  expect(drifted.stderr).toContain("run `npm run generate`");
});

it("the generator lists the faults of a document and writes nothing", async () => {
  const { status, stderr, stdout } = await generate(PARCELS.replace("group: pings,", "group: pings, colour: red,"));
  expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
  expect(stderr).toMatch(/^openapi\.yaml:\d+:\d+ colour is not a key of x-msgctl\. Allowed: group, name/);
  expect(stderr).toContain("Nothing was written: 1 fault in openapi.yaml.");
  expect(readdirSync(join(root, "packages/contract"))).toEqual([]);
});

it("the generator makes the pages of packages from the output of the contract's stage", async () => {
  await generate(PARCELS);
  await generate(PARCELS.replaceAll("sendParcel", "postParcel"));
  expect(readFileSync(join(root, "docs/copy/operations.md"), "utf8")).toContain("postParcel");
});

it("the generator names the drift of every stage in one report", async () => {
  await generate(PARCELS);
  for (const path of ["docs/errors/README.md", "docs/copy/operations.md"]) writeFileSync(join(root, path), "edited");
  const { status, stderr } = await generate(PARCELS, true);
  expect(status).toBe(1);
  expect(stderr.split("\n\n")[0]).toBe("differs  docs/errors/README.md\ndiffers  docs/copy/operations.md\n".trim());
});
