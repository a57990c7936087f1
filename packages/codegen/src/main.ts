// First half of npm run generate; --check compares alone, --root names another project.
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { reportDrifts } from "../../../scripts/generated-files.ts";
import { artefacts } from "./artefacts/index.ts";
import { GenerationError } from "./faults.ts";
import { compare, render, write } from "./generate.ts";
import { pageSets } from "./pages/index.ts";

const PROJECT = fileURLToPath(new URL("../../..", import.meta.url));

const { values } = parseArgs({ options: { check: { type: "boolean" }, root: { type: "string", default: PROJECT } } });
process.exitCode = await run(resolve(values.root), values.check ?? false);

async function run(root: string, isCheck: boolean): Promise<number> {
  try {
    const files = await render(root, artefacts, pageSets);
    return isCheck ? reportDrifts(await compare(root, files, pageSets), "openapi.yaml") : await generate(root, files);
  } catch (error) {
    if (!(error instanceof GenerationError)) throw error;
    console.error(`${error.message}\n\nNothing was written: ${counted(error.faults.length, "fault")} in openapi.yaml.`);
    return 1;
  }
}

async function generate(root: string, files: ReadonlyMap<string, string>): Promise<number> {
  await write(root, files, pageSets);
  for (const path of files.keys()) console.log(path);
  return 0;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
