// The program under test: a restaurant that reminds guests by SMS and calls them with a code.

import { ApiError, MessagingClient } from "@msgctl/sdk";
import { verifyWebhook } from "@msgctl/sdk/webhooks";

/**
 * @param {{ baseUrl: string, apiKey: string, apiSecret: string }} credentials
 * @param {(url: string, init?: RequestInit) => Promise<Response>} [fetch] for tests
 */
export function createReminders(credentials, fetch) {
  const client = new MessagingClient({ ...credentials, maxRetries: 1, ...(fetch === undefined ? {} : { fetch }) });
  return {
    /**
     * Sends a reminder to a guest. Returns "opted out" if the guest does not want reminders.
     * @param {string} to
     */
    async remind(to) {
      try {
        const { messageId } = await client.send.sms({
          merchantId: "demo",
          to,
          message: "Your table is ready at 7 pm",
          type: "REMINDER",
        });
        return messageId;
      } catch (error) {
        if (error instanceof ApiError && error.code === "consent_opted_out") return "opted out";
        throw error;
      }
    },
    /** @param {string} toNumber */
    async callWithCode(toNumber) {
      return client.tts.create({
        merchantId: "demo",
        useCase: "OTP",
        messageText: "Your code is 1 2 3 4",
        toNumber,
        callbackUrl: "https://restaurant.example/hooks",
      });
    },
  };
}

/**
 * The receiver of callbacks: records each event once.
 * @param {string} secret
 * @param {() => number} now
 */
export function createReceiver(secret, now) {
  /** @type {Map<string, import("@msgctl/sdk/webhooks").WebhookEvent>} */
  const events = new Map();
  return {
    events,
    /** @param {Request} request */
    async receive(request) {
      const event = await verifyWebhook(await request.text(), request.headers, secret, { now: now() });
      events.set(request.headers.get("webhook-id") ?? "", event);
      return new Response(null, { status: 204 });
    },
  };
}
