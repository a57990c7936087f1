import { takesValue } from "./case-tables.ts";
import type { Flag, Tree, Word } from "./tree.ts";

/** The script for fish 3 and newer. Everything in it is built into fish. */
export function fishScript(tree: Tree): string {
  return `# Completion of msgctl for fish. In ~/.config/fish/completions/msgctl.fish, or: msgctl completion fish | source

function __msgctl_enter --argument-names at word
    switch "$at $word"
${tree.places
  .filter(({ path }) => path !== "")
  .map(({ path, aliases }) => {
    const steps = [path, ...aliases].map((step) => quoted(step.includes(" ") ? step : ` ${step}`));
    return branch(steps, `echo ${quoted(path)}`);
  })
  .join("\n")}
        case '*'
            echo "$at"
    end
end

# What a flag takes: the first line is file, text or words, the words follow.
function __msgctl_value --argument-names at flag
    switch "$at $flag"
${[
  ...tree.places.flatMap(({ path, flags }) => flags.filter(takesValue).map((flag) => valueBranch(flag, `${path} `))),
  ...tree.globalFlags.filter(takesValue).map((flag) => valueBranch(flag, "* ")),
].join("\n")}
    end
end

function __msgctl_words --argument-names at
    switch "$at"
${tree.places
  .filter(({ words }) => words.length > 0)
  .map(({ path, words }) => branch([quoted(path)], printed(words)))
  .join("\n")}
    end
end

function __msgctl_flags --argument-names at
    switch "$at"
${tree.places
  .filter(({ flags }) => flags.length > 0)
  .map(({ path, flags }) => branch([quoted(path)], printed(flagWords(flags))))
  .join("\n")}
    end
    ${printed(flagWords(tree.globalFlags))}
end

function __msgctl_complete
    set -l before (commandline -opc)
    set -e before[1]
    set -l current (commandline -ct)
    set -l at ''
    set -l flag ''
    set -l value
    for word in $before
        if test -n "$flag"
            set flag ''
            continue
        end
        switch "$word"
            case '-*=*'
            case '-*'
                set value (__msgctl_value "$at" "$word")
                test (count $value) -gt 0; and set flag "$word"
            case '*'
                set at (__msgctl_enter "$at" "$word")
        end
    end
    set -l prefix ''
    if test -z "$flag"; and string match -q -- '-*=*' "$current"
        set flag (string split -m 1 = -- "$current")[1]
        set value (__msgctl_value "$at" "$flag")
        set prefix "$flag="
    end
    if test -z "$flag"
        if string match -q -- '-*' "$current"
            __msgctl_flags "$at"
        else
            __msgctl_words "$at"
        end
    else if test "$value[1]" = words
        printf '%s\\n' $prefix$value[2..-1]
    else if test "$value[1]" = file
        __fish_complete_path (string replace -- "$prefix" '' "$current")
    end
end

complete -c msgctl -f -a '(__msgctl_complete)'
`;
}

function branch(patterns: readonly string[], body: string): string {
  return `        case ${patterns.join(" ")}\n            ${body}`;
}

function valueBranch({ names, takes }: Flag, before: string): string {
  const lines = typeof takes === "string" ? [takes] : ["words", ...takes];
  return branch(
    names.map((name) => quoted(before + name)),
    `printf '%s\\n' ${lines.join(" ")}`,
  );
}

function flagWords(flags: readonly Flag[]): Word[] {
  return flags.flatMap(({ names, description }) => names.map((word) => ({ word, description })));
}

/** A line for each word, with what is said of it behind a tab. */
function printed(words: readonly Word[]): string {
  return `printf '%s\\t%s\\n' ${words.map(({ word, description }) => `${word} ${quoted(description)}`).join(" ")}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
