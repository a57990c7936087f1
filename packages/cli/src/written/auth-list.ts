import { openCredentialStore } from "../access/credential-store.ts";
import { readDemoCredential } from "../access/demo-credential.ts";
import { currentProfile, DEMO_PROFILE, profileNames, profileSettings, storeOf } from "../access/profiles.ts";
import { environmentRemark } from "./environment-remark.ts";
import { openLine } from "./open-line.ts";
import type { WrittenRun } from "./written-command.ts";

export const runAuthList: WrittenRun = async (line, io, context) => {
  const { settings, refuse, print } = await openLine(line, io, context);
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
};
