/** What of msgctl a command loads, by the source that the bytes come from. */
import { basename } from "node:path";
import { librariesIn } from "../../e2e/bundled-libraries.ts";
import { runAndListFiles } from "../../e2e/loaded-files.ts";
import type { Metafile } from "../built-package.ts";
import { ownProgram } from "./own-package.ts";

export interface Loading {
  readonly files: readonly { readonly name: string; readonly bytes: number }[];
  readonly bytes: number;
  /** Of inquirer, yaml, JMESPath and the contract's schemas. */
  readonly libraryBytes: number;
  /** Of our own code that writes tables, CSV or YAML, where the command writes another form. */
  readonly unusedFormatBytes: number;
}

/** What a bundle's every start needs of others' code; all else of node_modules is a library that is loaded when used. */
const NEEDED = /node_modules\/(commander|openapi-fetch)\//;
const LIBRARY = /(^|\/)node_modules\/|^packages\/contract\//;
const FORMAT = /^packages\/cli\/src\/output\/(table|csv|yaml)\.ts$/;

/** Runs msgctl once. `format` is the form in which it writes data, if it writes any. */
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
  // the contract's schemas lie beside the bundle, as data
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
