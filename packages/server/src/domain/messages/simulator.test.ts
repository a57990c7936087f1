import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type InMemoryService, openInMemoryService } from "../../testing/in-memory-service.ts";
import type { IssuedCredential } from "../tenancy/tenants.ts";

const to = "+12025550100";
let service: InMemoryService;
let tenantId: string;
let messageId: string;

beforeAll(async () => {
  service = await openInMemoryService();
  tenantId = String(service.credential.tenantId);
  for (const merchantId of ["m1", "m2"]) {
    const quota = { smsLimit: 100, emailLimit: 100 };
    await service.call("POST", "/api/v1/merchants", { body: { merchantId, displayName: merchantId, ...quota } });
  }
  messageId = await send("sms", { message: "Hi" });
});
afterAll(() => service.close());

async function send(channel: "sms" | "email", text: object, recipient = to): Promise<string> {
  const body = { merchantId: "m1", to: recipient, type: "OTP", ...text };
  return (await service.call("POST", `/api/v1/messages/${channel}`, { body })).json().messageId;
}

async function reply(body: object, options: { as?: IssuedCredential; key?: string } = {}) {
  const headers: Record<string, string> = options.key === undefined ? {} : { "idempotency-key": options.key };
  const { as = service.credential } = options;
  const answer = await service.call("POST", "/api/v1/simulator/reply", {
    as,
    headers,
    body: { tenantId, messageId, replyBody: "Hello", ...body },
  });
  return { status: answer.statusCode, replayed: answer.headers["idempotent-replayed"], body: answer.json() };
}

const consentOf = async () =>
  (await service.call("GET", "/api/v1/consents?merchantId=m1"))
    .json()
    .find(({ contact }: { contact: string }) => contact === to);

describe("a simulated reply", () => {
  it("opts the recipient out, so sends are refused, and in again, with a confirmation each time", async () => {
    expect(await reply({ replyBody: "stop all." })).toEqual({
      status: 200,
      replayed: undefined,
      body: { status: "OPTED_OUT", message: "STOPALL opts the recipient out of SMS; a confirmation is sent." },
    });
    expect(await consentOf()).toMatchObject({ status: "OPT_OUT", source: "SMS_REPLY:STOPALL" });
    const refused = await service.call("POST", "/api/v1/messages/sms", {
      body: { merchantId: "m1", to, message: "Hi", type: "OTP" },
    });
    expect(refused.json()).toMatchObject({ status: 422, code: "consent_opted_out" });

    expect(await reply({ replyBody: " Yes! " })).toMatchObject({ body: { status: "OPTED_IN" } });
    expect(await consentOf()).toMatchObject({ status: "OPT_IN", source: "SMS_REPLY:YES" });
    expect(await reply({ replyBody: "yes" })).toMatchObject({ body: { status: "RECEIVED" } });
    expect(await reply({ replyBody: "info" })).toMatchObject({ body: { status: "HELP_SENT" } });
  });

  it("also opts the recipient out of calls and in again, if a STOP covers calls", async () => {
    const covering = await openInMemoryService({ stopCovers: "sms,voice" });
    const { credential } = covering;
    const post = (url: string, body: object) => covering.call("POST", `/api/v1/${url}`, { as: credential, body });
    await post("merchants", { merchantId: "m1", displayName: "First", smsLimit: 100 });
    await post("consents", { merchantId: "m1", channel: "VOICE", contact: to, status: "OPT_IN", source: "form" });
    const sent = (await post("messages/sms", { merchantId: "m1", to, message: "Hi", type: "OTP" })).json();
    const said = { tenantId: String(credential.tenantId), messageId: sent.messageId };
    for (const [replyBody, told, status] of [
      ["STOP", "STOP opts the recipient out of SMS and VOICE", "OPT_OUT"],
      ["START", "START opts the recipient in to SMS", "OPT_IN"],
    ]) {
      await covering.clock.advanceBy(1_000);
      const { message } = (await post("simulator/reply", { ...said, replyBody })).json();
      expect(message).toBe(`${told}; a confirmation is sent.`);
      const consents = (await covering.call("GET", "/api/v1/consents")).json();
      expect(consents).toContainEqual(
        expect.objectContaining({ channel: "VOICE", status, source: `SMS_REPLY:${replyBody}` }),
      );
    }
    await covering.close();
  });

  it("finds no message of another tenant, for any caller and id", async () => {
    const other = await service.issue({ tenant: "Other" });
    const foreign = { tenantId: String(other.tenantId) };
    const unknown = { status: 404, body: { code: "message_not_found" } };
    expect(await reply({}, { as: other })).toMatchObject(unknown);
    expect(await reply(foreign, { as: other })).toMatchObject(unknown);
    expect(await reply(foreign)).toMatchObject(unknown);
    expect(await reply({ messageId: "msg_01KJQH7VR0ZZZZZZZZZZZZZZZZ" })).toMatchObject(unknown);
    expect(await reply({ tenantId: `0${tenantId}` })).toMatchObject(unknown);
  });

  it("takes effect once per key, and its result is replayed afterwards", async () => {
    const first = await reply({ replyBody: "STOP" }, { key: "once" });
    await reply({ replyBody: "START" });
    const again = await reply({ replyBody: "STOP" }, { key: "once" });
    expect(again).toEqual({ ...first, replayed: "true" });
    expect(await consentOf()).toMatchObject({ status: "OPT_IN" });
  });
});
