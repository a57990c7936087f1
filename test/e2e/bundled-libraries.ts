// Finds libraries that msgctl ships and rarely loads. It looks for their code in the bundle, because a bundler may move it.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A text of each library that occurs nowhere else in the bundle. `proxy` is our own code. */
const MARKS = {
  contract: "V1MerchantUpsertRequest",
  inquirer: "ExitPromptError",
  jmespath: "invalid-type",
  proxy: "proxy-authorization",
  yaml: "deficient indentation",
} as const;

/** `contract` means the contract's schemas, which are as large as a library. */
export type Library = keyof typeof MARKS;

export const libraries = Object.keys(MARKS) as readonly Library[];

/** The libraries whose code or data is in these files of the bundle. */
export function librariesIn(paths: readonly string[]): Library[] {
  const texts = paths.map((path) => readFileSync(path, "utf8"));
  return libraries.filter((library) => texts.some((text) => text.includes(MARKS[library])));
}

/** Files of a bundle that contain a library. */
export function filesOf(library: Library, dist: string): string[] {
  return readdirSync(dist).filter((name) => librariesIn([join(dist, name)]).includes(library));
}
