import { ResourceClient } from "./generated/resources.ts";

/**
 * Client of the merchant messaging API. An operation's group and name are its method: `msgctl send sms` in a terminal
 * is `client.send.sms(…)` here.
 *
 * @example
 * const client = new MessagingClient({ apiKey, apiSecret, baseUrl });
 * const sent = await client.send.sms({ merchantId: "m1", to: "+12025550100", message: "Your code: 417", type: "OTP" });
 */
export class MessagingClient extends ResourceClient {}
