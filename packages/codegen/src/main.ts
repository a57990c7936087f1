// npm run generate; --check only compares.
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { run } from "./run.ts";
import { stagesOf } from "./stages.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const { values } = parseArgs({ options: { check: { type: "boolean" } } });
process.exitCode = await run(root, stagesOf(root), values.check ?? false);
