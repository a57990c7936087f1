import { readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { catalog } from "../catalog.ts";
import { folder, msgctl } from "../testing/world.ts";

it.each([
  ["--dry-run", ["--dry-run"]],
  ["--curl", ["--curl"]],
  ["--body-file", ["--body-file", "body.json"]],
  ["--set", ["--set", "output=json"]],
])("local commands refuse %s instead of ignoring it", async (flag, words) => {
  const cwd = folder();
  for (const command of [
    ["config", "set", "output", "json"],
    ["auth", "logout"],
  ]) {
    const { exitCode, stdout, stderr } = await msgctl([...command, ...words], { cwd, catalog });
    expect([exitCode, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(`${flag}: `);
  }
  expect(readdirSync(cwd)).toEqual([]);
});
