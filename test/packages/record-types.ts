// `npm run record:types`: records the declarations of the built SDK. Tests compare later declarations with them.

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packSdk } from "./packed.ts";
import { plain, readDeclarations, recordedFolder } from "./public-types.ts";

const note = "// Recorded from the built package by npm run record:types. Do not edit.";
const declarations = plain(readDeclarations(join(packSdk().folder, "dist")));
rmSync(recordedFolder, { recursive: true, force: true });
mkdirSync(recordedFolder);
for (const [name, text] of Object.entries(declarations))
  writeFileSync(join(recordedFolder, name), `${note}\n\n${text}`);
