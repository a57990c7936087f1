/** The two questions of a walk along the command line as functions of a POSIX-like shell; bash and zsh share them. */
import type { Flag, Place, Taken, Tree } from "./tree.ts";

/** `at` moves on when `word` leads to a place from there. */
export function enterFunction({ places }: Tree): string {
  const branches = places
    .filter(({ path }) => path !== "")
    .map(({ path, aliases }) => `    ${[path, ...aliases].map(stepTo).join("|")}) at='${path}' ;;`);
  return ["_msgctl_enter() {", '  case "$at $word" in', ...branches, "  esac", "}"].join("\n");
}

/** The last word of a path and the place that it is typed at. */
function stepTo(path: string): string {
  return path.includes(" ") ? `'${path}'` : `' ${path}'`;
}

/** `kind` becomes what `flag` takes at `at`, and `offer` the words to choose from. */
export function valueFunction(tree: Tree, offerOf: (words: readonly string[]) => string): string {
  const branch = (pattern: string, takes: Taken) => {
    if (typeof takes === "string") return `    ${pattern}) kind=${takes} ;;`;
    return `    ${pattern}) kind=words; ${offerOf(takes)} ;;`;
  };
  const own = tree.places.flatMap(({ path, flags }) => {
    return flags.filter(takesValue).map(({ names, takes }) => {
      return branch(names.map((name) => `'${path} ${name}'`).join("|"), takes);
    });
  });
  const common = tree.globalFlags.filter(takesValue).map(({ names, takes }) => {
    return branch(names.map((name) => `*' ${name}'`).join("|"), takes);
  });
  return ["_msgctl_value() {", "  kind=''", '  case "$at $flag" in', ...own, ...common, "  esac", "}"].join("\n");
}

/** `offer` becomes what may be typed at `at`. */
export function listFunction(name: string, places: readonly Place[], offerOf: (place: Place) => string): string {
  const branches = places.map((place) => `    '${place.path}') ${offerOf(place)} ;;`);
  return [`${name}() {`, '  case "$at" in', ...branches, "  esac", "}"].join("\n");
}

export function takesValue({ takes }: Flag): boolean {
  return takes !== "nothing";
}
