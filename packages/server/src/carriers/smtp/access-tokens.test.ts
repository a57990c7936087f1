// Access tokens, and logins with them at a test server that accepts XOAUTH2 only.

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../platform/clock.ts";
import { type MailServer, openMailServer } from "../../testing/mail-server.ts";
import { unbounded } from "../../testing/scripted-provider.ts";
import { submissionOf } from "../../testing/scripted-smsc.ts";
import type { Provider } from "../provider.ts";
import { AccessTokens, type OAuthSettings } from "./access-tokens.ts";
import { completeSmtpSettings } from "./settings.ts";
import { openSmtpCarrier } from "./smtp-carrier.ts";

let issuer: Server;
let asked: URLSearchParams[];
let answer: (count: number) => { status?: number; body: unknown };
let oauth: OAuthSettings;
let nowMs: number;
let tokens: AccessTokens;

beforeEach(async () => {
  asked = [];
  answer = (count) => ({ body: { access_token: `token-${count}`, expires_in: 3_600 } });
  issuer = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    asked.push(new URLSearchParams(Buffer.concat(chunks).toString()));
    const { status = 200, body } = request.url === "/oauth/token" ? answer(asked.length) : { status: 404, body: "" };
    response.writeHead(status).end(typeof body === "string" ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => issuer.listen(0, "127.0.0.1", resolve));
  const { port } = issuer.address() as AddressInfo;
  oauth = {
    ...{ tokenUrl: `http://127.0.0.1:${port}/oauth/token`, clientId: "client", clientSecret: "canary-1" },
    refreshToken: "refresh-1",
  };
  nowMs = 1_000_000;
  tokens = new AccessTokens(oauth, { now: () => nowMs, after: systemClock.after });
});
afterEach(async () => {
  tokens.close();
  issuer.closeAllConnections();
  await new Promise((resolve) => issuer.close(resolve));
});

describe("an access token", () => {
  it("is requested once and shared until a minute before it expires", async () => {
    const first = await Promise.all(Array.from({ length: 8 }, () => tokens.get(false)));
    expect(new Set(first.map(({ token }) => token))).toEqual(new Set(["token-1"]));
    nowMs += 3_539_000;
    expect((await tokens.get(false)).token).toBe("token-1");
    nowMs += 1_000;
    expect((await tokens.get(false)).token).toBe("token-2");
    const refresh = { grant_type: "refresh_token", refresh_token: "refresh-1" };
    expect(Object.fromEntries(asked[0] ?? [])).toEqual({ ...refresh, client_id: "client", client_secret: "canary-1" });
  });

  it("that the mail server refuses is renewed, unless it is new", async () => {
    await tokens.get(false);
    expect((await tokens.get(true)).token).toBe("token-1");
    nowMs += 30_000;
    const renewed = await Promise.all([tokens.get(true), tokens.get(true)]);
    expect(renewed.map(({ token }) => token)).toEqual(["token-2", "token-2"]);
  });

  it("is requested with the client's own credentials if there is no refresh token", async () => {
    const { refreshToken: _none, ...own } = oauth;
    tokens = new AccessTokens({ ...own, scope: "https://outlook.office365.com/.default" }, systemClock);
    await tokens.get(false);
    expect(Object.fromEntries(asked[0] ?? [])).toMatchObject({
      ...{ grant_type: "client_credentials", scope: "https://outlook.office365.com/.default" },
    });
  });

  it("may come with a new refresh token, and without a lifetime", async () => {
    answer = (count) => ({ body: { access_token: "t", refresh_token: `refresh-${count + 1}` } });
    expect((await tokens.get(false)).expiresAt).toBe(nowMs + 300_000);
    nowMs += 300_000;
    await tokens.get(false);
    expect(asked.map((form) => form.get("refresh_token"))).toEqual(["refresh-1", "refresh-2"]);
  });

  it.each([
    [
      { status: 400, body: { error: "invalid_grant", error_description: "revoked" } },
      "status 400, invalid_grant, revoked",
    ],
    [{ status: 500, body: "<html>" }, "status 500"],
    [{ body: {} }, "status 200"],
    [{ body: "null" }, "status 200"],
  ])("that is not given (%j) is requested again", async (given, words) => {
    answer = (count) => (count === 1 ? given : { body: { access_token: "t" } });
    const failures = await Promise.allSettled([tokens.get(false), tokens.get(false)]);
    for (const failure of failures) {
      const { message } = (failure as PromiseRejectedResult).reason as Error;
      expect(message).toBe(`${oauth.tokenUrl} gave no access token: ${words}`);
    }
    expect((await tokens.get(false)).token).toBe("t");
    expect(asked).toHaveLength(2);
  });
});

describe("a login by XOAUTH2", () => {
  let server: MailServer;
  let carrier: Provider;
  let accepted: string;
  let presented: string[];
  beforeEach(async () => {
    accepted = "token-1";
    presented = [];
    server = await openMailServer({
      ...{ authOptional: false, hideSTARTTLS: true, allowInsecureAuth: true, authMethods: ["XOAUTH2"] },
      onAuth({ username, accessToken = "" }, _session, done) {
        presented.push(accessToken);
        if (accessToken === accepted) done(null, { user: username ?? "" });
        else done(null, { data: { status: "401", schemes: "bearer", scope: "mail" } });
      },
    });
    const settings = completeSmtpSettings({
      ...{ kind: "smtp", host: "127.0.0.1", port: server.port, tls: "none", from: "a@acme.example" },
      ...{ user: "a@acme.example", oauth },
    });
    const logger = { warn() {}, error() {} };
    carrier = openSmtpCarrier(settings, { name: "smtp-1", pepper: "p", clock: systemClock, logger });
  });
  afterEach(async () => {
    await carrier.stop();
    await server.close();
  });

  const send = () => carrier.submit(submissionOf({ channel: "EMAIL", to: "ada@example.com" }), unbounded);

  it("shares one token among all connections", async () => {
    const outcomes = await Promise.all(Array.from({ length: 8 }, send));
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(Array(8).fill("taken"));
    await carrier.probe?.();
    expect(server.taken[0]?.user).toBe("a@acme.example");
    expect(asked).toHaveLength(1);
  });

  it("that fails lets all mails wait, and says why", async () => {
    answer = () => ({ status: 400, body: { error: "invalid_grant" } });
    const unreached = { outcome: "deferred", isUnreached: true, detail: expect.stringContaining("invalid_grant") };
    const outcome = await send();
    expect(outcome).toMatchObject(unreached);
    expect(JSON.stringify(outcome)).not.toMatch(/canary-1|refresh-1/);
    answer = () => ({ body: { access_token: "token-1" } });
    expect(await send()).toMatchObject({ outcome: "taken" });
  });

  it("that the server refuses lets all mails wait", async () => {
    accepted = "another";
    expect(await send()).toMatchObject({ outcome: "deferred", isUnreached: true });
    // the second try of the library gets the same token, because it is new
    expect([asked.length, new Set(presented)]).toEqual([1, new Set(["token-1"])]);
    expect(server.taken).toEqual([]);
  });
});
