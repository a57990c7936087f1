#!/usr/bin/env node
const { existsSync } = require("node:fs");
const module_ = require("node:module");
const { join } = require("node:path");

const built = join(__dirname, "..", "dist", "main.cjs");
if (existsSync(built)) {
  // from Node 22.1 on a start need not compile again what an earlier one did
  module_.enableCompileCache?.();
  require(built);
} else {
  process.stderr.write("msgctl is not built yet: run npm run build (npm start does it by itself).\n");
  process.exitCode = 1;
}
