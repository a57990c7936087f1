/** Checks of the scripts that need no shell. */
import { describe, expect, it } from "vitest";
import { catalog } from "../../catalog.ts";
import { msgctl } from "../../testing/world.ts";
import { readTree } from "./tree.ts";

/** Removes comments and quoted texts from a script. */
function withoutQuotes(script: string, shell: string): string {
  const texts = {
    bash: /'[^']*'|"(?:\\.|[^"\\])*"/g,
    zsh: /'[^']*'|"(?:\\.|[^"\\])*"/g,
    fish: /'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"/g,
    powershell: /'(?:''|[^'])*'|"[^"]*"/g,
  }[shell];
  if (texts === undefined) throw new Error(`How are texts quoted in ${shell}?`);
  return script
    .replace(/^\s*#.*$/gm, "")
    .replace(/\\'/g, (quote) => (shell === "fish" ? quote : ""))
    .replace(texts, "");
}

describe.each(["bash", "zsh", "fish", "powershell"])("the script for %s, without a shell", (shell) => {
  it("has every command, flag and value of msgctl, and the name of each id that it completes", async () => {
    const { stdout } = await msgctl(["completion", shell], { catalog });
    const tree = await readTree(catalog);
    expect(tree.places.length).toBeGreaterThan(50);
    for (const { path, words, flags, first } of tree.places) {
      expect(stdout).toContain(`'${path}'`);
      for (const { word } of words) expect(stdout).toContain(word);
      for (const { names } of flags) for (const name of names) expect(stdout).toContain(name);
      if (typeof first === "object") expect(stdout).toContain(first.ids);
    }
    expect(tree.places.find(({ path }) => path === "merchants get")?.first).toEqual({ ids: "merchantId" });
    const takes = tree.places.find(({ path }) => path === "send sms")?.flags.map((flag) => flag.takes);
    expect(takes).toContainEqual({ ids: "merchantId" });
  });

  it("closes all quotes and brackets, and starts no process", async () => {
    const { stdout } = await msgctl(["completion", shell], { catalog });
    const bare = withoutQuotes(stdout, shell);
    const count = (text: string) => bare.split(text).length - 1;
    const words = (pattern: RegExp) => bare.match(pattern)?.length ?? 0;
    expect(bare).not.toMatch(/['"]/);
    expect([count("{"), count("[[ "), words(/\bdo\b/g)]).toEqual([count("}"), count(" ]]"), words(/\bdone\b/g)]);
    expect(bare).not.toMatch(/`|\b(?:cat|sed|awk|grep|node|eval|Start-Process|Invoke-Expression)\b/);
  });
});

it("completes `schema` only with commands that have a schema, and truncates no description", async () => {
  const { places, globalFlags } = await readTree(catalog);
  const refused: string[] = [];
  for (const { path, words } of places.filter(({ path }) => path.startsWith("schema "))) {
    for (const { word } of words) {
      const ended = await msgctl([...path.split(" "), word], { catalog });
      if (ended.exitCode !== 0) refused.push(`${path} ${word}`);
    }
  }
  expect(refused).toEqual([]);
  expect(globalFlags.find(({ names }) => names.includes("--no-input"))?.description).toBe(
    "Never ask; fail if a value is missing.",
  );
});
