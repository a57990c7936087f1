// Bundles the packed SDK into one file for a platform without Node.

import { type BuildOptions, build } from "esbuild";

export interface Bundle {
  readonly text: string;
  /** The source files of the bundle, as paths below `folder`. */
  readonly inputs: readonly string[];
}

/** Bundles a program that imports packages installed in `folder`. Fails if the bundle would need a module of Node. */
export async function bundle(program: string, folder: string, options: BuildOptions): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    ...{ bundle: true, write: false, metafile: true, logLevel: "silent" },
    ...{ absWorkingDir: folder, stdin: { contents: program, resolveDir: folder, sourcefile: "program.js" } },
    ...options,
  });
  return { text: outputFiles?.[0]?.text ?? "", inputs: Object.keys(metafile?.inputs ?? {}) };
}

/** Options for a browser. */
export const forBrowser: BuildOptions = { platform: "browser", format: "iife", target: "es2022" };

/** Options for an edge worker: neither Node nor a browser. */
export const forEdge: BuildOptions = { platform: "neutral", conditions: ["worker"], format: "iife", target: "es2022" };
