// Texts at Twilio: the request that sends one. https://www.twilio.com/docs/messaging/api/message-resource

/** Longest time that a text may wait at Twilio. */
const LONGEST_VALIDITY_SECONDS = 36_000;

export interface TextOrder {
  readonly to: string;
  readonly from: string;
  readonly messagingServiceSid: string | undefined;
  readonly body: string;
  readonly callbackUrl: string;
  /** Time in which the text is still of use, in milliseconds. */
  readonly leftMs: number;
}

/** Writes the request that sends a text. */
export function writeText({ to, from, messagingServiceSid, body, callbackUrl, leftMs }: TextOrder): URLSearchParams {
  const seconds = Math.floor(leftMs / 1_000);
  const form = new URLSearchParams({
    ...{ To: to, From: from, Body: body, StatusCallback: callbackUrl },
    ValidityPeriod: String(Math.min(Math.max(seconds, 1), LONGEST_VALIDITY_SECONDS)),
  });
  if (messagingServiceSid !== undefined) form.set("MessagingServiceSid", messagingServiceSid);
  return form;
}
