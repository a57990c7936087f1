import type { Output } from "../record.ts";
import { openLine } from "./open-line.ts";
import type { WrittenRun } from "./written-command.ts";

const OUTPUT: Output = { kind: "text", columns: [], fields: [], secrets: [] };

export const runConfigPath: WrittenRun = async (line, io, context) => {
  const { settings, refuse, print } = await openLine({ words: "config path", output: OUTPUT }, line, io, context);
  refuse([]);
  await print(settings.folder);
};
