/** Tests that errors of the user or the system are never reported as a bug of msgctl. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { catalog } from "../catalog.ts";
import { folder, msgctl, reply, service } from "../testing/world.ts";
import { asCliError } from "./failure.ts";

describe("an error of the system", () => {
  it.each([
    ["ENOSPC", "/home/ada/x cannot be used: the disk is full (write ENOSPC)"],
    ["EMFILE", "/home/ada/x cannot be used: too many files are open; raise the limit with ulimit -n (write EMFILE)"],
    ["EXDEV", "/home/ada/x cannot be used: EXDEV (write EXDEV)"],
  ])("%s is described in words, and not as a bug of msgctl", (code, message) => {
    const error = Object.assign(new Error(code), { code, syscall: "write", path: "/home/ada/x" });
    const failure = asCliError(error);
    expect([failure.exitCode, failure.code, failure.message]).toEqual([1, "system_fault", message]);
    expect(failure.details.hints?.join()).not.toContain("bug in msgctl");
  });

  it.each([
    [{ code: "ENOENT", syscall: "uv_cwd" }, "the current folder was removed"],
    [{ code: "ERR_STRING_TOO_LONG" }, "a file or folder cannot be used: it is too large (ERR_STRING_TOO_LONG)"],
  ])("%j is described in words", (properties, message) => {
    expect(asCliError(Object.assign(new Error("No."), properties)).message).toBe(message);
  });

  it("is distinguished from a bug of msgctl", () => {
    const failure = asCliError(new TypeError("x is undefined"));
    expect([failure.code, failure.details.hints]).toEqual(["internal", [expect.stringContaining("bug in msgctl")]]);
  });
});

const CSV = "merchantId,to,message,type\nm1,+12025550100,One,OTP\n";
const COMMANDS = [
  ["merchants", "list"],
  ["send", "sms", "--merchant-id", "m1", "--to", "+12025550100", "--message", "Hi", "--type", "OTP", "-y"],
  ["send", "bulk", "list.csv", "--channel", "SMS", "-y"],
  ["consent", "import", "none.csv"],
  ["registration", "apply", "."],
  ["registration", "apply", "none.yaml"],
  ["auth", "list"],
  ["auth", "status"],
  ["auth", "logout", "--profile", "p"],
  ["config", "set", "output", "json"],
  ["config", "list"],
  ["doctor"],
  ["merchants", "list", "--out", "."],
  ["api", "POST", "merchants", "--body-file", "."],
];

it.each<[string, (cwd: string) => Record<string, string>]>([
  [
    "a file as its folder",
    (cwd) => ({ XDG_CONFIG_HOME: join(cwd, "list.csv"), XDG_CACHE_HOME: join(cwd, "list.csv") }),
  ],
  ["/dev/null as its folder", () => ({ XDG_CONFIG_HOME: "/dev/null" })],
  ["a path that is too long", (cwd) => ({ XDG_CONFIG_HOME: join(cwd, "x".repeat(300)) })],
  ["no home", () => ({ HOME: "/dev/null" })],
  [
    "a folder as config.json",
    (cwd) => {
      mkdirSync(join(cwd, ".config/msgctl/config.json"), { recursive: true, mode: 0o700 });
      return {};
    },
  ],
  [
    "a broken config.json",
    (cwd) => {
      mkdirSync(join(cwd, ".config/msgctl"), { recursive: true, mode: 0o700 });
      writeFileSync(join(cwd, ".config/msgctl/config.json"), "{");
      return {};
    },
  ],
  [
    "a file as the folder of lists",
    (cwd) => {
      mkdirSync(join(cwd, ".config/msgctl"), { recursive: true, mode: 0o700 });
      writeFileSync(join(cwd, ".config/msgctl/bulk"), "");
      return {};
    },
  ],
  ["a key that a header cannot carry", () => ({ MSGCTL_API_KEY: "ключ" })],
  ["a secret of two lines", () => ({ MSGCTL_API_SECRET: "a\nb" })],
  ["an invalid proxy", () => ({ HTTP_PROXY: "::", HTTPS_PROXY: "::", MSGCTL_BASE_URL: "http://api.example" })],
  ["an address with /api/v1", () => ({ MSGCTL_BASE_URL: "http://127.0.0.1:1/api/v1" })],
  ["an invalid address", () => ({ MSGCTL_BASE_URL: "api.example" })],
])("does not report a bug of msgctl with %s", async (_, prepare) => {
  const { env } = await service((response) => reply(response, 200, []));
  for (const argv of COMMANDS) {
    const cwd = folder();
    writeFileSync(join(cwd, "list.csv"), CSV);
    const ended = await msgctl([...argv, "--retries", "0"], { catalog, cwd, env: { ...env, ...prepare(cwd) } });
    expect.soft(ended.stdout + ended.stderr, argv.join(" ")).not.toMatch(/bug in msgctl|"internal"/);
    expect.soft(ended.stderr, argv.join(" ")).not.toMatch(/ENOENT: |uv_|undefined/);
  }
});
