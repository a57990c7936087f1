import { ConsentError, MessagingClient, QuotaExceededError } from "@msgctl/sdk";
import { ForbiddenException, Injectable, Module, ServiceUnavailableException } from "@nestjs/common";

/** Tells customers about their orders. */
@Injectable()
export class Notifications {
  constructor(private readonly client: MessagingClient) {}

  /** Sends one message per order, even if called several times. Resolves to the id of the message. */
  async tellShipped(orderId: string, phone: string): Promise<string> {
    const sms = {
      merchantId: "demo",
      to: phone,
      message: `Order ${orderId} is on its way.`,
      type: "TRANSACTIONAL",
    } as const;
    try {
      const sent = await this.client.send.sms(sms, { idempotencyKey: `order-${orderId}-shipped` });
      return sent.messageId;
    } catch (error) {
      if (error instanceof ConsentError) throw new ForbiddenException(error.code, { cause: error });
      if (error instanceof QuotaExceededError) throw new ServiceUnavailableException(error.code, { cause: error });
      throw error;
    }
  }
}

@Module({
  // The credential and the address come from the environment: MSGCTL_API_KEY, MSGCTL_API_SECRET, MSGCTL_BASE_URL.
  providers: [{ provide: MessagingClient, useFactory: () => new MessagingClient() }, Notifications],
  exports: [Notifications],
})
export class NotificationsModule {}
