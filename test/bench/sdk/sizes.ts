/** Size of a client in a bundled program that uses it. */
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import type { Client } from "./clients.ts";

export interface BundleSize {
  readonly minifiedBytes: number;
  readonly gzippedBytes: number;
}

/** Size of the client's first POST, bundled and minified, without Node's own modules. */
export async function measureSize({ firstPost, folder }: Pick<Client, "firstPost" | "folder">): Promise<BundleSize> {
  const { outputFiles } = await build({
    stdin: { contents: firstPost, resolveDir: folder, loader: "js" },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "node",
    target: "es2022",
    write: false,
    legalComments: "none",
    logLevel: "error",
  });
  const code = outputFiles[0]?.contents;
  if (code === undefined) throw new Error("esbuild wrote no bundle");
  return { minifiedBytes: code.length, gzippedBytes: gzipSync(code, { level: 9 }).length };
}
