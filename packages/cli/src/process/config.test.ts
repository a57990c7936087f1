import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { readSettings } from "./config.ts";

const HOME = resolve("/home/ada");
const base = resolve("/srv/base");

it.each([
  ["an absolute path", base, join(base, "msgctl"), join(base, "msgctl")],
  ["a relative path, which counts as none", "base", join(HOME, ".config/msgctl"), join(HOME, ".cache/msgctl")],
  ["a dot", ".", join(HOME, ".config/msgctl"), join(HOME, ".cache/msgctl")],
  ["nothing", "", join(HOME, ".config/msgctl"), join(HOME, ".cache/msgctl")],
])("takes its folders from XDG variables that hold %s", (_, path, folder, cacheFolder) => {
  expect(readSettings({ HOME, XDG_CONFIG_HOME: path, XDG_CACHE_HOME: path })).toMatchObject({ folder, cacheFolder });
});

it("falls back to the folders of Windows, which may be set beside a relative one", () => {
  const found = readSettings({ HOME, XDG_CONFIG_HOME: "x", XDG_CACHE_HOME: "x", APPDATA: base, LOCALAPPDATA: base });
  expect(found).toMatchObject({ folder: join(base, "msgctl"), cacheFolder: join(base, "msgctl") });
});
