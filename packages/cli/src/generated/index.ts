// Generated from openapi.yaml by npm run generate. Do not edit.

import type { CommandIndex } from "../model/record.ts";

/** All commands by group, in the contract's order. */
export const index: CommandIndex = {
  contractVersion: "0.1.0",
  groups: [
    {
      name: "merchants",
      description: "The businesses a tenant sends for, each with monthly limits, credits and usage.",
      commands: [
        {
          name: "upsert",
          aliases: ["create", "update"],
          summary: "Create or update a merchant",
          operationId: "upsertMerchant",
        },
        { name: "list", aliases: ["ls"], summary: "List the merchants of the tenant", operationId: "listMerchants" },
        { name: "get", aliases: ["show"], summary: "Read one merchant", operationId: "getMerchant" },
      ],
    },
    {
      name: "consent",
      description: "Recipients' opt-ins and opt-outs, by merchant, channel and contact.",
      commands: [
        {
          name: "record",
          aliases: ["set"],
          summary: "Record a recipient's opt-in or opt-out",
          operationId: "recordConsent",
        },
        { name: "list", aliases: ["ls"], summary: "List recorded consents", operationId: "listConsents" },
      ],
    },
    {
      name: "send",
      description: "Single SMS, calls and emails, sent after the consent and quota checks.",
      commands: [
        { name: "sms", aliases: [], summary: "Send an SMS for a merchant", operationId: "sendSms" },
        {
          name: "voice",
          aliases: ["call"],
          summary: "Call a number and speak a text for a merchant",
          operationId: "sendVoice",
        },
        { name: "email", aliases: [], summary: "Send an email for a merchant", operationId: "sendEmail" },
        {
          name: "direct-sms",
          aliases: [],
          summary: "Send an SMS without naming a merchant",
          operationId: "sendDirectSms",
        },
        {
          name: "direct-email",
          aliases: [],
          summary: "Send an email without naming a merchant",
          operationId: "sendDirectEmail",
        },
      ],
    },
    {
      name: "tts",
      description: "Spoken messages to one or more numbers, with delivery and cost per call and per batch.",
      commands: [
        {
          name: "create",
          aliases: [],
          summary: "Call one or more numbers and speak a text",
          operationId: "createTtsCalls",
        },
        { name: "list", aliases: ["ls"], summary: "List recent calls", operationId: "listTtsCalls" },
        { name: "get", aliases: ["show"], summary: "Read one call", operationId: "getTtsCall" },
        { name: "summary", aliases: [], summary: "Read the totals of a batch", operationId: "getTtsBatchSummary" },
        { name: "numbers", aliases: [], summary: "List the numbers of a batch", operationId: "listTtsBatchNumbers" },
      ],
    },
    {
      name: "billing",
      description: "Paid upgrades of a merchant's channel.",
      commands: [
        { name: "upgrade", aliases: [], summary: "Buy units for a merchant's channel", operationId: "requestUpgrade" },
      ],
    },
    {
      name: "alerts",
      description: "Warnings about usage and about failing providers.",
      commands: [
        { name: "list", aliases: ["ls"], summary: "List usage and provider alerts", operationId: "listAlerts" },
      ],
    },
    {
      name: "reports",
      description: "Usage and cost of SMS and email.",
      commands: [{ name: "usage", aliases: [], summary: "Read the usage report", operationId: "getUsageReport" }],
    },
    {
      name: "registration",
      description: "10DLC brands, campaigns and numbers of a merchant.",
      commands: [
        { name: "brand", aliases: [], summary: "Register or update a brand", operationId: "registerBrand" },
        { name: "campaign", aliases: [], summary: "Register or update a campaign", operationId: "registerCampaign" },
        {
          name: "number",
          aliases: [],
          summary: "Register or update a messaging number",
          operationId: "registerNumber",
        },
        { name: "assign", aliases: [], summary: "Assign a number to a campaign", operationId: "assignNumber" },
        {
          name: "status",
          aliases: [],
          summary: "Show the state of a merchant's registration",
          operationId: "getRegistrationStatus",
        },
      ],
    },
    {
      name: "provisioning",
      description: "SIP settings, users, ring groups and menus, and the directory FreeSWITCH reads.",
      commands: [
        {
          name: "show",
          aliases: ["get"],
          summary: "Read the tenant's voice provisioning",
          operationId: "getVoiceProvisioning",
        },
        {
          name: "directory",
          aliases: [],
          summary: "Read a user's FreeSWITCH directory entry",
          operationId: "getDirectoryEntry",
        },
        {
          name: "presence",
          aliases: [],
          summary: "Report whether a SIP user is registered",
          operationId: "reportSipPresence",
        },
      ],
    },
    {
      name: "simulator",
      description: "Simulated replies from recipients, without a phone.",
      commands: [
        { name: "reply", aliases: [], summary: "Reply to an SMS as its recipient would", operationId: "simulateReply" },
      ],
    },
  ],
  examples: [
    {
      title: "A new merchant with monthly limits",
      argv: [
        "merchants",
        "upsert",
        "--merchant-id",
        "bright-dental",
        "--display-name",
        "Bright Dental",
        "--active",
        "--sms-limit",
        "5000",
        "--voice-minutes-limit",
        "600",
        "--email-limit",
        "10000",
        "--sms-credits",
        "250",
        "--voice-minutes-credits",
        "0",
        "--email-credits",
        "0",
      ],
    },
    {
      title: "A patient agrees to SMS on a form",
      argv: [
        "consent",
        "record",
        "--merchant-id",
        "bright-dental",
        "--channel",
        "SMS",
        "--contact",
        "+12025550100",
        "--status",
        "OPT_IN",
        "--source",
        "intake-form",
      ],
    },
    {
      title: "A one-time passcode",
      argv: [
        "send",
        "sms",
        "--merchant-id",
        "bright-dental",
        "--to",
        "+12025550100",
        "--message",
        "Your Bright Dental code is 402913. It is valid for 10 minutes.",
        "--type",
        "OTP",
      ],
    },
  ],
};
