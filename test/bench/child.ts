/** Starts fresh Node processes without the bench's TypeScript loader, which would be part of the measurement. */
import { execFileSync } from "node:child_process";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/**
 * Writes a script into a folder from which its bare imports resolve to the built packages. The bench's own loader would
 * resolve them to the sources. Returns the script's path.
 */
export async function placeScript(script: URL, folder: string): Promise<string> {
  const outfile = join(folder, `${basename(script.pathname, ".ts")}.mjs`);
  await build({
    entryPoints: [fileURLToPath(script)],
    outfile,
    external: ["@msgctl/*"],
    packages: "external",
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    logLevel: "error",
  });
  return outfile;
}

/** Runs a script and reads the JSON that it prints. */
export function runScript<Result>(script: string, argument: unknown): Result {
  const output = execFileSync(process.execPath, ["--expose-gc", script, JSON.stringify(argument)], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { PATH: process.env.PATH },
  });
  return JSON.parse(output.toString()) as Result;
}
