/** Each script in its own shell, where that is installed. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { catalog } from "../../catalog.ts";
import { OUTPUT_FORMATS } from "../../global-flags.ts";
import { folder, msgctl } from "../../invented/world.ts";

/** Gives what the shell offers for a line whose last word is the one to complete, a line each. */
type Offer = (script: string, line: readonly string[], cwd: string) => string[];

const lines = (text: string) => text.split("\n").filter((line) => line !== "");
const quoted = (words: readonly string[]) => words.map((word) => `'${word}'`).join(" ");

function runShell(argv: readonly string[], cwd: string): string[] {
  const [file = "", ...rest] = argv;
  const { status, stdout, stderr } = spawnSync(file, rest, { cwd, encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
  return lines(stdout);
}

const bash: Offer = (script, line, cwd) => {
  const call = `COMP_WORDS=(${quoted(line)}) COMP_CWORD=${line.length - 1}; _msgctl; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return runShell(["bash", "--norc", "-c", `source ${script}; ${call}`], cwd);
};

/** The functions of the completion system exist only inside a line editor: these print what they are given. */
const ZSH_STUBS = `
compdef() { : }
compset() { IPREFIX=\${PREFIX%%=*}= PREFIX=\${PREFIX#*=} }
_files() { print -l -- \${PREFIX}*(N) }
compadd() { for offered in $offer; do [[ $offered == $PREFIX* ]] && print -r -- $IPREFIX$offered; done }
_describe() { for offered in \${offer%%:*}; do [[ $offered == $PREFIX* ]] && print -r -- $IPREFIX$offered; done }
`;

const zsh: Offer = (script, line, cwd) => {
  const call = `words=(${quoted(line)}); CURRENT=${line.length}; PREFIX=$words[-1]; IPREFIX=; _msgctl; true`;
  return runShell(["zsh", "-f", "-c", `${ZSH_STUBS}\nsource ${script}\n${call}`], cwd);
};

const fish: Offer = (script, line, cwd) => {
  const offered = runShell(["fish", "--no-config", "-c", `source ${script}; complete -C '${line.join(" ")}'`], cwd);
  return offered.map((text) => text.split("\t", 1)[0] ?? "");
};

const powershell: Offer = (script, line, cwd) => {
  const typed = line.join(" ");
  const command = `. ${script}; (TabExpansion2 '${typed}' ${typed.length}).CompletionMatches.CompletionText`;
  return runShell(["pwsh", "-NoProfile", "-Command", command], cwd);
};

describe.each([
  ["bash", "bash", "msgctl.bash", bash],
  ["zsh", "zsh", "_msgctl.zsh", zsh],
  ["fish", "fish", "msgctl.fish", fish],
  ["powershell", "pwsh", "msgctl.ps1", powershell],
] as const)("completion %s", (shell, program, file, offer) => {
  const isInstalled = spawnSync(program, ["--version"]).status === 0;

  it.for<readonly [line: string[], offered: string[]]>([
    [["msgctl", "se"], ["send"]],
    [["msgctl", "doc"], ["doctor"]],
    [["msgctl", "send", "s"], ["sms"]],
    [["msgctl", "send", "sms", "--ty"], ["--type"]],
    [["msgctl", "send", "sms", "--dry"], ["--dry-run"]],
    [["msgctl", "send", "sms", "--type", "O"], ["OTP"]],
    [["msgctl", "send", "sms", "--type=O"], ["--type=OTP"]],
    [["msgctl", "send", "sms", "--to", "send", "--type", "O"], ["OTP"]],
    [["msgctl", "-o", "j"], OUTPUT_FORMATS.filter((format) => format.startsWith("j"))],
    [["msgctl", "--profile", "send", "send", "vo"], ["voice"]],
    [["msgctl", "send", "call", "--merch"], ["--merchant-id"]],
    [["msgctl", "send", "sms", "--to", "s"], []],
    [["msgctl", "completion", "f"], ["fish"]],
    [["msgctl", "help", "ex"], ["exit-codes"]],
    [["msgctl", "help", "send", "sm"], ["sms"]],
    [["msgctl", "schema", "tts", "cr"], ["create"]],
    [["msgctl", "api", "GET", "/x", "--body-file", "pay"], ["payload.json"]],
  ])("offers for %j", async ([line, offered], { skip }) => {
    if (!isInstalled) skip(`${program} is not installed`);
    const cwd = folder();
    const { stdout } = await msgctl(["completion", shell], { catalog });
    writeFileSync(join(cwd, file), stdout);
    writeFileSync(join(cwd, "payload.json"), "{}");
    expect(offer(`./${file}`, line, cwd).sort()).toEqual([...offered].sort());
  });
});
