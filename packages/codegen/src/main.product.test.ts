import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const MAIN = fileURLToPath(new URL("main.ts", import.meta.url));

it("finds that this project's generated files follow from their sources", () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--import", "tsx", MAIN, "--check"], {
    encoding: "utf8",
  });
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "", stderr: "" });
});
