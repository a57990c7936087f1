import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { copyCall } from "./call-copies.ts";

const sms = (message: string) =>
  copyCall({ operationId: "sendSms", body: { merchantId: "m1", to: "+12025550100", type: "OTP", message } });

/** Runs a command in Bash, and returns the arguments that `program` received. */
function run(command: string, program: string): string[] {
  const script = `${program}() { printf '%s\\0' "$@"; }\n${command}`;
  const env = { MSGCTL_BASE_URL: "http://127.0.0.1", MSGCTL_API_KEY: "k", MSGCTL_API_SECRET: "s", LC_ALL: "C.UTF-8" };
  return execFileSync("bash", ["--norc", "-c", script], { encoding: "utf8", env, stdio: ["ignore", "pipe", "inherit"] })
    .split("\0")
    .slice(0, -1);
}

const texts = [
  '$(id) `id` "x" \\',
  "two\nlines\tand 'quotes'",
  "moved\u202eback",
  "\u0007 bell's \\ $HOME",
  "-x",
  "€ 漢 😀",
];

it.each(texts)("a copied call passes %j through a shell unchanged", (text) => {
  const { curl, msgctl } = sms(text);
  expect(
    run(msgctl, "msgctl")
      .slice(8)
      .join(" ")
      .replace(/^--message[ =]/, ""),
  ).toBe(text);
  expect(JSON.parse(run(curl, "curl").at(-1) ?? "")).toMatchObject({ message: text });
});
