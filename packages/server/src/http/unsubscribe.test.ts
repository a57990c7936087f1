// The link with which the recipient of an email unsubscribes.

import fastify, { type FastifyInstance } from "fastify";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { toErasedRecipient } from "../domain/contacts.ts";
import { createMessageTokens } from "../domain/message-tokens.ts";
import { PROBE_MESSAGE_ID, PROBE_WORDS } from "../domain/public-paths.ts";
import { createWorld, type World } from "../testing/dispatch-world.ts";
import { ScriptedProvider } from "../testing/scripted-provider.ts";
import { openTestStore } from "../testing/test-store.ts";
import { addUnsubscribeRoutes } from "./unsubscribe.ts";

const tokens = createMessageTokens("pepper", "unsubscribe");
const oneClick = { "content-type": "application/x-www-form-urlencoded" };

let world: World<ScriptedProvider>;
let app: FastifyInstance;
let path: string;
beforeEach(async () => {
  world = await createWorld({
    openStore: ({ now }) => openTestStore({ now }),
    openProvider: () => new ScriptedProvider(),
  });
  app = fastify();
  addUnsubscribeRoutes(app, { store: world.store, clock: world.clock, tokens });
  path = `/unsubscribe/${tokens.make(await world.accept("ada@example.com", { type: "MARKETING" }))}`;
});
afterEach(async () => {
  await app.close();
  await world.close();
});

const post = (headers = oneClick, payload = "List-Unsubscribe=One-Click") =>
  app.inject({ method: "POST", url: path, headers, payload });

describe("the link", () => {
  it("asks for confirmation, and changes nothing", async () => {
    for (const method of ["GET", "HEAD"] as const) {
      const { statusCode, headers, body } = await app.inject({ method, url: path });
      expect(statusCode).toBe(200);
      expect(headers["content-type"]).toBe("text/html; charset=utf-8");
      expect(headers["content-security-policy"]).toContain("default-src 'none'");
      if (method === "GET") expect(body).toContain('<form method="post"><button name="List-Unsubscribe"');
    }
    expect(await world.consent("ada@example.com")).toBeUndefined();
  });

  it("unsubscribes at each POST, however often, and names the merchant", async () => {
    for (let times = 0; times < 2; times++) {
      const { statusCode, body } = await post();
      expect([statusCode, body.includes("You will receive no more emails from Shop")]).toEqual([200, true]);
    }
    const consent = await world.consent("ada@example.com");
    expect(consent).toEqual({ status: "OPT_OUT", source: "EMAIL_LINK:UNSUBSCRIBE", changes: 1 });
  });

  it("is accepted with a slash at the end", async () => {
    path += "/";
    expect((await app.inject(path)).body).toContain("Do you want to stop receiving emails from Shop?");
    expect((await post()).statusCode).toBe(200);
    expect(await world.consent("ada@example.com")).toMatchObject({ status: "OPT_OUT" });
  });

  it("of the probe answers every caller that has its token, and changes nothing", async () => {
    for (const [by, status] of [
      [tokens, 200],
      [createMessageTokens("other", "unsubscribe"), 404],
    ] as const) {
      path = `/unsubscribe/${by.make(PROBE_MESSAGE_ID)}`;
      for (const reply of [await app.inject(path), await post()]) {
        expect([reply.statusCode, reply.body.includes(PROBE_WORDS)]).toEqual([status, status === 200]);
      }
    }
    expect(await world.consent("ada@example.com")).toBeUndefined();
  });

  it.each([
    [
      { "content-type": "multipart/form-data; boundary=x" },
      '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--',
    ],
    [{ "content-type": "text/plain" }, ""],
  ])("accepts the POST of a mail program: %j", async (headers, payload) => {
    expect((await post(headers as never, payload)).statusCode).toBe(200);
    expect(await world.consent("ada@example.com")).toMatchObject({ status: "OPT_OUT" });
  });

  it("refuses a long body", async () => {
    expect((await post(oneClick, "x".repeat(10_000))).statusCode).toBe(413);
    expect(await world.consent("ada@example.com")).toBeUndefined();
  });

  it("is invalid for an unknown message, for another purpose and for an SMS", async () => {
    const sms = await world.accept("+12025550100");
    const known = path.slice("/unsubscribe/".length);
    const others = [
      "x",
      known.slice(1),
      tokens.make("msg_01JDMC0000ABCDEFGHJKMNPQRS"),
      createMessageTokens("pepper", "bounce").make(sms),
      tokens.make(sms),
    ];
    for (const token of others) {
      for (const method of ["GET", "POST"] as const) {
        const { statusCode, body } = await app.inject({ method, url: `/unsubscribe/${token}` });
        expect([statusCode, body.includes("This link is invalid or incomplete")]).toEqual([404, true]);
      }
    }
  });

  it("works for a recipient who was erased after the email was sent", async () => {
    const recipient = toErasedRecipient("digest");
    await world.store.write((tx) => tx.run("UPDATE messages SET recipient = $1", recipient));
    expect((await post()).statusCode).toBe(200);
    const kept = await world.store.read((tx) => tx.all("SELECT digest, channel FROM erased_opt_outs"));
    expect(kept).toEqual([{ digest: "digest", channel: "EMAIL" }]);
  });

  it("shows a merchant's name verbatim", async () => {
    await world.store.write((tx) => tx.run("UPDATE merchants SET display_name = '<b>&\"'"));
    expect((await app.inject(path)).body).toContain("stop receiving emails from &lt;b&gt;&amp;&quot;?");
  });
});
