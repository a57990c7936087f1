// How a registration affects messages: its campaign's answers to replies, and carriers that require registration.

import { afterEach, describe, expect, it } from "vitest";
import { type InMemoryService, openInMemoryService } from "../../testing/in-memory-service.ts";
import { shortCampaign } from "../../testing/registration.ts";

const to = "+12025550100";
const hourMs = 3_600_000;
let service: InMemoryService;
afterEach(() => service.close());

async function open(options: Parameters<typeof openInMemoryService>[0] = {}) {
  await openStopped(options);
  await service.start();
}

/** Opens a service that does not dispatch until it is started. */
async function openStopped(options: Parameters<typeof openInMemoryService>[0] = {}) {
  service = await openInMemoryService(options);
  const body = { merchantId: "m1", displayName: "Shop", smsLimit: 100, emailLimit: 100 };
  await service.call("POST", "/api/v1/merchants", { body });
}

const post = async (path: string, body: object) => (await service.call("POST", `/api/v1/${path}`, { body })).json();
const send = (change: object = {}) =>
  post("messages/sms", { merchantId: "m1", to, message: "Hi", type: "OTP", ...change });

function registerCampaign(change: object = {}) {
  return post("merchants/m1/messaging/campaign", {
    useCase: "CUSTOMER_CARE",
    description: "Appointment reminders for patients who asked for them at the desk.",
    messageFlow: "Patients tick a box on the intake form to receive these messages.",
    sampleMessages: ["Your visit is tomorrow at 9:30.", "We received your payment. Thank you."],
    optInKeywords: ["Join us"],
    optOutKeywords: ["Bye"],
    helpKeywords: ["Aid"],
    optInMessage: "Shop Care: welcome, you joined.",
    optOutMessage: "Shop Care: goodbye, you left us.",
    helpMessage: "Shop Care: call us at the desk.",
    status: "ACTIVE",
    ...change,
  });
}

async function registerAll() {
  await post("merchants/m1/messaging/brand", {
    legalBusinessName: "Shop",
    status: "APPROVED",
    verificationStatus: "VERIFIED",
  });
  const { id: campaignId } = await registerCampaign();
  await post("merchants/m1/messaging/numbers", {
    phoneNumber: "+12025550142",
    campaignId,
    assignmentStatus: "ASSIGNED",
  });
}

async function messages() {
  await service.clock.advanceBy(2_000);
  return service.store.read((tx) =>
    tx.all<Record<string, unknown>>(
      `SELECT content, purpose, status, delivery_reason AS "deliveryReason", charge, units, attempts
         FROM messages ORDER BY message_id`,
    ),
  );
}

describe("a reply to a merchant with a campaign", () => {
  async function reply(replyBody: string) {
    const { messageId } = await send();
    await service.clock.advanceBy(1_000);
    const tenantId = String(service.credential.tenantId);
    const { status, message } = await post("simulator/reply", { tenantId, messageId, replyBody });
    const confirmation = (await messages()).findLast(({ purpose }) => purpose === "CONFIRMATION");
    return { status, message, text: confirmation?.content, units: confirmation?.units };
  }

  it.each([
    ["bye!", "OPTED_OUT", "BYE", "Shop Care: goodbye, you left us."],
    ["STOP", "OPTED_OUT", "STOP", "Shop Care: goodbye, you left us."],
    ["join us", "OPTED_IN", "JOINUS", "Shop Care: welcome, you joined."],
    ["Start", "OPTED_IN", "START", "Shop Care: welcome, you joined."],
    ["aid", "HELP_SENT", "AID", "Shop Care: call us at the desk."],
    ["help", "HELP_SENT", "HELP", "Shop Care: call us at the desk."],
  ])("of %s returns %s, and is answered with the campaign's text", async (text, status, word, confirmation) => {
    await open();
    await registerAll();
    expect(await reply(text)).toEqual({
      status,
      message: expect.stringContaining(word),
      text: confirmation,
      units: 0,
    });
  });

  it("ignores the words of another merchant's campaign", async () => {
    await open();
    await post("merchants", { merchantId: "m2", displayName: "Other" });
    await post("merchants/m2/messaging/brand", { legalBusinessName: "Other" });
    await post("merchants/m2/messaging/campaign", { ...shortCampaign, optOutKeywords: ["adieu"] });
    await registerAll();
    expect(await reply("adieu")).toMatchObject({ status: "RECEIVED" });
  });

  it("accepts the opt-out word of an expired campaign, and answers with the standard text", async () => {
    await open();
    await post("merchants/m1/messaging/brand", { legalBusinessName: "Shop" });
    await registerCampaign({ status: "EXPIRED" });
    expect(await reply("BYE")).toMatchObject({
      status: "OPTED_OUT",
      text: expect.stringMatching(/^Shop: you are unsub/),
    });
  });
});

describe("an SMS of a merchant that is not registered", () => {
  it("is sent if registration is open", async () => {
    await open();
    await send();
    expect(await messages()).toMatchObject([{ status: "DELIVERED" }]);
  });

  it("is filtered, and charged, if carriers are strict", async () => {
    await open({ registration: "strict" });
    const { messageId, status } = await send();
    expect(status).toBe("QUEUED");
    const filtered = { status: "UNDELIVERED", deliveryReason: "UNREGISTERED_SENDER", charge: "SETTLED", attempts: 0 };
    expect(await messages()).toMatchObject([filtered]);
    const usage = (await service.call("GET", "/api/v1/merchants/m1")).json();
    expect(usage.usage.smsUsed).toBe(1);
    expect(await service.store.read((tx) => tx.all("SELECT * FROM dispatches"))).toEqual([]);
    expect(messageId).toMatch(/^msg_/);
  });

  it("is sent once the registration is complete, and filtered again when it no longer is", async () => {
    await open({ registration: "strict" });
    await registerAll();
    await send();
    await post("messages/email", { merchantId: "m1", to: "ada@example.com", subject: "s", body: "b", type: "OTP" });
    expect(await messages()).toMatchObject([{ status: "DELIVERED" }, { status: "DELIVERED" }]);
    await post("merchants/m1/messaging/numbers", { phoneNumber: "+12025550142", status: "SUSPENDED" });
    await send();
    expect((await messages())[2]).toMatchObject({ status: "UNDELIVERED", deliveryReason: "UNREGISTERED_SENDER" });
    await service.clock.advanceBy(hourMs);
  });

  it("is also filtered on its second attempt", async () => {
    await open({ registration: "strict" });
    await registerAll();
    await send({ to: "+12025550121" });
    await service.clock.advanceBy(100);
    await post("merchants/m1/messaging/numbers", { phoneNumber: "+12025550142", status: "SUSPENDED" });
    expect(await messages()).toMatchObject([{ status: "UNDELIVERED", attempts: 1 }]);
  });

  it("is filtered even if another tenant's merchant with the same id is registered", async () => {
    await openStopped({ registration: "strict" });
    await registerAll();
    const as = await service.issue({ tenant: "Other" });
    const merchant = { merchantId: "m1", displayName: "Theirs", smsLimit: 100 };
    await service.call("POST", "/api/v1/merchants", { as, body: merchant });
    await send();
    await service.call("POST", "/api/v1/messages/sms", {
      as,
      body: { merchantId: "m1", to, message: "Theirs", type: "OTP" },
    });
    await service.start();
    expect(await messages()).toMatchObject([
      { content: "Hi", status: "DELIVERED" },
      { content: "Theirs", status: "UNDELIVERED", deliveryReason: "UNREGISTERED_SENDER" },
    ]);
  });
});
