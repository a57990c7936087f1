import { profileSettings } from "../access/profiles.ts";
import { SETTING_KEYS, settingKey, unknownKeyFault } from "../access/setting-keys.ts";
import type { Output } from "../record.ts";
import { configuredProfile } from "./config-profile.ts";
import { openLine } from "./open-line.ts";
import type { WrittenCommand } from "./written-command.ts";

const OUTPUT: Output = { kind: "text", columns: [], fields: [], secrets: [] };

export const configGet: WrittenCommand = {
  words: "config get",
  description:
    "Prints one setting of the current profile, or of the one that --profile names; nothing when it is not set.",
  arguments: [{ name: "key", description: `Name of the setting: ${SETTING_KEYS.join(", ")}.` }],
  flags: [],
  output: OUTPUT,
  examples: [{ title: "Where do commands go?", argv: ["config", "get", "baseUrl"] }],
  async run(line, io, context) {
    const { settings, options, refuse, print } = await openLine(
      { words: "config get", output: OUTPUT },
      line,
      io,
      context,
    );
    const name = line.arguments.get("key") ?? "";
    const key = settingKey(name);
    refuse(key === undefined ? [unknownKeyFault(name)] : []);
    const value = profileSettings(settings.folder, configuredProfile(options.profile, settings))[name] ?? null;
    if (value !== null || options.output !== "table") {
      await print(value);
    } else if (!options.quiet) io.stderr.write(`${name} is not set.\n`);
  },
};
