import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { folder } from "./world.ts";

/**
 * Writes a module that imitates the native keyring, and returns its path. It keeps its entries in a file, so that another
 * process sees them, too. Each method first runs the code of `trouble`.
 */
export function keyringModule(trouble: string) {
  const path = folder();
  const module = join(path, "keyring.cjs");
  const kept = JSON.stringify(join(path, "entries.json"));
  writeFileSync(
    module,
    `const fs = require("node:fs");
const all = () => JSON.parse(fs.existsSync(${kept}) ? fs.readFileSync(${kept}, "utf8") : "{}");
const keep = (entries) => fs.writeFileSync(${kept}, JSON.stringify(entries));
exports.Entry = class {
  constructor(service, account, { linux }) { this.name = [service, account, linux.store].join("/"); }
  getPassword() { ${trouble}; return all()[this.name] ?? null; }
  setPassword(text) { ${trouble}; keep({ ...all(), [this.name]: text }); }
  deletePassword() { ${trouble}; const { [this.name]: gone, ...others } = all(); keep(others); return gone !== undefined; }
};`,
  );
  return module;
}
