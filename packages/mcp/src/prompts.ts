// Questions that people ask often, each with the tools that answer it.

import type { Prompt } from "@modelcontextprotocol/server";

interface PromptRecord {
  readonly prompt: Prompt;
  write(args: Readonly<Record<string, string>>): string;
}

const merchant = { name: "merchantId", description: "The merchant.", required: true };

export const prompts: readonly PromptRecord[] = [
  {
    prompt: {
      name: "why_did_it_not_arrive",
      title: "Why did it not arrive?",
      description: "Finds out why a person did not get a text, a call or an email.",
      arguments: [
        merchant,
        { name: "contact", description: "The person's number in E.164, or email address.", required: true },
        { name: "requestId", description: "For a text-to-speech call: its requestId." },
      ],
    },
    write: ({ merchantId, contact, requestId }) =>
      [
        `Find out why a message of the merchant ${merchantId} did not reach ${contact}. Only read; send nothing.`,
        `1. consent_list(merchantId: ${merchantId}, filter: {contact: ${contact}}): an OPT_OUT stops everything on its channel, and reminders and marketing need an OPT_IN.`,
        `2. merchants_get(merchantId: ${merchantId}): is the merchant active, and is anything left of its limits and credits?`,
        `3. alerts_list(merchantId: ${merchantId}): was a limit reached, or did a provider fail at that time?`,
        !requestId
          ? `4. tts_list(merchantId: ${merchantId}): is there a call to this number, and what are its finalStatus, deliveryReason and policyReason?`
          : `4. tts_get(requestId: ${requestId}): what are its finalStatus, deliveryReason and policyReason?`,
        `5. For an SMS, registration_status(merchantId: ${merchantId}): is the merchant ready to send, and if not, why?`,
        "The state of a single SMS or email is only in the reply to its own send, repeated with the same idempotencyKey. Read msgctl://docs/how-to/what-happened.",
        "Say what you found, what you could not find out, and what a person can do.",
      ].join("\n"),
  },
  {
    prompt: {
      name: "check_a_registration",
      title: "Check a registration",
      description: "Says what a merchant's 10DLC registration still needs.",
      arguments: [merchant],
    },
    write: ({ merchantId }) =>
      [
        `Check the 10DLC registration of the merchant ${merchantId}. Only read.`,
        `1. registration_status(merchantId: ${merchantId}).`,
        "2. For each brand, campaign and number that is not approved, explain its status, and quote a reason that the provider gave.",
        "3. Read msgctl://docs/how-to/registration-10dlc, and list the next steps in their order.",
      ].join("\n"),
  },
  {
    prompt: {
      name: "this_months_use",
      title: "This month's use",
      description: "Compares what a merchant has used this month with its limits.",
      arguments: [merchant],
    },
    write: ({ merchantId }) =>
      [
        `Report what the merchant ${merchantId} has used this month. Only read.`,
        `1. merchants_get(merchantId: ${merchantId}): usage, limits and credits for each channel, and the first day of the period.`,
        "2. reports_usage(from: that day, to: today), unless this server is bound to a merchant and lacks it: how many SMS and emails of all merchants, in which states, at what cost.",
        `3. alerts_list(merchantId: ${merchantId}): which thresholds were passed.`,
        "Give a table for each channel: used, limit, percentage, cost. Say if a limit will be reached before the month ends.",
      ].join("\n"),
  },
];
