import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { run } from "./run.ts";
import { stagesOf } from "./stages.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

it("finds this project's generated files up to date with their sources", async () => {
  const printed: string[] = [];
  const print = (line: string) => void printed.push(line);
  await run(root, stagesOf(root), true, { log: print, error: print });
  expect(printed).toEqual([]);
});
