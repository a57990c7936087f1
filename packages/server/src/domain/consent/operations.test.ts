import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type InMemoryService, openInMemoryService } from "../../testing/in-memory-service.ts";

let service: InMemoryService;
beforeAll(async () => {
  service = await openInMemoryService();
  for (const merchantId of ["m1", "m2"]) {
    await service.call("POST", "/api/v1/merchants", { body: { merchantId, displayName: merchantId } });
  }
});
afterAll(() => service.close());

const record = async (body: object) => (await service.call("POST", "/api/v1/consents", { body })).json();
const sms = { merchantId: "m1", channel: "SMS", contact: "+12025550100", status: "OPT_IN" };

describe("consents", () => {
  it("are recorded and changed, with the time of the change", async () => {
    expect(await record({ ...sms, source: "checkout" })).toEqual({
      ...sms,
      source: "checkout",
      updatedAt: "2026-01-15T12:00:00.000Z",
    });
    await service.clock.advanceBy(1_000);
    expect(await record({ ...sms, status: "OPT_OUT" })).toEqual({
      ...sms,
      status: "OPT_OUT",
      source: null,
      updatedAt: "2026-01-15T12:00:01.000Z",
    });
  });

  it("keep every change in their history, with its source", async () => {
    const history = await service.store.read((tx) =>
      tx.all(
        "SELECT status, source, changed_by FROM consent_history WHERE contact = $1 ORDER BY change_id",
        sms.contact,
      ),
    );
    const changed_by = service.credential.apiKey;
    expect(history).toEqual([
      { status: "OPT_IN", source: "checkout", changed_by },
      { status: "OPT_OUT", source: null, changed_by },
    ]);
  });

  it("have one record for an address in any spelling", async () => {
    const email = { merchantId: "m1", channel: "EMAIL", status: "OPT_IN" };
    await record({ ...email, contact: " Ada+News@Example.COM " });
    expect(await record({ ...email, contact: "ada+news@example.com", status: "OPT_OUT" })).toMatchObject({
      contact: "ada+news@example.com",
    });
    const reply = await service.call("GET", "/api/v1/consents?merchantId=m1");
    expect(reply.json().filter(({ channel }: { channel: string }) => channel === "EMAIL")).toHaveLength(1);
  });

  it("apply to one merchant, channel and contact of one tenant", async () => {
    const as = await service.issue({ tenant: "Other" });
    const [to, other] = ["+12125550100", "+12125550101"];
    const quota = { smsLimit: 9, voiceMinutesLimit: 9 };
    for (const [merchantId, owner] of [["m1"], ["m2"], ["m1", as]] as const) {
      const body = { merchantId, displayName: merchantId, ...quota };
      await service.call("POST", "/api/v1/merchants", { body, ...(owner && { as: owner }) });
    }
    await record({ ...sms, contact: to, status: "OPT_OUT" });
    const send = async (channel: "sms" | "voice", change: object, owner = service.credential) => {
      const content = channel === "sms" ? { message: "Hi" } : { text: "Hi" };
      const body = { merchantId: "m1", to, type: "OTP", ...content, ...change };
      return (await service.call("POST", `/api/v1/messages/${channel}`, { as: owner, body })).statusCode;
    };
    expect(await send("sms", {})).toBe(422);
    expect(await send("sms", { to: other })).toBe(200);
    expect(await send("sms", { merchantId: "m2" })).toBe(200);
    expect(await send("voice", {})).toBe(200);
    expect(await send("sms", {}, as)).toBe(200);
  });
});
