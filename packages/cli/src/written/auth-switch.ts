import { changeFolder } from "../access/folder-lock.ts";
import { DEMO_PROFILE, refuseUnknownProfile, writeCurrent } from "../access/profiles.ts";
import type { Output } from "../record.ts";
import { environmentRemark } from "./environment-remark.ts";
import { openLine } from "./open-line.ts";
import type { WrittenCommand } from "./written-command.ts";

const OUTPUT: Output = { kind: "object", columns: ["current"], fields: ["current"], secrets: [] };

export const authSwitch: WrittenCommand = {
  words: "auth switch",
  description: "Makes a profile the current one: every command uses it that is not told otherwise.",
  arguments: [{ name: "profile", description: "Name of the profile; demo is the demo server of the present folder." }],
  flags: [],
  output: OUTPUT,
  examples: [{ title: "Work with another service", argv: ["auth", "switch", "staging"] }],
  async run(line, io, context) {
    const { settings, refuse, print } = await openLine({ words: "auth switch", output: OUTPUT }, line, io, context);
    refuse([]);
    const { folder } = settings;
    const profile = line.arguments.get("profile") ?? "";
    await changeFolder(folder, io.signal, () => {
      if (profile !== DEMO_PROFILE) refuseUnknownProfile(folder, profile);
      writeCurrent(folder, profile);
    });
    const remarks = environmentRemark(settings);
    await print({ current: profile }, remarks);
  },
};
