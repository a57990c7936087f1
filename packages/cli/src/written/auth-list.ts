import { openCredentialStore } from "../access/credential-store.ts";
import { readDemoCredential } from "../access/demo-credential.ts";
import { currentProfile, DEMO_PROFILE, profileNames, profileSettings, storeOf } from "../access/profiles.ts";
import type { Output } from "../record.ts";
import { environmentRemark } from "./environment-remark.ts";
import { openLine } from "./open-line.ts";
import type { WrittenCommand } from "./written-command.ts";

const FIELDS = ["profile", "current", "baseUrl", "credential", "store"];
const OUTPUT: Output = { kind: "list", columns: FIELDS, fields: FIELDS, secrets: [] };

export const authList: WrittenCommand = {
  words: "auth list",
  description:
    "Lists the profiles of this machine, which of them is the current one, and whether each has a credential and in " +
    "which store; the demo server of this folder stands among them. A keychain is not opened for it: `auth status` does that.",
  arguments: [],
  flags: [],
  examples: [{ title: "Which profiles are there?", argv: ["auth", "list"] }],
  async run(line, io, context) {
    const { settings, refuse, print } = await openLine({ words: "auth list", output: OUTPUT }, line, io, context);
    refuse([]);
    const { folder } = settings;
    const current = currentProfile(folder);
    const file = openCredentialStore(folder);
    const rows = profileNames(folder).map((profile) => {
      const isInKeychain = storeOf(folder, profile) === "keychain";
      const store = isInKeychain ? "keychain" : file.read(profile) === undefined ? null : file.kind;
      return {
        profile,
        current: profile === current,
        baseUrl: profileSettings(folder, profile).baseUrl ?? null,
        credential: store !== null,
        store,
      };
    });
    const demo = readDemoCredential(io.cwd);
    if (demo !== undefined) {
      const { baseUrl } = demo;
      rows.push({ profile: DEMO_PROFILE, current: current === DEMO_PROFILE, baseUrl, credential: true, store: "file" });
    }
    await print(rows, environmentRemark(settings));
  },
};
