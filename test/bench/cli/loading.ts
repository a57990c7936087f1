/** Size of the code that a command of msgctl loads, by where the code comes from. */
import { basename } from "node:path";
import { librariesIn } from "../../e2e/bundled-libraries.ts";
import { runAndListFiles } from "../../e2e/loaded-files.ts";
import type { Metafile } from "../built-package.ts";
import { ownProgram } from "./own-package.ts";

export interface Loading {
  readonly files: readonly { readonly name: string; readonly bytes: number }[];
  readonly bytes: number;
  /** Bytes of inquirer, yaml, JMESPath and the contract's schemas. */
  readonly libraryBytes: number;
  /** Bytes of our own code for tables, CSV or YAML that is loaded although the command writes another format. */
  readonly unusedFormatBytes: number;
}

/** Third-party code that every start needs. Other packages are loaded on first use. */
const NEEDED = /node_modules\/(commander|openapi-fetch)\//;
const LIBRARY = /(^|\/)node_modules\/|^packages\/contract\//;
const FORMAT = /^packages\/cli\/src\/output\/(table|csv|yaml)\.ts$/;

/** Runs msgctl once. `format` is the format of its data, if it writes any. */
export async function measureLoading(
  metafile: Metafile,
  args: readonly string[],
  { cwd, env, format }: { cwd: string; env: Readonly<Record<string, string>>; format?: string | undefined },
): Promise<Loading> {
  const { exitCode, stderr, files } = await runAndListFiles(ownProgram, args, { cwd, env });
  if (exitCode !== 0) throw new Error(`msgctl ${args.join(" ")} ended with ${exitCode}: ${stderr}`);
  const names = new Set(files.map(({ path }) => basename(path)));
  const sources = Object.entries(metafile.outputs)
    .filter(([output]) => names.has(basename(output)))
    .flatMap(([, { inputs }]) => Object.entries(inputs));
  const bytesOf = (isMeant: (source: string) => boolean) =>
    sources.reduce((sum, [source, { bytesInOutput }]) => sum + (isMeant(source) ? bytesInOutput : 0), 0);
  // the contract's schemas are data files next to the bundle
  const dataBytes = files
    .filter(({ path }) => path.endsWith(".json") && librariesIn([path]).length > 0)
    .reduce((sum, { bytes }) => sum + bytes, 0);
  const isUnused = (source: string) => ![undefined, format].includes(FORMAT.exec(source)?.[1]);
  return {
    files: files.map(({ path, bytes }) => ({ name: basename(path), bytes })),
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    libraryBytes: bytesOf((source) => LIBRARY.test(source) && !NEEDED.test(source)) + dataBytes,
    unusedFormatBytes: bytesOf(isUnused),
  };
}
