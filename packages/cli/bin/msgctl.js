#!/usr/bin/env node
import { existsSync } from "node:fs";

const built = new URL("../dist/main.js", import.meta.url);
if (existsSync(built)) {
  await import(built.href);
} else {
  process.stderr.write("msgctl is not built yet: run npm run build (npm start does it by itself).\n");
  process.exitCode = 1;
}
