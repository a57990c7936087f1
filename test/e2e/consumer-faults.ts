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

/** Every fault of the programs, named below `folder`; empty when they compile. */
export function consumerFaults(programs: readonly string[], folder: string): string {
  return ts.formatDiagnostics(ts.getPreEmitDiagnostics(ts.createProgram(programs, OPTIONS)), {
    getCanonicalFileName: (name) => name,
    getCurrentDirectory: () => folder,
    getNewLine: () => "\n",
  });
}
