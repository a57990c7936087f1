import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { version } from "./version.ts";

it("the version is that of the package", () => {
  const { version: published } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  expect(version).toBe(published);
});
