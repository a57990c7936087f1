import { syncBuiltinESMExports } from "node:module";
import os from "node:os";
import { join, resolve } from "node:path";
import { expect, it, vi } from "vitest";
import { hasColour, isLineByLine, readSettings } from "./config.ts";

const HOME = resolve("/home/ada");
const base = resolve("/srv/base");

it.each([
  ["an absolute path", base, join(base, "msgctl"), join(base, "msgctl")],
  ["a relative path, which counts as none", "base", join(HOME, ".config/msgctl"), join(HOME, ".cache/msgctl")],
  ["a dot", ".", join(HOME, ".config/msgctl"), join(HOME, ".cache/msgctl")],
  ["nothing", "", join(HOME, ".config/msgctl"), join(HOME, ".cache/msgctl")],
])("finds its folders if the XDG variables hold %s", (_, path, folder, cacheFolder) => {
  expect(readSettings({ HOME, XDG_CONFIG_HOME: path, XDG_CACHE_HOME: path })).toMatchObject({ folder, cacheFolder });
});

it("falls back to the Windows folders, even if an XDG variable has a relative path", () => {
  const found = readSettings({ HOME, XDG_CONFIG_HOME: "x", XDG_CACHE_HOME: "x", APPDATA: base, LOCALAPPDATA: base });
  expect(found).toMatchObject({ folder: join(base, "msgctl"), cacheFolder: join(base, "msgctl") });
});

it("works for a user without a name and a home", () => {
  vi.spyOn(os, "homedir").mockImplementation(() => {
    throw Object.assign(new Error("uv_os_homedir returned ENOENT"), { code: "ERR_SYSTEM_ERROR" });
  });
  syncBuiltinESMExports();
  try {
    const found = readSettings({ MSGCTL_API_KEY: "key" });
    expect(found).toMatchObject({ apiKey: "key", folder: "/.config/msgctl", cacheFolder: "/.cache/msgctl" });
  } finally {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  }
});

it("reads the variables of proxies in either case", () => {
  expect(readSettings({ NO_PROXY: "*" }).proxies).toBeUndefined();
  const env = {
    HTTPS_PROXY: "http://upper",
    https_proxy: "http://lower",
    http_proxy: "",
    HTTP_PROXY: "h",
    no_proxy: "a",
  };
  expect(readSettings(env).proxies).toEqual({
    http: { variable: "HTTP_PROXY", text: "h" },
    https: { variable: "https_proxy", text: "http://lower" },
    all: undefined,
    none: "a",
  });
});

it.each<[Record<string, string>, boolean, boolean]>([
  [{ TERM: "xterm" }, false, true],
  [{ CLICOLOR_FORCE: "1" }, true, true],
  [{ CLICOLOR_FORCE: "0", TERM: "xterm" }, false, true],
  [{ CLICOLOR_FORCE: "1", NO_COLOR: "1" }, false, false],
  [{ CLICOLOR_FORCE: "1", FORCE_COLOR: "0" }, false, false],
])("decides about colour with %j: in a file %s, on a terminal %s", (env, file, terminal) => {
  const sink = (isTTY: boolean) => ({ isTTY, columns: 80, write: () => {} });
  expect([hasColour(env, sink(false)), hasColour(env, sink(true))]).toEqual([file, terminal]);
});

it.each<[Record<string, string>, boolean]>([
  [{ TERM: "xterm", LANG: "C.UTF-8" }, false],
  [{ TERM: "xterm", LC_ALL: "", LANG: "POSIX" }, true],
  [{ TERM: "xterm", LC_ALL: "en_US.UTF-8", LANG: "C" }, false],
  [{ TERM: "dumb", LANG: "en_US.UTF-8" }, true],
])("treats a terminal of %j as line by line: %s", (env, isPlain) => {
  expect(isLineByLine(env)).toBe(isPlain);
});
