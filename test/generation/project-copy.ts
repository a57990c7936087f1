import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

const PROJECT = fileURLToPath(new URL("../..", import.meta.url));
const LEFT_OUT = ["node_modules", "dist"];

/** Copies the sources to a temporary folder and links the installed packages: a project that a test can change and build. */
export function copyProject(): { root: string; remove: () => void } {
  const root = mkdtempSync(join(tmpdir(), "project-"));
  for (const name of ["package.json", "tsconfig.json", "openapi.yaml", "packages"]) {
    cpSync(join(PROJECT, name), join(root, name), {
      recursive: true,
      filter: (path) => !LEFT_OUT.includes(basename(path)),
    });
  }
  link(root, "node_modules");
  for (const name of readdirSync(join(root, "packages"))) link(root, `packages/${name}/node_modules`);
  return { root, remove: () => rmSync(root, { recursive: true }) };
}

function link(root: string, folder: string): void {
  // A junction needs no privilege on Windows, and other systems ignore the type.
  if (existsSync(join(PROJECT, folder))) symlinkSync(join(PROJECT, folder), join(root, folder), "junction");
}
