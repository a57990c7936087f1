import { openCredentialStore } from "../access/credential-store.ts";
import { readDemoCredential } from "../access/demo-credential.ts";
import { currentProfile, DEMO_PROFILE, profileNames, profileSettings } from "../access/profiles.ts";
import { authList } from "./definitions/auth-list.ts";
import { environmentRemark } from "./environment-remark.ts";
import { openLine } from "./open-line.ts";
import type { WrittenRun } from "./written-command.ts";

export const runAuthList: WrittenRun = async (line, io, context) => {
  const { settings, refuse, print } = await openLine(authList, line, io, context);
  refuse([]);
  const { folder } = settings;
  const current = currentProfile(folder);
  const store = openCredentialStore(folder);
  const rows = profileNames(folder).map((profile) => ({
    profile,
    current: profile === current,
    baseUrl: profileSettings(folder, profile).baseUrl ?? null,
    credential: store.read(profile) !== undefined,
  }));
  const demo = readDemoCredential(io.cwd);
  if (demo !== undefined) {
    const { baseUrl } = demo;
    rows.push({ profile: DEMO_PROFILE, current: current === DEMO_PROFILE, baseUrl, credential: true });
  }
  await print(rows, environmentRemark(settings));
};
