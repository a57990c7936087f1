import type { Call } from "../../call/connection.ts";
import { type Shown, show } from "../../output/show.ts";
import type { Io } from "../../process/io.ts";
import { createPreview, PREVIEW_OUTPUT } from "./preview.ts";

/** Prints the call instead of making it. */
export async function showPreview(
  call: Call,
  preview: "request" | "curl",
  how: Pick<Shown, "options" | "query" | "isColoured">,
  io: Io,
): Promise<void> {
  const { output, quiet, showSecrets } = how.options;
  const { text, data, remarks } = await createPreview(call, { preview, showSecrets }, io.env);
  if (how.query !== undefined || (output !== "table" && output !== "raw")) {
    return show({ ...how, data, output: PREVIEW_OUTPUT, remarks }, io);
  }
  io.stdout.write(text);
  if (!quiet) for (const remark of remarks) io.stderr.write(`${remark}\n`);
}
