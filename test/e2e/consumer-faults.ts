// What the compiler says of programs as a strict user of the packages compiles them.

import ts from "typescript";

const OPTIONS: ts.CompilerOptions = {
  module: ts.ModuleKind.Node16,
  moduleResolution: ts.ModuleResolutionKind.Node16,
  target: ts.ScriptTarget.ES2022,
  lib: ["lib.es2023.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
  types: [],
};

/** Every fault of the programs and, unless they are to be checked alone, of what they import; empty when they compile. */
export function consumerFaults(programs: readonly string[], folder: string, { isAlone = false } = {}): string {
  const compiled = ts.createProgram(programs, OPTIONS);
  const checked = isAlone ? programs.map((file) => compiled.getSourceFile(file)) : [undefined];
  const faults = checked.flatMap((file) => ts.getPreEmitDiagnostics(compiled, file));
  return ts.formatDiagnostics(faults, {
    getCanonicalFileName: (name) => name,
    getCurrentDirectory: () => folder,
    getNewLine: () => "\n",
  });
}
