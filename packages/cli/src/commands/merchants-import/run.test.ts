import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { catalog } from "../../catalog.ts";
import { folder, msgctl, reply, type Service, service, type World } from "../../testing/world.ts";

const LIST = "merchantId,displayName,smsLimit,active\nbright-dental,Bright Dental,5000,TRUE\nbella,Bella,100,\n";

/** Starts a service that has the merchant Bright Dental with a limit of 4000. */
const platform = () =>
  service((response, { method, body }) => {
    const view = {
      ...{ merchantId: "bright-dental", displayName: "Bright Dental", active: true },
      limits: { smsLimit: 4000, voiceMinutesLimit: 0, emailLimit: 0 },
      credits: { smsCredits: 250, voiceMinutesCredits: 0, emailCredits: 0 },
      usage: { smsUsed: 0, voiceUsed: 0, emailUsed: 0, periodStart: "2026-03-01" },
    };
    reply(response, 200, method === "GET" ? [view] : { ...view, merchantId: JSON.parse(body).merchantId });
  });

function scene({ env }: Service, list = LIST) {
  const cwd = folder();
  writeFileSync(join(cwd, "merchants.csv"), list);
  return (argv: readonly string[] = [], world: Partial<World> = {}) =>
    msgctl(["merchants", "import", "merchants.csv", ...argv], {
      ...{ cwd, env: { NO_COLOR: "1", ...env }, catalog },
      ...world,
    });
}

const upserts = ({ received }: Service) =>
  received.filter(({ method }) => method === "POST").map(({ body }) => JSON.parse(body));

it("an import shows old and new values, and asks for confirmation", async () => {
  const answering = await platform();
  const ended = await scene(answering)([], { terminal: 100, dialogue: [["Go ahead?", "y\r"]] });
  expect(ended.exitCode).toBe(0);
  expect(ended.stderr).toContain("bright-dental: smsLimit 4000 → 5000\n");
  expect(ended.stderr).toContain("bella: new\n");
  expect(ended.stderr).toContain("1 to create, 1 to change, 0 unchanged.");
  expect(upserts(answering)).toEqual([
    { merchantId: "bright-dental", displayName: "Bright Dental", smsLimit: 5000, active: true },
    { merchantId: "bella", displayName: "Bella", smsLimit: 100 },
  ]);
});

it("an import changes nothing unless the user says yes", async () => {
  const answering = await platform();
  const run = scene(answering);
  expect(await run()).toMatchObject({
    ...{
      exitCode: 9,
      stderr: expect.stringContaining("1 to create, 1 to change, 0 unchanged; nothing was imported"),
    },
  });
  expect((await run([], { terminal: 100, dialogue: [["Go ahead?", "\r"]] })).exitCode).toBe(130);
  expect((await run(["--dry-run"])).stdout).toContain("2 rows would be imported, as merchants.");
  expect(upserts(answering)).toEqual([]);
});

it("with -y an import does not ask, and a second import sends the whole list again", async () => {
  const answering = await platform();
  const run = scene(answering);
  for (const _ of ["first", "second"])
    expect(await run(["-y"])).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("2 rows: 2 done") });
  expect(upserts(answering)).toHaveLength(4);
});

it("a resumed import skips an open row if a later row of its merchant is done", async () => {
  let isBusy = true;
  const names: string[] = [];
  const answering = await service((response, { method, body }) => {
    if (method === "GET") return reply(response, 200, []);
    const { displayName, merchantId } = JSON.parse(body);
    if (isBusy && displayName === "Old")
      return reply(response, 503, { code: "unavailable", status: 503, title: "x", type: "x" });
    names.push(displayName);
    const limits = { smsLimit: 0, voiceMinutesLimit: 0, emailLimit: 0 };
    const credits = { smsCredits: 0, voiceMinutesCredits: 0, emailCredits: 0 };
    const usage = { smsUsed: 0, voiceUsed: 0, emailUsed: 0, periodStart: "2026-03-01" };
    reply(response, 200, { merchantId, displayName, active: true, limits, credits, usage });
  });
  const run = scene(answering, "merchantId,displayName\nbella,Old\nbella,New\n");
  expect((await run(["-y", "--retries", "0"])).exitCode).toBe(8);
  isBusy = false;
  expect((await run(["-y"])).exitCode).toBe(0);
  expect(names).toEqual(["New"]);
});

it("an import that would change nothing does not ask", async () => {
  const answering = await platform();
  const list = "merchantId,displayName,smsLimit\nbright-dental,Bright Dental,4000\n";
  expect((await scene(answering, list)()).exitCode).toBe(0);
});

it("an import refuses columns of credits unless --set-balances is given", async () => {
  const answering = await platform();
  const list = "merchantId,displayName,smsCredits\nbright-dental,Bright Dental,500\n";
  const run = scene(answering, list);
  const refused = await run(["-y"]);
  expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("smsCredits: is a balance") });
  expect(answering.received).toEqual([]);
  expect((await run(["-y", "--map", "smsCredits="])).exitCode).toBe(0);
  expect((await run(["-y", "--set-balances"])).exitCode).toBe(0);
  expect(upserts(answering).map(({ smsCredits }) => smsCredits)).toEqual([undefined, 500]);
  const set = await scene(answering, "merchantId,displayName\nbella,B\n")(["-y", "--set", "emailCredits=1"]);
  expect(set).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("emailCredits: is a balance") });
});

it("--example prints a list that can be imported", async () => {
  const answering = await platform();
  const { exitCode, stdout } = await msgctl(["merchants", "import", "--example"], { catalog });
  expect(exitCode).toBe(0);
  expect(stdout.split("\n").slice(0, 3)).toEqual([
    "merchantId,displayName,active,smsLimit,voiceMinutesLimit,emailLimit,smsCredits,voiceMinutesCredits,emailCredits",
    "bright-dental,Bright Dental,true,5000,600,10000,250,0,0",
    "bright-dental,Bright Dental,false,,,,,,",
  ]);
  expect((await scene(answering, stdout)(["-y", "--set-balances"])).exitCode).toBe(0);
});

it.each([
  [["send", "bulk", "--channel", "SMS"], "merchantId,to,message,type\nbright-dental,+12025550100,"],
  [["send", "bulk", "--channel", "EMAIL"], "merchantId,to,subject,body,type\n"],
  [
    ["consent", "import"],
    "merchantId,channel,contact,status,source\nbright-dental,SMS,+12025550100,OPT_IN,intake-form\n",
  ],
])("the command %j prints an example list, and accepts it", async (words, begins) => {
  const printed = await msgctl([...words, "--example"], { catalog });
  expect([printed.exitCode, printed.stdout.slice(0, begins.length)]).toEqual([0, begins]);
  const planned = await msgctl([...words, "-", "--dry-run"], { catalog, stdin: printed.stdout });
  expect(planned).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("Every row can be") });
});
