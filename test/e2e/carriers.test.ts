// Tests tenants with their own carriers: with the built server, its commands, and servers that play the carriers.

import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import nodemailer from "nodemailer";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findFreePort } from "../../packages/server/src/testing/free-port.ts";
import { type MailServer, openMailServer } from "../../packages/server/src/testing/mail-server.ts";
import { ScriptedFreeSwitch } from "../../packages/server/src/testing/scripted-freeswitch.ts";
import { ScriptedSmsc, until } from "../../packages/server/src/testing/scripted-smsc.ts";
import { type Credential, MsgdFolder, type MsgdProcess, msgdProgram } from "./msgd-process.ts";
import { speakByScript } from "./speech-script.ts";

const canary = "harbor-stone-19";
const folder = new MsgdFolder();
let mails: MailServer;
let credential: Credential;
let bouncePort: number;
let server: MsgdProcess;

beforeAll(async () => {
  mails = await openMailServer({ authOptional: false });
  const { tenantId } = folder.command<{ tenantId: string }>("tenants", "create", "Live");
  credential = folder.createKey(tenantId);
  bouncePort = await findFreePort();
  server = await folder.serve("--bounces", `127.0.0.1:${bouncePort}`, ...speakByScript(folder.parent));
  const limits = { emailLimit: 100, smsLimit: 100, voiceMinutesLimit: 100 };
  await call("POST", "merchants", { merchantId: "shop", displayName: "Shop", ...limits });
});
afterAll(async () => {
  await folder.remove();
  await mails.close();
});

async function call(method: string, path: string, body?: object): Promise<Record<string, string>> {
  const reply = await fetch(`${server.baseUrl}/api/v1/${path}`, {
    method,
    headers: {
      "content-type": "application/json",
      "x-api-key": credential.apiKey,
      "x-api-secret": credential.apiSecret,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!reply.ok) throw new Error(`${path}: ${await reply.text()}`);
  return (await reply.json()) as Record<string, string>;
}

/** Runs a command of msgd, and returns its output and exit code. `hear` is called with each part of its standard error. */
function msgd(args: readonly string[], hear: (text: string) => void = () => {}) {
  return new Promise<{ out: string; err: string; status: number }>((resolve) => {
    execFile(process.execPath, [msgdProgram, ...args, "--data", folder.path], (error, out, err) =>
      resolve({ out, err, status: Number(error?.code ?? 0) }),
    ).stderr?.on("data", hear);
  });
}

/**
 * Runs a command that must succeed, and returns its JSON. Unlike `folder.command` it does not block this process, in which the
 * carriers answer the server.
 */
async function command<Result>(...args: string[]): Promise<Result> {
  const { out, err, status } = await msgd([...args, "-o", "json"]);
  expect([status, err]).toEqual([0, expect.any(String)]);
  return JSON.parse(out) as Result;
}

const at = ["--tenant", "1", "--channel", "EMAIL"];

async function setCarrier(change: object = {}, ...flags: string[]): Promise<string> {
  const file = join(folder.parent, "carrier.json");
  const settings = {
    ...{ kind: "smtp", host: "127.0.0.1", port: mails.port, ca: mails.ca, user: "acme", password: canary },
    ...{ from: "Acme <no-reply@acme.example>", returnPath: "bounces@acme.example", publicUrl: server.baseUrl },
  };
  writeFileSync(file, JSON.stringify({ ...settings, ...change }), { mode: 0o600 });
  return (await command<{ name: string }>("carriers", "set", ...at, "--file", file, ...flags)).name;
}

const send = (type = "OTP", to = "ada@example.com") =>
  call("POST", "messages/email", { merchantId: "shop", to, subject: "Hi", body: "<p>Hi</p>", type });

/** Finds an email by its envelope, whose token begins with the message's id. */
const findMail = (messageId: string) =>
  mails.taken.find(({ envid }) => envid?.startsWith(`${messageId.slice("msg_".length).toLowerCase()}-`));

interface Shown {
  status: string;
  reason: string | null;
  provider: string | null;
  carrierWords: string | null;
}
const show = (messageId = "") => command<Shown>("messages", "show", messageId, "--tenant", "1");
/** Sends an email, and returns the name of the carrier that got it; null if none has yet. */
const sendAndFindCarrier = async () => (await show((await send()).messageId)).provider;

async function waitFor(messageId: string, status: string): Promise<Shown> {
  await expect.poll(async () => (await show(messageId)).status).toBe(status);
  return show(messageId);
}

async function bringBack(raw: string, to: string): Promise<void> {
  const transport = nodemailer.createTransport({ host: "127.0.0.1", port: bouncePort, ignoreTLS: true });
  await transport.sendMail({ envelope: { from: "", to: [to] }, raw });
}

describe("a tenant", () => {
  it("has its messages queued until a command gives it a carrier while the server runs", async () => {
    const { messageId = "" } = await send();
    const listed = () => command<{ carriers: object; waiting: number }[]>("tenants", "list");
    await expect.poll(listed).toMatchObject([{ carriers: { EMAIL: null }, waiting: 1 }]);
    expect(await show(messageId)).toMatchObject({ status: "QUEUED", provider: null });
    const name = await setCarrier();
    await waitFor(messageId, "SENT");
    const tested = await msgd(["carriers", "test", ...at, "--to", "ada@example.com", "--wait", "60s", "-o", "json"]);
    expect(JSON.parse(tested.out)).toMatchObject({ carrier: name, status: "SENT" });
    expect(tested.status).toBe(0);
    const mail = { to: "ada@example.com", user: "acme", isSecure: true };
    expect(mails.taken).toMatchObject([mail, mail]);
    expect(findMail(messageId)).toBeDefined();
  });

  it("has its emails sent by that carrier, and bounces reported", async () => {
    const name = await setCarrier();
    await expect.poll(sendAndFindCarrier).toBe(name);
    const { messageId = "" } = await send("OTP", "gone@example.com");
    await waitFor(messageId, "SENT");
    const mail = findMail(messageId);
    const report = [
      ...["MIME-Version: 1.0", 'Content-Type: multipart/report; report-type=delivery-status; boundary="b"', "", "--b"],
      ...["Content-Type: message/delivery-status", "", "Reporting-MTA: dns; mx.example.com", ""],
      ...["Action: failed", "Status: 5.1.1", "Diagnostic-Code: smtp; 550 5.1.1 no such user", "", "--b--", ""],
    ].join("\r\n");
    await bringBack(report, mail?.from ?? "");
    const shown = await waitFor(messageId, "UNDELIVERED");
    expect(shown).toMatchObject({ reason: "UNREACHABLE", carrierWords: "550 5.1.1 no such user" });
    const next = await send("OTP", "gone@example.com");
    const suppressed = await waitFor(next.messageId ?? "", "FAILED");
    expect(suppressed).toMatchObject({
      reason: "UNREACHABLE",
      carrierWords: expect.stringContaining("suppressed since"),
    });
    expect(findMail(next.messageId ?? "")).toBeUndefined();
  });

  it("lets recipients unsubscribe with the link in an email", async () => {
    await call("POST", "consents", {
      merchantId: "shop",
      channel: "EMAIL",
      contact: "ada@example.com",
      status: "OPT_IN",
    });
    const { messageId = "" } = await send("MARKETING");
    await waitFor(messageId, "SENT");
    const { source = "" } = findMail(messageId) ?? {};
    const [, url = ""] = /^List-Unsubscribe:\s+<([^>]+)>/m.exec(source.replaceAll(/\r\n[ \t]+/g, " ")) ?? [];
    const page = await fetch(url);
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    const body = new URLSearchParams({ "List-Unsubscribe": "One-Click" });
    expect((await fetch(url, { method: "POST", body })).status).toBe(200);
    await expect(send("MARKETING")).rejects.toThrow("consent_opted_out");
    expect((await fetch(`${server.baseUrl}/unsubscribe/x`)).status).toBe(404);
  });

  it("sees the error text of a carrier that refuses all messages", async () => {
    mails.refusals = { to: "550 5.7.1 you are blocked" };
    const tested = await msgd(["carriers", "test", ...at, "--to", "eve@example.com", "--wait", "60s"]);
    mails.refusals = {};
    expect(tested.status).toBe(1);
    expect(tested.out).toMatch(/status +FAILED\nreason +BLOCKED/);
    expect(tested.err).toContain("FAILED (BLOCKED): 550 5.7.1 you are blocked");
  });

  it("has its emails queued while a carrier is unreachable, and sent when the carrier is back", async () => {
    await setCarrier({ port: await findFreePort() });
    let heard = "";
    const flags = ["--to", "ada@example.com", "--wait", "60s", "-o", "json"];
    const tested = msgd(["carriers", "test", ...at, ...flags], (text) => {
      heard += text;
    });
    await expect.poll(() => heard).toContain("ECONNREFUSED");
    const name = await setCarrier();
    expect(JSON.parse((await tested).out)).toMatchObject({ carrier: name, status: "SENT" });
  });

  it("has its emails sent by a second carrier if the first is unreachable", async () => {
    const second = await setCarrier({}, "--second");
    await setCarrier({ port: await findFreePort() });
    await expect.poll(sendAndFindCarrier).toBe(second);
    const first = await setCarrier();
    await expect.poll(sendAndFindCarrier).toBe(first);
    const tested = await msgd(["carriers", "test", ...at, "--second", "--to", "ada@example.com", "-o", "json"]);
    expect(JSON.parse(tested.out)).toMatchObject({ carrier: second, status: "SENT" });
    await command("carriers", "remove", ...at, "--second");
  });

  it("has a carrier whose password is never shown", async () => {
    await setCarrier();
    const shown = await Promise.all([msgd(["carriers", "show", ...at]), msgd(["carriers", "list"]), msgd(["verify"])]);
    for (const { out, err, status } of shown) {
      expect(status).toBe(0);
      expect(out + err).not.toContain(canary);
    }
    expect(server.written).not.toContain(canary);
  });
});

describe("a tenant with a carrier of texts", () => {
  let smsc: ScriptedSmsc;
  const places = ["--tenant", "1", "--channel", "SMS"];

  beforeAll(async () => {
    smsc = await ScriptedSmsc.listen();
    const file = join(folder.parent, "texts.json");
    writeFileSync(file, JSON.stringify(smsc.settings()), { mode: 0o600 });
    await command("carriers", "set", ...places, "--file", file);
    await smsc.bound();
  }, 60_000);
  afterAll(() => smsc.close());

  const text = (to: string, message = "42") =>
    call("POST", "messages/sms", { merchantId: "shop", to, message, type: "OTP" });
  const receipt = (id: string, stat: string) => {
    const said = `id:${id} sub:001 dlvrd:001 submit date:2611260700 done date:2611260701 stat:${stat} err:000 text:`;
    smsc.peer.send("deliver_sm", { esm_class: 4, source_addr: "1", short_message: Buffer.from(said) });
  };
  /** Ids of the last submissions. The carrier assigns consecutive ids. */
  const lastIds = (count: number) => {
    const sent = smsc.requests("submit_sm").length;
    return Array.from({ length: count }, (_none, index) => `id-${sent - count + 1 + index}`);
  };

  it("has its texts sent by that carrier, with the outcome of each part", async () => {
    const { messageId = "" } = await text("+12025550100", "x".repeat(400));
    expect(await waitFor(messageId, "SENT")).toMatchObject({ provider: expect.stringMatching(/^smpp-/) });
    const [first = "", second = "", third = ""] = lastIds(3);
    for (const id of [second, first]) receipt(id, "DELIVRD");
    await smsc.exchange();
    expect((await show(messageId)).status).toBe("SENT");
    receipt(third, "DELIVRD");
    await waitFor(messageId, "DELIVERED");
    const other = (await text("+12025550101")).messageId ?? "";
    await waitFor(other, "SENT");
    receipt(lastIds(1)[0] ?? "", "UNDELIV");
    expect(await waitFor(other, "UNDELIVERED")).toMatchObject({
      reason: "UNREACHABLE",
      carrierWords: "UNDELIV err:000",
    });
  });
});

describe("a tenant with a carrier of calls", () => {
  let freeswitch: ScriptedFreeSwitch;
  const places = ["--tenant", "1", "--channel", "VOICE"];

  beforeAll(async () => {
    freeswitch = await ScriptedFreeSwitch.listen();
    const file = join(folder.parent, "calls.json");
    writeFileSync(file, JSON.stringify(freeswitch.settings()), { mode: 0o600 });
    await command("carriers", "set", ...places, "--file", file);
    await until(() => freeswitch.commands.length > 1);
  });
  afterAll(() => freeswitch.close());

  const place = (toNumber: string) =>
    call("POST", "voice/tts-calls", { merchantId: "shop", messageText: "Your code is 4 2.", useCase: "OTP", toNumber });
  const showCall = (requestId = "") => call("GET", `voice/tts-calls/${requestId}`);
  const placedFor = async (to: string) => {
    await expect.poll(() => freeswitch.placed.some((placed) => placed.to === to)).toBe(true);
    return freeswitch.placed.filter((placed) => placed.to === to);
  };

  it("has its calls placed by that carrier, with speech from the speech command, and each outcome reported", async () => {
    const { requestId } = await place("+12025550110");
    const [placed] = await placedFor("+12025550110");
    if (placed === undefined) throw new Error("the call was not placed");
    const [, file = ""] = /playback:([^,']+)/.exec(placed.command) ?? [];
    expect(readFileSync(file).subarray(44).toString()).toBe("Your code is 4 2.");
    for (const name of ["CHANNEL_PROGRESS", "CHANNEL_ANSWER", "PLAYBACK_START"]) freeswitch.tell(name, placed);
    await expect.poll(async () => (await showCall(requestId)).callStatus).toBe("IN_PROGRESS");
    freeswitch.endHeard(placed);
    await expect.poll(async () => (await showCall(requestId)).status).toBe("COMPLETED");
    expect(await showCall(requestId)).toMatchObject({ callStatus: "COMPLETED", callDurationSeconds: 61 });
    expect(await show(placed.messageId)).toMatchObject({
      ...{ status: "DELIVERED", provider: expect.stringMatching(/^freeswitch-/) },
    });
  });

  it("can test the carrier with a call that is free of charge", async () => {
    freeswitch.onCall = (placed) => {
      freeswitch.begin(placed);
      freeswitch.tell("CHANNEL_ANSWER", placed);
      freeswitch.endHeard(placed);
    };
    const tested = await msgd(["carriers", "test", ...places, "--to", "+12025550112", "--wait", "60s", "-o", "json"]);
    expect(JSON.parse(tested.out)).toMatchObject({ status: "DELIVERED", carrierMessageId: expect.any(String) });
    expect(tested.status).toBe(0);
  });
});

it("a carrier test without a running server says so, and is sent once a server runs", async () => {
  await server.end("SIGTERM");
  const tested = await msgd(["carriers", "test", ...at, "--to", "ada@example.com"]);
  expect(tested.status).toBe(1);
  expect(tested.err).toContain("it is sent when a server runs on this database");
  const [, messageId = ""] = /(msg_\w+)/.exec(tested.out) ?? [];
  server = await folder.serve();
  await waitFor(messageId, "SENT");
});

describe("a carrier's protocol library", () => {
  const own = new MsgdFolder();
  const ofCarriers = ["nodemailer", "html-to-text", "smpp", "postal-mime"];
  const imported = ({ written }: MsgdProcess) => ofCarriers.filter((name) => written.includes(`imports ${name}\n`));
  afterAll(() => own.remove());

  it("is loaded with the first carrier that needs it", async () => {
    own.command("tenants", "create", "Live");
    const light = await own.serveWith(new URL("record-imports.mjs", import.meta.url));
    await expect.poll(() => light.written).toContain("imports better-sqlite3");
    expect(imported(light)).toEqual([]);
    const file = join(own.parent, "carrier.json");
    writeFileSync(
      file,
      JSON.stringify({ kind: "smtp", host: "127.0.0.1", port: 25, tls: "none", from: "a@b.example" }),
    );
    own.command("carriers", "set", ...at, "--file", file);
    await expect.poll(() => imported(light)).toEqual(["nodemailer", "html-to-text"]);
  });
});
