// Tests the published types as consumers use them. The examples of every operation must compile under the strictest settings.

import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import ts from "typescript";
import { afterAll, describe, expect, it } from "vitest";
import { routes } from "../../packages/contract/test/document.ts";
import { consumers } from "./consumer.ts";
import { installSdk, packSdk, root } from "./packed.ts";

const strictest: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  verbatimModuleSyntax: true,
  skipLibCheck: false,
  noEmit: true,
};

/** Module resolution of a server with Node's types but not the browser's, and of a bundler with the opposite. */
const resolutions: Readonly<Record<string, ts.CompilerOptions>> = {
  node16: {
    ...{ module: ts.ModuleKind.Node16, moduleResolution: ts.ModuleResolutionKind.Node16 },
    ...{ lib: ["lib.es2023.d.ts"], types: ["node"], typeRoots: [join(root, "node_modules/@types")] },
  },
  bundler: {
    ...{ module: ts.ModuleKind.Preserve, moduleResolution: ts.ModuleResolutionKind.Bundler },
    ...{ lib: ["lib.es2023.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"], types: [] },
  },
};

const { folder, remove } = installSdk();
afterAll(remove);

/** Examples of methods, as an editor shows them with each method. */
const shown = packSdk()
  .files.filter((file) => file.endsWith(".d.ts"))
  .flatMap((file) => examplesIn(readFileSync(join(packSdk().folder, file), "utf8")))
  .filter((example) => /^(const reply = )?await client\./.test(example));

function examplesIn(declarations: string): string[] {
  return [...declarations.matchAll(/^\s*\* @example\n([\s\S]*?)\*\/$/gm)].map(([, lines = ""]) =>
    lines.replace(/^\s*\* ?/gm, "").trim(),
  );
}

const asShown = ['import type { MessagingClient } from "@msgctl/sdk";', "declare const client: MessagingClient;"];
const files = {
  ...consumers,
  "shown.mts": [
    ...asShown,
    ...shown.map((example, index) => `export async function example${index}() {\n${example}\n}`),
  ].join("\n"),
};
for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);

it("every method shows an example", () => expect(shown).toHaveLength(routes.length));

describe.each(Object.entries(resolutions))("with moduleResolution %s", (_, options) => {
  const names = Object.keys(files);
  const program = ts.createProgram(
    names.map((name) => join(folder, name)),
    { ...strictest, ...options },
  );
  // includes errors of the declarations, because skipLibCheck is off
  const faults = ts.getPreEmitDiagnostics(program).map(described);

  it.each(names)("%s compiles", (name) => {
    expect(faults.filter((fault) => fault.startsWith(`${name}:`))).toEqual([]);
  });

  it("no declaration has an error", () => {
    expect(faults.filter((fault) => !names.some((name) => fault.startsWith(`${name}:`)))).toEqual([]);
  });

  it("the types are those of the import condition", () => {
    const loaded = program.getSourceFiles().map(({ fileName }) => fileName.slice(folder.length + 1));
    for (const entry of ["index", "webhooks"]) {
      expect(loaded).toContain(`node_modules/@msgctl/sdk/dist/${entry}.d.ts`);
      expect(loaded).toContain(`node_modules/@msgctl/sdk/dist/${entry}.d.cts`);
    }
  });
});

describe.each(["index", "webhooks"])("%s", (entry) => {
  it.each(["js", "cjs"])("declares exactly the values that its .%s exports", async (ending) => {
    const built = join(folder, "node_modules/@msgctl/sdk/dist", entry);
    const file = `${built}.d.${ending === "js" ? "ts" : "cts"}`;
    const program = ts.createProgram([file], { ...strictest, ...resolutions.bundler });
    const checker = program.getTypeChecker();
    const source = program.getSourceFile(file);
    const module = source && checker.getSymbolAtLocation(source);
    if (source === undefined || module === undefined) throw new Error(`${file} declares no module`);
    const type = checker.getTypeOfSymbolAtLocation(module, source);
    const declared = checker
      .getExportsOfModule(module)
      .map(({ name }) => name)
      .filter((name) => type.getProperty(name) !== undefined);
    const exported = ending === "js" ? await import(`${built}.js`) : createRequire(import.meta.url)(`${built}.cjs`);
    expect(declared.sort()).toEqual(Object.keys(exported).sort());
  });
});

function described({ file, start, messageText }: ts.Diagnostic): string {
  const text = ts.flattenDiagnosticMessageText(messageText, "\n");
  if (file === undefined || start === undefined) return text;
  const { line } = file.getLineAndCharacterOfPosition(start);
  return `${file.fileName.replace(`${folder}/`, "")}:${line + 1}: ${text}\n${file.text.split("\n")[line]?.slice(0, 200)}`;
}
