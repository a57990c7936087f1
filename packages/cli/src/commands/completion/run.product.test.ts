/** Tests each script in its shell, if the shell is installed. */
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { catalog } from "../../catalog.ts";
import { OUTPUT_FORMATS } from "../../flags/global-flags.ts";
import { folder, msgctl } from "../../testing/world.ts";

/** Returns the words that the shell offers for the last word of a line, one per line. */
type Offer = (script: string, line: readonly string[], cwd: string) => string[];

const lines = (text: string) => text.split("\n").filter((line) => line !== "");
const quoted = (words: readonly string[]) => words.map((word) => `'${word}'`).join(" ");

function runShell(argv: readonly string[], cwd: string): string[] {
  const [file = "", ...rest] = argv;
  // Hide the developer's profiles, ids and start files.
  const env = { PATH: process.env.PATH, HOME: cwd };
  const { status, stdout, stderr } = spawnSync(file, rest, { cwd, env, encoding: "utf8", timeout: 100_000 });
  expect([status, stderr]).toEqual([0, ""]);
  return lines(stdout);
}

const bash: Offer = (script, line, cwd) => {
  const call = `COMP_WORDS=(${quoted(line)}) COMP_CWORD=${line.length - 1}; _msgctl; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return runShell(["bash", "--norc", "-c", `source ${script}; ${call}`], cwd);
};

/** Replacements for functions of zsh that exist only inside its line editor. They print their arguments. */
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

  async function offers(line: readonly string[], files: Readonly<Record<string, string>>): Promise<string[]> {
    const cwd = folder();
    const { stdout } = await msgctl(["completion", shell], { catalog });
    for (const [path, text] of Object.entries({ ...files, [file]: stdout })) {
      mkdirSync(dirname(join(cwd, path)), { recursive: true });
      writeFileSync(join(cwd, path), text);
    }
    return offer(`./${file}`, line, cwd).sort();
  }

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
    [["msgctl", "send", "bulk", "pay"], ["payload.json"]],
    [["msgctl", "send", "bulk", "--channel", "SMS", "pay"], ["payload.json"]],
    [["msgctl", "consent", "import", "pay"], ["payload.json"]],
    [["msgctl", "registration", "apply", "pay"], ["payload.json"]],
    [["msgctl", "auth", "login", "--api-secret-file", "pay"], ["payload.json"]],
    [["msgctl", "merchants", "list", "--out", "pay"], ["payload.json"]],
    [["msgctl", "listen", "--secret-file", "pay"], ["payload.json"]],
    // only the first argument is completed
    [["msgctl", "send", "bulk", "list.csv", "pay"], []],
    [["msgctl", "config", "set", "o"], ["output"]],
    [["msgctl", "config", "get", "base"], ["baseUrl"]],
    [["msgctl", "config", "set", "output", "o"], []],
    [["msgctl", "schema", "send", "b"], ["bulk"]],
  ])("offers words for %j", async ([line, offered], { skip }) => {
    if (!isInstalled) skip(`${program} is not installed`);
    expect(await offers(line, { "payload.json": "{}" })).toEqual([...offered].sort());
  });

  const ids = {
    ".cache/msgctl/ids/demo": "# demo\nmerchantId shop-1 shop:2 s.3\nbatchId batch_1\n",
    ".cache/msgctl/ids/prod": "# prod\nmerchantId sold-9\n",
  };
  const isProd = { ".config/msgctl/config.json": JSON.stringify({ current: "prod", profiles: {} }, null, 2) };

  it.for<readonly [line: string[], files: Record<string, string>, offered: string[]]>([
    [["msgctl", "merchants", "get", "s"], ids, ["s.3", "shop-1", "shop:2"]],
    [["msgctl", "merchants", "get", "s"], { ...ids, ...isProd }, ["sold-9"]],
    [["msgctl", "--profile", "demo", "merchants", "get", "sh"], { ...ids, ...isProd }, ["shop-1", "shop:2"]],
    [["msgctl", "send", "sms", "--type", "OTP", "--merchant-id", "shop-"], ids, ["shop-1"]],
    [["msgctl", "send", "sms", "--merchant-id=shop-"], ids, ["--merchant-id=shop-1"]],
    [["msgctl", "tts", "summary", "b"], ids, ["batch_1"]],
    [["msgctl", "tts", "watch", "b"], ids, ["batch_1"]],
    [["msgctl", "registration", "wait", "shop-"], ids, ["shop-1"]],
    [["msgctl", "consent", "check", "--merchant-id", "shop-"], ids, ["shop-1"]],
    [["msgctl", "alerts", "tail", "--merchant-id", "shop-"], ids, ["shop-1"]],
    // only the first argument is an id
    [["msgctl", "merchants", "get", "shop-1", "s"], ids, []],
    [["msgctl", "tts", "get", "s"], ids, []],
    [["msgctl", "merchants", "get", "s"], {}, []],
    [["msgctl", "--profile", "../demo", "merchants", "get", "s"], ids, []],
  ])("offers ids for %j", async ([line, files, offered], { skip }) => {
    if (!isInstalled) skip(`${program} is not installed`);
    expect(await offers(line, files)).toEqual([...offered].sort());
  });

  const profiles = {
    ".config/msgctl/config.json": `${JSON.stringify(
      {
        current: "prod",
        profiles: {
          prod: { baseUrl: "https://api.example.com", store: "file" },
          "p.staging-2": {},
          "p$(touch bad)": {},
          "p q": { baseUrl: "https://x" },
        },
        others: { personal: {} },
      },
      null,
      2,
    )}\n`,
  };

  it.for<readonly [line: string[], offered: string[]]>([
    [
      ["msgctl", "--profile", "p"],
      ["p.staging-2", "prod"],
    ],
    [["msgctl", "--profile=pr"], ["--profile=prod"]],
    [["msgctl", "merchants", "list", "--profile", "p.s"], ["p.staging-2"]],
    [
      ["msgctl", "auth", "switch", "p"],
      ["p.staging-2", "prod"],
    ],
    [["msgctl", "auth", "logout", "--profile", "pr"], ["prod"]],
    [["msgctl", "auth", "switch", "prod", "p"], []],
  ])("offers profiles for %j", async ([line, offered], { skip }) => {
    if (!isInstalled) skip(`${program} is not installed`);
    expect(await offers(line, profiles)).toEqual([...offered].sort());
  });

  it("never runs commands that somebody wrote into the file of ids", async ({ skip }) => {
    if (!isInstalled) skip(`${program} is not installed`);
    const hostile = ["s$(touch bad)", "s`touch bad`", "s;touch", "s*", "s'", 's"', "s\\", "s\u001b[31m"];
    for (const id of hostile) {
      const path = ".cache/msgctl/ids/demo";
      const files = { [path]: `merchantId shop-1 ${id}\nmerchantId ${id} shop-1\n`, sfile: "" };
      expect(await offers(["msgctl", "merchants", "get", "s"], files)).toEqual([]);
    }
  });
});

describe("completion zsh at a terminal", () => {
  const isInstalled = spawnSync("zsh", ["--version"]).status === 0;
  // runs the command line that TAB has completed, and prints it
  const session = (typed: string) => `
zmodload zsh/zpty
zpty shell 'zsh -f -i'
zpty -w shell 'PS1=; autoload -U compinit; compinit -u -D; source ./_msgctl.zsh; msgctl() { print -r -- "<<$*>>" }; print RE''ADY'
zpty -r -m shell seen '*READY*'
zpty -w -n shell $'${typed}\\t\\n'
zpty -r -m shell seen '*<<*>>*'
print -r -- "\${\${seen#*<<}%%>>*}"
zpty -d shell
`;

  it.for<readonly [typed: string, became: string]>([
    ["msgctl merchants get sho", "merchants get shop-1"],
    ["msgctl send sms --typ", "send sms --type"],
    ["msgctl send sms --merchant-id=sh", "send sms --merchant-id=shop-1"],
    ["msgctl doct", "doctor"],
    ["msgctl send bulk lis", "send bulk list.csv"],
    ["msgctl auth switch pro", "auth switch prod"],
  ])("completes %j", async ([typed, became], { skip }) => {
    if (!isInstalled) skip("zsh is not installed");
    const cwd = folder();
    const { stdout } = await msgctl(["completion", "zsh"], { catalog });
    writeFileSync(join(cwd, "_msgctl.zsh"), stdout);
    mkdirSync(join(cwd, ".cache/msgctl/ids"), { recursive: true });
    writeFileSync(join(cwd, ".cache/msgctl/ids/demo"), "merchantId shop-1\n");
    mkdirSync(join(cwd, ".config/msgctl"), { recursive: true });
    const config = { profiles: { prod: { output: "json" } } };
    writeFileSync(join(cwd, ".config/msgctl/config.json"), JSON.stringify(config, null, 2));
    writeFileSync(join(cwd, "list.csv"), "");
    expect(runShell(["zsh", "-f", "-c", session(typed)], cwd).map((text) => text.trim())).toEqual([became]);
  });
});
