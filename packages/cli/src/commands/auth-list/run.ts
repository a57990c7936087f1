import { readDemoCredential } from "../../call/access/demo-credential.ts";
import { currentProfile, DEMO_PROFILE, findStore, profileNames, profileSettings } from "../../call/access/profiles.ts";
import { openStore } from "../../call/access/store/open-store.ts";
import { environmentRemark } from "../../call/environment-remark.ts";
import type { CommandRun } from "../../model/catalog.ts";
import { openLine } from "../../operation/open-line.ts";

export const runAuthList: CommandRun = async (line, io, context) => {
  const { settings, refuse, print } = await openLine(line, io, context);
  refuse([]);
  const { folder } = settings;
  const current = currentProfile(folder);
  const file = openStore(folder);
  const rows = profileNames(folder).map((profile) => {
    const isInKeychain = findStore(folder, profile) === "keychain";
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
};
