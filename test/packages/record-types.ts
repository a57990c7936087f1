// `npm run record:types`: records the declarations of the built SDK. Tests compare later declarations with them.

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packSdk } from "./packed.ts";
import { recordedFolder, toRecord } from "./public-types.ts";

const recorded = toRecord(join(packSdk().folder, "dist"));
rmSync(recordedFolder, { recursive: true, force: true });
mkdirSync(recordedFolder);
for (const [name, text] of Object.entries(recorded)) writeFileSync(join(recordedFolder, name), text);
