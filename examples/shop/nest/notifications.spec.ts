import { createMockService, type MockService } from "@msgctl/mocks";
import { endedCall, MessagingClient, TimeoutError } from "@msgctl/sdk";
import { ForbiddenException, ServiceUnavailableException } from "@nestjs/common";
import { Test } from "@nestjs/testing";
import { Notifications, NotificationsModule } from "./notifications";

let service: MockService;
let client: MessagingClient;
let notifications: Notifications;

beforeAll(async () => {
  service = await createMockService();
  client = new MessagingClient({ ...service, fetch: service.fetch });
  const building = Test.createTestingModule({ imports: [NotificationsModule] });
  const shop = await building.overrideProvider(MessagingClient).useValue(client).compile();
  notifications = shop.get(Notifications);
});
beforeEach(() => service.reset());
afterEach(() => jest.restoreAllMocks());
afterAll(() => service.close());

test("sends one message if the service fails once and the order is reported twice", async () => {
  service.failNext("sendSms", { code: "internal_error" });
  const first = await notifications.tellShipped("7", "+12025550100");
  expect(await notifications.tellShipped("7", "+12025550100")).toBe(first);
  await service.clock.advance("1m");
  expect(await service.messages()).toMatchObject([{ messageId: first, status: "DELIVERED" }]);
});

test("sends one message if the first attempt takes too long", async () => {
  const hasty = new Notifications(new MessagingClient({ ...service, fetch: service.fetch, totalTimeoutMs: 50 }));
  service.delay(5_000);
  await expect(hasty.tellShipped("8", "+12025550100")).rejects.toBeInstanceOf(TimeoutError);
  service.delay(0);
  await notifications.tellShipped("8", "+12025550100");
  expect(await service.messages()).toHaveLength(1);
});

test("distinguishes a used-up quota from a customer who opted out", async () => {
  service.failNext("sendSms", { code: "quota_exceeded" });
  await expect(notifications.tellShipped("9", "+12025550100")).rejects.toBeInstanceOf(ServiceUnavailableException);
  await expect(notifications.tellShipped("10", "+13125550100")).rejects.toBeInstanceOf(ForbiddenException);
});

test("calls the client once, under the order's key", async () => {
  const sms = jest.spyOn(client.send, "sms");
  sms.mockReturnValue(endedCall({ merchantId: "demo", channel: "SMS", messageId: "msg_1", status: "QUEUED" }));
  expect(await notifications.tellShipped("11", "+12025550100")).toBe("msg_1");
  expect(sms).toHaveBeenCalledWith(expect.anything(), { idempotencyKey: "order-11-shipped" });
});
