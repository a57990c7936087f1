import { expect, it } from "vitest";
import { catalog } from "../../catalog.ts";
import { msgctl } from "../../testing/world.ts";

const AT = "http://127.0.0.1:4800";

it.each<[words: string[], path: string]>([
  [[], "/dashboard"],
  [["messages"], "/dashboard/messages"],
  [["Messages", "msg_1"], "/dashboard/messages/msg_1"],
  [["recipients", "+12025550100"], "/dashboard/recipients/%2B12025550100"],
  [["docs"], "/docs"],
  [["docs", "errors"], "/docs/errors"],
  [["docs", "quota_exceeded"], "/docs/errors/quota_exceeded"],
  [["docs", "send", "sms"], "/docs/send/sms"],
  [["docs", "send", "call"], "/docs/send/voice"],
])("prints the address of %j without a terminal and without a credential", async (words, path) => {
  const onOpen = () => expect.unreachable();
  const ended = await msgctl(["open", ...words, "--base-url", `${AT}/`], { catalog, onOpen });
  expect(ended).toEqual({ exitCode: 0, stdout: `${AT}${path}\n`, stderr: "" });
});

it("opens the page in the browser at a terminal, and prints its address elsewhere", async () => {
  const opened: string[] = [];
  const world = { catalog, terminal: 80, env: { MSGCTL_BASE_URL: AT } };
  const ended = await msgctl(["open", "health"], { ...world, onOpen: (url) => void opened.push(url) });
  expect([ended.exitCode, ended.stdout, opened]).toEqual([0, "", [`${AT}/dashboard/health`]]);
  expect(ended.stderr).toBe(`Opened ${AT}/dashboard/health in the browser.\n`);
  expect((await msgctl(["open", "health"], world)).stdout).toBe(`${AT}/dashboard/health\n`);
  const automated = { ...world, env: { ...world.env, CI: "1" }, onOpen: () => expect.unreachable() };
  expect((await msgctl(["open"], automated)).stdout).toBe(`${AT}/dashboard\n`);
});

it.each<[words: string[], exitCode: number, said: string]>([
  [["mesages"], 2, "did you mean messages?"],
  [["docs", "sedn"], 2, 'there is no page "docs sedn"'],
  [["docs", "send", "fax"], 2, 'there is no page "docs send fax"'],
  [["health", "x"], 2, 'there is no page "health x"'],
])("refuses %j", async (words, exitCode, said) => {
  const ended = await msgctl(["open", ...words, "--base-url", AT], { catalog });
  expect([ended.exitCode, ended.stdout]).toEqual([exitCode, ""]);
  expect(ended.stderr).toContain(said);
});

it("says how to configure an address if there is none", async () => {
  const ended = await msgctl(["open"], { catalog });
  expect([ended.exitCode, ended.stdout]).toEqual([3, ""]);
  expect(ended.stderr).toContain("msgctl auth login");
});
