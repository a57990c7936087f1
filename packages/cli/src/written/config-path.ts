import { configPath } from "./definitions/config-path.ts";
import { openLine } from "./open-line.ts";
import type { WrittenRun } from "./written-command.ts";

export const runConfigPath: WrittenRun = async (line, io, context) => {
  const { settings, refuse, print } = await openLine(configPath, line, io, context);
  refuse([]);
  await print(settings.folder);
};
