import { openLine } from "./open-line.ts";
import type { WrittenRun } from "./written-command.ts";

export const runConfigPath: WrittenRun = async (line, io, context) => {
  const { settings, refuse, print } = await openLine(line, io, context);
  refuse([]);
  await print(settings.folder);
};
