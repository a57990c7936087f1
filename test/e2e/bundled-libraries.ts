// The libraries that msgctl ships and hardly ever loads: each is a file of the bundle, named as in src/libraries.

import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

const sources = fileURLToPath(new URL("../../packages/cli/src/libraries", import.meta.url));

/** `inquirer`, `yaml` and so on. */
export const libraryNames: readonly string[] = readdirSync(sources).map((name) => basename(name, ".ts"));

/** What stands in a library's code and nowhere in our own, to see that a bundler left no copy of it elsewhere. */
export const libraryMarks: Readonly<Record<string, string>> = {
  csv: "CSV_QUOTE_NOT_CLOSED",
  inquirer: "ExitPromptError",
  yaml: "BLOCK_IN_FLOW",
};

/** The library that a file of the bundle is; undefined for all others. */
export function libraryOf(path: string): string | undefined {
  const [, name = ""] = /^(.+)-[A-Z0-9]+\.cjs$/.exec(basename(path)) ?? [];
  return libraryNames.includes(name) ? name : undefined;
}

/** Files of the bundle that hold a text. */
export function filesWith(text: string, dist: string): string[] {
  return readdirSync(dist).filter((name) => readFileSync(join(dist, name), "utf8").includes(text));
}
