// Compiles programs as a user of the packages with strict settings would, and returns the errors.

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

/** Returns all errors of the programs and, unless `isAlone`, of their imports. Empty if they compile. */
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
