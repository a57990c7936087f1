import type { CommandRun } from "../../model/catalog.ts";
import { bashScript } from "./bash.ts";
import { fishScript } from "./fish.ts";
import { powershellScript } from "./powershell.ts";
import { SHELLS } from "./shells.ts";
import { readTree, type Tree } from "./tree.ts";
import { zshScript } from "./zsh.ts";

const SCRIPTS: Readonly<Record<(typeof SHELLS)[number], (tree: Tree) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
  powershell: powershellScript,
};

export const runCompletion: CommandRun = async ({ arguments: named }, io, { catalog }) => {
  const shell = SHELLS.find((name) => name === named.get("shell"));
  if (shell !== undefined) io.stdout.write(SCRIPTS[shell](await readTree(catalog)));
};
