import { GenerationError } from "./faults.ts";
import { compareFiles, type Drift, type GeneratedFiles, writeFiles } from "./generated-files.ts";

/** Renders files, possibly from files that earlier stages have written. */
export type Stage = () => Promise<GeneratedFiles>;

/**
 * Runs the stages one after another. Writes their files and prints the paths. If `isCheck`, only compares the files with
 * those on disk and prints the differences; a stage then reads the files of earlier stages from disk. Prints faults.
 *
 * @returns the exit code
 */
export async function run(
  root: string,
  stages: readonly Stage[],
  isCheck: boolean,
  output: Pick<Console, "log" | "error"> = console,
): Promise<number> {
  const drifts: Drift[] = [];
  try {
    for (const render of stages) {
      const made = await render();
      if (isCheck) drifts.push(...(await compareFiles(root, made)));
      else {
        await writeFiles(root, made);
        for (const path of made.files.keys()) output.log(path);
      }
    }
  } catch (error) {
    if (!(error instanceof GenerationError)) throw error;
    output.error(`${error.message}\n\nNothing was written: ${counted(error.faults.length, "fault")} in openapi.yaml.`);
    return 1;
  }
  if (drifts.length === 0) return 0;
  for (const { path, kind } of drifts) output.error(`${kind.padEnd(8)} ${path}`);
  output.error("\nGenerated files differ from their sources: run `npm run generate` and commit what it changes.");
  return 1;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
