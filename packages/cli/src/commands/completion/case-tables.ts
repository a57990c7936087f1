/** Shell functions that walk the command line, shared by bash and zsh. */
import { DEMO_PROFILE } from "../../call/access/profiles.ts";
import { type Flag, type FlagValue, type Place, placesWithWords, type Tree, type Word } from "./tree.ts";

/** Advances `at` if `word` leads to a place from there. */
export function enterFunction({ places }: Tree): string {
  const branches = places
    .filter(({ path }) => path !== "")
    .map(({ path, aliases }) => `    ${[path, ...aliases].map(stepTo).join("|")}) at='${path}' ;;`);
  return ["_msgctl_enter() {", '  case "$at $word" in', ...branches, "  esac", "}"].join("\n");
}

/** The pattern for the last word of a path, typed at the place before it. */
function stepTo(path: string): string {
  return path.includes(" ") ? `'${path}'` : `' ${path}'`;
}

/** Sets `kind` to what `flag` takes at `at`, and `offer` to the words to choose from. */
export function valueFunction(tree: Tree, offerOf: (words: readonly string[]) => string): string {
  const branch = (pattern: string, takes: FlagValue) => {
    if (typeof takes === "string") return `    ${pattern}) kind=${takes} ;;`;
    if ("ids" in takes) return `    ${pattern}) kind=ids; ${offerOf([takes.ids])} ;;`;
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

/** Sets `offer` to what may be typed at `at`; ids only before the first argument. */
export function wordsFunction(tree: Tree, offerOf: (words: readonly Word[]) => string): string {
  return listFunction("_msgctl_words", placesWithWords(tree), ({ words, ids }) => {
    if (ids === undefined) return offerOf(words);
    return `[[ -n $given ]] || { kind=ids; ${offerOf([{ word: ids, description: "" }])}; }`;
  });
}

/**
 * Replaces the kind in `offer` by the ids of that kind, from the file that listed-ids.ts writes. Skips lines with
 * anything but ids, so that nobody who can write the file controls the shell.
 */
export function idsFunction({ none, split, forEachLine }: IdsWords): string {
  const findCurrent = `if [[ $line == '  "current": "'* ]]; then line="\${line#*: \\"}"; profile="\${line%%\\"*}"; break; fi`;
  const takeIds = `if [[ $line == "$wanted "* && $line != *[!A-Za-z0-9._:\\ -]* ]]; then ${split}; fi`;
  return `_msgctl_ids() {
  local line config="\${APPDATA:-$HOME/.config}" ids="\${LOCALAPPDATA:-$HOME/.cache}" wanted="$offer"
  case \${XDG_CONFIG_HOME:-} in /* | [A-Za-z]:[/\\\\]*) config="$XDG_CONFIG_HOME" ;; esac
  case \${XDG_CACHE_HOME:-} in /* | [A-Za-z]:[/\\\\]*) ids="$XDG_CACHE_HOME" ;; esac
  config="$config/msgctl/config.json" ids="$ids/msgctl/ids"
  ${none}
  if [[ -z $profile && -n \${MSGCTL_API_KEY:-} ]]; then profile=environment; fi
  [[ -n $profile ]] || profile="\${MSGCTL_PROFILE:-}"
  if [[ -z $profile && -f $config && -r $config ]]; then
    ${forEachLine("$config", findCurrent)}
  fi
  [[ -n $profile ]] || profile=${DEMO_PROFILE}
  if [[ $profile == *[!A-Za-z0-9._-]* || ! -f $ids/$profile || ! -r $ids/$profile ]]; then return 0; fi
  ${forEachLine("$ids/$profile", takeIds)}
}`;
}

export interface IdsWords {
  /** Empties `offer`. */
  none: string;
  /** Sets `offer` to all words of `line` but the first. */
  split: string;
  /** Runs `body` for each `line` of a file without starting a process. */
  forEachLine(path: string, body: string): string;
}

/** Sets `offer` to what may be typed at `at`. */
export function listFunction(name: string, places: readonly Place[], offerOf: (place: Place) => string): string {
  const branches = places.map((place) => `    '${place.path}') ${offerOf(place)} ;;`);
  return [`${name}() {`, '  case "$at" in', ...branches, "  esac", "}"].join("\n");
}

export function takesValue({ takes }: Flag): boolean {
  return takes !== "nothing";
}
