// The commands of docs/other-tools.md, by the package that they run, so that tests run exactly the printed commands.

import { readFileSync } from "node:fs";
import { blocksOf } from "./markdown.ts";

export interface ToolCommand {
  readonly version: string;
  readonly args: readonly string[];
}

export const toolPage = readFileSync(new URL("../../docs/other-tools.md", import.meta.url), "utf8");

const lines = blocksOf(toolPage)
  .filter(({ language }) => language === "sh")
  .flatMap(({ text }) => text.trimEnd().split("\n"));

/** Every line of the page's shell blocks. */
export const toolCommands = lines.map((line): ToolCommand & { name: string; line: string } => {
  const [, name, version, rest] = /^npx ((?:@[\w-]+\/)?[\w-]+)@(\d+\.\d+\.\d+(?:-[\d.]+)?) (.+)$/.exec(line) ?? [];
  if (name === undefined || version === undefined || rest === undefined || /["'$|]/.test(rest)) {
    throw new Error(`not a command of one tool in one version: ${line}`);
  }
  return { name, version, args: rest.split(" "), line };
});

/** The first command of a package. */
export function commandOf(name: string): ToolCommand {
  const command = toolCommands.find((one) => one.name === name);
  if (command === undefined) throw new Error(`docs/other-tools.md has no command of ${name}`);
  return command;
}
