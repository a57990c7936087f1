#!/usr/bin/env node
const { existsSync } = require("node:fs");

if (existsSync(`${__dirname}/../dist/main.cjs`)) {
  // Node 22.1 and later can reuse the code that an earlier start compiled
  require("node:module").enableCompileCache?.();
  require("../dist/main.cjs");
} else {
  process.stderr.write("msgctl is not built yet: run npm run build (npm start does this automatically).\n");
  process.exitCode = 1;
}
