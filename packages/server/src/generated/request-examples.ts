// Generated from openapi.yaml by npm run generate. Do not edit.

import type { RequestExample } from "../http/docs/request-example.ts";

/** A call of each operation with the contract's first example, by operationId. */
export const requestExamples: Readonly<Record<string, RequestExample>> = {
  upsertMerchant: {
    curl: "curl -X POST \"$MSGCTL_BASE_URL/api/v1/merchants\" \\\n  -H \"X-API-KEY: $MSGCTL_API_KEY\" \\\n  -H \"X-API-SECRET: $MSGCTL_API_SECRET\" \\\n  -H \"Idempotency-Key: doc-$(date +%s)\" \\\n  -H \"Content-Type: application/json\" \\\n  -d '{\n  \"merchantId\": \"bright-dental\",\n  \"displayName\": \"Bright Dental\",\n  \"active\": true,\n  \"smsLimit\": 5000,\n  \"voiceMinutesLimit\": 600,\n  \"emailLimit\": 10000,\n  \"smsCredits\": 250,\n  \"voiceMinutesCredits\": 0,\n  \"emailCredits\": 0\n}'",
    msgctl: "msgctl merchants upsert \\\n  --merchant-id bright-dental \\\n  --display-name 'Bright Dental' \\\n  --active \\\n  --sms-limit 5000 \\\n  --voice-minutes-limit 600 \\\n  --email-limit 10000 \\\n  --sms-credits 250 \\\n  --voice-minutes-credits 0 \\\n  --email-credits 0",
    typescript: "import { MessagingClient } from \"@msgctl/sdk\";\n\nconst client = new MessagingClient();\nconst reply = await client.merchants.upsert({\n  merchantId: \"bright-dental\",\n  displayName: \"Bright Dental\",\n  active: true,\n  smsLimit: 5000,\n  voiceMinutesLimit: 600,\n  emailLimit: 10000,\n  smsCredits: 250,\n  voiceMinutesCredits: 0,\n  emailCredits: 0,\n});\nconsole.log(reply);",
  },
  listMerchants: {
    curl: "curl \"$MSGCTL_BASE_URL/api/v1/merchants\" \\\n  -H \"X-API-KEY: $MSGCTL_API_KEY\" \\\n  -H \"X-API-SECRET: $MSGCTL_API_SECRET\"",
    msgctl: "msgctl merchants list",
    typescript: "import { MessagingClient } from \"@msgctl/sdk\";\n\nconst client = new MessagingClient();\nconst reply = await client.merchants.list();\nconsole.log(reply);",
  },
  getMerchant: {
    curl: "curl \"$MSGCTL_BASE_URL/api/v1/merchants/bright-dental\" \\\n  -H \"X-API-KEY: $MSGCTL_API_KEY\" \\\n  -H \"X-API-SECRET: $MSGCTL_API_SECRET\"",
    msgctl: "msgctl merchants get bright-dental",
    typescript: "import { MessagingClient } from \"@msgctl/sdk\";\n\nconst client = new MessagingClient();\nconst reply = await client.merchants.get(\"bright-dental\");\nconsole.log(reply);",
  },
  recordConsent: {
    curl: "curl -X POST \"$MSGCTL_BASE_URL/api/v1/consents\" \\\n  -H \"X-API-KEY: $MSGCTL_API_KEY\" \\\n  -H \"X-API-SECRET: $MSGCTL_API_SECRET\" \\\n  -H \"Idempotency-Key: doc-$(date +%s)\" \\\n  -H \"Content-Type: application/json\" \\\n  -d '{\n  \"merchantId\": \"bright-dental\",\n  \"channel\": \"SMS\",\n  \"contact\": \"+12025550100\",\n  \"status\": \"OPT_IN\",\n  \"source\": \"intake-form\"\n}'",
    msgctl: "msgctl consent record \\\n  --merchant-id bright-dental \\\n  --channel SMS \\\n  --contact +12025550100 \\\n  --status OPT_IN \\\n  --source intake-form",
    typescript: "import { MessagingClient } from \"@msgctl/sdk\";\n\nconst client = new MessagingClient();\nconst reply = await client.consent.record({\n  merchantId: \"bright-dental\",\n  channel: \"SMS\",\n  contact: \"+12025550100\",\n  status: \"OPT_IN\",\n  source: \"intake-form\",\n});\nconsole.log(reply);",
  },
  listConsents: {
    curl: "curl \"$MSGCTL_BASE_URL/api/v1/consents\" \\\n  -H \"X-API-KEY: $MSGCTL_API_KEY\" \\\n  -H \"X-API-SECRET: $MSGCTL_API_SECRET\"",
    msgctl: "msgctl consent list",
    typescript: "import { MessagingClient } from \"@msgctl/sdk\";\n\nconst client = new MessagingClient();\nconst reply = await client.consent.list();\nconsole.log(reply);",
  },
  sendSms: {
    curl: "curl -X POST \"$MSGCTL_BASE_URL/api/v1/messages/sms\" \\\n  -H \"X-API-KEY: $MSGCTL_API_KEY\" \\\n  -H \"X-API-SECRET: $MSGCTL_API_SECRET\" \\\n  -H \"Idempotency-Key: doc-$(date +%s)\" \\\n  -H \"Content-Type: application/json\" \\\n  -d '{\n  \"merchantId\": \"bright-dental\",\n  \"to\": \"+12025550100\",\n  \"message\": \"Your Bright Dental code is 402913. It is valid for 10 minutes.\",\n  \"type\": \"OTP\"\n}'",
    msgctl: "msgctl send sms \\\n  --merchant-id bright-dental \\\n  --to +12025550100 \\\n  --message 'Your Bright Dental code is 402913. It is valid for 10 minutes.' \\\n  --type OTP",
    typescript: "import { MessagingClient } from \"@msgctl/sdk\";\n\nconst client = new MessagingClient();\nconst reply = await client.send.sms({\n  merchantId: \"bright-dental\",\n  to: \"+12025550100\",\n  message: \"Your Bright Dental code is 402913. It is valid for 10 minutes.\",\n  type: \"OTP\",\n});\nconsole.log(reply);",
  },
  sendVoice: {
    curl: "curl -X POST \"$MSGCTL_BASE_URL/api/v1/messages/voice\" \\\n  -H \"X-API-KEY: $MSGCTL_API_KEY\" \\\n  -H \"X-API-SECRET: $MSGCTL_API_SECRET\" \\\n  -H \"Idempotency-Key: doc-$(date +%s)\" \\\n  -H \"Content-Type: application/json\" \\\n  -d '{\n  \"merchantId\": \"bright-dental\",\n  \"to\": \"+12025550100\",\n  \"text\": \"Hello from Bright Dental. Your visit is tomorrow at 9:30 in the morning.\",\n  \"type\": \"REMINDER\",\n  \"record\": false,\n  \"timeoutSeconds\": 30\n}'",
    msgctl: "msgctl send voice \\\n  --merchant-id bright-dental \\\n  --to +12025550100 \\\n  --text 'Hello from Bright Dental. Your visit is tomorrow at 9:30 in the morning.' \\\n  --type REMINDER \\\n  --no-record \\\n  --timeout-seconds 30",
    typescript: "import { MessagingClient } from \"@msgctl/sdk\";\n\nconst client = new MessagingClient();\nconst reply = await client.send.voice({\n  merchantId: \"bright-dental\",\n  to: \"+12025550100\",\n  text: \"Hello from Bright Dental. Your visit is tomorrow at 9:30 in the morning.\",\n  type: \"REMINDER\",\n  record: false,\n  timeoutSeconds: 30,\n});\nconsole.log(reply);",
  },
  sendEmail: {
    curl: "curl -X POST \"$MSGCTL_BASE_URL/api/v1/messages/email\" \\\n  -H \"X-API-KEY: $MSGCTL_API_KEY\" \\\n  -H \"X-API-SECRET: $MSGCTL_API_SECRET\" \\\n  -H \"Idempotency-Key: doc-$(date +%s)\" \\\n  -H \"Content-Type: application/json\" \\\n  -d '{\n  \"merchantId\": \"bright-dental\",\n  \"to\": \"dana@patients.example\",\n  \"subject\": \"Your receipt from Bright Dental\",\n  \"body\": \"<p>Thank you for your visit. You paid <b>$85.00</b> today.</p>\",\n  \"type\": \"TRANSACTIONAL\"\n}'",
    msgctl: "msgctl send email \\\n  --merchant-id bright-dental \\\n  --to dana@patients.example \\\n  --subject 'Your receipt from Bright Dental' \\\n  --body '<p>Thank you for your visit. You paid <b>$85.00</b> today.</p>' \\\n  --type TRANSACTIONAL",
    typescript: "import { MessagingClient } from \"@msgctl/sdk\";\n\nconst client = new MessagingClient();\nconst reply = await client.send.email({\n  merchantId: \"bright-dental\",\n  to: \"dana@patients.example\",\n  subject: \"Your receipt from Bright Dental\",\n  body: \"<p>Thank you for your visit. You paid <b>$85.00</b> today.</p>\",\n  type: \"TRANSACTIONAL\",\n});\nconsole.log(reply);",
  },
  sendDirectSms: {
    curl: "curl -X POST \"$MSGCTL_BASE_URL/api/v1/sms/send\" \\\n  -H \"X-API-KEY: $MSGCTL_API_KEY\" \\\n  -H \"X-API-SECRET: $MSGCTL_API_SECRET\" \\\n  -H \"Idempotency-Key: doc-$(date +%s)\" \\\n  -H \"Content-Type: application/json\" \\\n  -d '{\n  \"to\": \"+12025550100\",\n  \"message\": \"Your order 7731 is ready for pick-up.\"\n}'",
    msgctl: "msgctl send direct-sms \\\n  --to +12025550100 \\\n  --message 'Your order 7731 is ready for pick-up.'",
    typescript: "import { MessagingClient } from \"@msgctl/sdk\";\n\nconst client = new MessagingClient();\nconst reply = await client.send.directSms({\n  to: \"+12025550100\",\n  message: \"Your order 7731 is ready for pick-up.\",\n});\nconsole.log(reply);",
  },
  sendDirectEmail: {
    curl: "curl -X POST \"$MSGCTL_BASE_URL/api/v1/email/send\" \\\n  -H \"X-API-KEY: $MSGCTL_API_KEY\" \\\n  -H \"X-API-SECRET: $MSGCTL_API_SECRET\" \\\n  -H \"Idempotency-Key: doc-$(date +%s)\" \\\n  -H \"Content-Type: application/json\" \\\n  -d '{\n  \"to\": \"dana@patients.example\",\n  \"subject\": \"Order 7731 is ready\",\n  \"body\": \"<p>You can pick it up until 18:00.</p>\"\n}'",
    msgctl: "msgctl send direct-email \\\n  --to dana@patients.example \\\n  --subject 'Order 7731 is ready' \\\n  --body '<p>You can pick it up until 18:00.</p>'",
    typescript: "import { MessagingClient } from \"@msgctl/sdk\";\n\nconst client = new MessagingClient();\nconst reply = await client.send.directEmail({\n  to: \"dana@patients.example\",\n  subject: \"Order 7731 is ready\",\n  body: \"<p>You can pick it up until 18:00.</p>\",\n});\nconsole.log(reply);",
  },
  createTtsCalls: {
    curl: "curl -X POST \"$MSGCTL_BASE_URL/api/v1/voice/tts-calls\" \\\n  -H \"X-API-KEY: $MSGCTL_API_KEY\" \\\n  -H \"X-API-SECRET: $MSGCTL_API_SECRET\" \\\n  -H \"Idempotency-Key: doc-$(date +%s)\" \\\n  -H \"Content-Type: application/json\" \\\n  -d '{\n  \"merchantId\": \"bright-dental\",\n  \"messageText\": \"Hello from Bright Dental. Your visit is tomorrow at 9:30 in the morning. We look forward to seeing you.\",\n  \"useCase\": \"REMINDER\",\n  \"toNumber\": \"+12025550100\"\n}'",
    msgctl: "msgctl tts create \\\n  --merchant-id bright-dental \\\n  --message-text 'Hello from Bright Dental. Your visit is tomorrow at 9:30 in the morning. We look forward to seeing you.' \\\n  --use-case REMINDER \\\n  --to-number +12025550100",
    typescript: "import { MessagingClient } from \"@msgctl/sdk\";\n\nconst client = new MessagingClient();\nconst reply = await client.tts.create({\n  merchantId: \"bright-dental\",\n  messageText: \"Hello from Bright Dental. Your visit is tomorrow at 9:30 in the morning. We look forward to seeing you.\",\n  useCase: \"REMINDER\",\n  toNumber: \"+12025550100\",\n});\nconsole.log(reply);",
  },
  listTtsCalls: {
    curl: "curl \"$MSGCTL_BASE_URL/api/v1/voice/tts-calls\" \\\n  -H \"X-API-KEY: $MSGCTL_API_KEY\" \\\n  -H \"X-API-SECRET: $MSGCTL_API_SECRET\"",
    msgctl: "msgctl tts list",
    typescript: "import { MessagingClient } from \"@msgctl/sdk\";\n\nconst client = new MessagingClient();\nconst reply = await client.tts.list();\nconsole.log(reply);",
  },
  getTtsCall: {
    curl: "curl \"$MSGCTL_BASE_URL/api/v1/voice/tts-calls/48211\" \\\n  -H \"X-API-KEY: $MSGCTL_API_KEY\" \\\n  -H \"X-API-SECRET: $MSGCTL_API_SECRET\"",
    msgctl: "msgctl tts get 48211",
    typescript: "import { MessagingClient } from \"@msgctl/sdk\";\n\nconst client = new MessagingClient();\nconst reply = await client.tts.get(\"48211\");\nconsole.log(reply);",
  },
  getTtsBatchSummary: {
    curl: "curl \"$MSGCTL_BASE_URL/api/v1/voice/tts-calls/batches/9002/summary\" \\\n  -H \"X-API-KEY: $MSGCTL_API_KEY\" \\\n  -H \"X-API-SECRET: $MSGCTL_API_SECRET\"",
    msgctl: "msgctl tts summary 9002",
    typescript: "import { MessagingClient } from \"@msgctl/sdk\";\n\nconst client = new MessagingClient();\nconst reply = await client.tts.summary(\"9002\");\nconsole.log(reply);",
  },
  listTtsBatchNumbers: {
    curl: "curl \"$MSGCTL_BASE_URL/api/v1/voice/tts-calls/batches/9002/numbers\" \\\n  -H \"X-API-KEY: $MSGCTL_API_KEY\" \\\n  -H \"X-API-SECRET: $MSGCTL_API_SECRET\"",
    msgctl: "msgctl tts numbers 9002",
    typescript: "import { MessagingClient } from \"@msgctl/sdk\";\n\nconst client = new MessagingClient();\nconst reply = await client.tts.numbers(9002);\nconsole.log(reply);",
  },
  requestUpgrade: {
    curl: "curl -X POST \"$MSGCTL_BASE_URL/api/v1/billing/upgrade\" \\\n  -H \"X-API-KEY: $MSGCTL_API_KEY\" \\\n  -H \"X-API-SECRET: $MSGCTL_API_SECRET\" \\\n  -H \"Idempotency-Key: doc-$(date +%s)\" \\\n  -H \"Content-Type: application/json\" \\\n  -d '{\n  \"merchantId\": \"bright-dental\",\n  \"channel\": \"SMS\",\n  \"units\": 500,\n  \"paymentMethodId\": \"pm_card_visa\",\n  \"currency\": \"USD\",\n  \"note\": \"Spring campaign\",\n  \"referenceId\": \"po-1187\"\n}'",
    msgctl: "msgctl billing upgrade \\\n  --merchant-id bright-dental \\\n  --channel SMS \\\n  --units 500 \\\n  --payment-method-id pm_card_visa \\\n  --currency USD \\\n  --note 'Spring campaign' \\\n  --reference-id po-1187",
    typescript: "import { MessagingClient } from \"@msgctl/sdk\";\n\nconst client = new MessagingClient();\nconst reply = await client.billing.upgrade({\n  merchantId: \"bright-dental\",\n  channel: \"SMS\",\n  units: 500,\n  paymentMethodId: \"pm_card_visa\",\n  currency: \"USD\",\n  note: \"Spring campaign\",\n  referenceId: \"po-1187\",\n});\nconsole.log(reply);",
  },
  listAlerts: {
    curl: "curl \"$MSGCTL_BASE_URL/api/v1/alerts\" \\\n  -H \"X-API-KEY: $MSGCTL_API_KEY\" \\\n  -H \"X-API-SECRET: $MSGCTL_API_SECRET\"",
    msgctl: "msgctl alerts list",
    typescript: "import { MessagingClient } from \"@msgctl/sdk\";\n\nconst client = new MessagingClient();\nconst reply = await client.alerts.list();\nconsole.log(reply);",
  },
  getUsageReport: {
    curl: "curl \"$MSGCTL_BASE_URL/api/v1/reports/usage\" \\\n  -H \"X-API-KEY: $MSGCTL_API_KEY\" \\\n  -H \"X-API-SECRET: $MSGCTL_API_SECRET\"",
    msgctl: "msgctl reports usage",
    typescript: "import { MessagingClient } from \"@msgctl/sdk\";\n\nconst client = new MessagingClient();\nconst reply = await client.reports.usage();\nconsole.log(reply);",
  },
  registerBrand: {
    curl: "curl -X POST \"$MSGCTL_BASE_URL/api/v1/merchants/bright-dental/messaging/brand\" \\\n  -H \"X-API-KEY: $MSGCTL_API_KEY\" \\\n  -H \"X-API-SECRET: $MSGCTL_API_SECRET\" \\\n  -H \"Idempotency-Key: doc-$(date +%s)\" \\\n  -H \"Content-Type: application/json\" \\\n  -d '{\n  \"legalBusinessName\": \"Bright Dental LLC\",\n  \"externalBrandRef\": \"bright-brand-1\",\n  \"businessType\": \"PRIVATE_PROFIT\",\n  \"websiteUrl\": \"https://bright-dental.example\",\n  \"street\": \"1200 K Street NW\",\n  \"city\": \"Washington\",\n  \"state\": \"DC\",\n  \"postalCode\": \"20005\",\n  \"country\": \"US\",\n  \"contactFirstName\": \"Dana\",\n  \"contactLastName\": \"Reyes\",\n  \"contactEmail\": \"dana@bright-dental.example\",\n  \"contactPhone\": \"+12025550142\"\n}'",
    msgctl: "msgctl registration brand bright-dental \\\n  --legal-business-name 'Bright Dental LLC' \\\n  --external-brand-ref bright-brand-1 \\\n  --business-type PRIVATE_PROFIT \\\n  --website-url https://bright-dental.example \\\n  --street '1200 K Street NW' \\\n  --city Washington \\\n  --state DC \\\n  --postal-code 20005 \\\n  --country US \\\n  --contact-first-name Dana \\\n  --contact-last-name Reyes \\\n  --contact-email dana@bright-dental.example \\\n  --contact-phone +12025550142",
    typescript: "import { MessagingClient } from \"@msgctl/sdk\";\n\nconst client = new MessagingClient();\nconst reply = await client.registration.brand(\"bright-dental\", {\n  legalBusinessName: \"Bright Dental LLC\",\n  externalBrandRef: \"bright-brand-1\",\n  businessType: \"PRIVATE_PROFIT\",\n  websiteUrl: \"https://bright-dental.example\",\n  street: \"1200 K Street NW\",\n  city: \"Washington\",\n  state: \"DC\",\n  postalCode: \"20005\",\n  country: \"US\",\n  contactFirstName: \"Dana\",\n  contactLastName: \"Reyes\",\n  contactEmail: \"dana@bright-dental.example\",\n  contactPhone: \"+12025550142\",\n});\nconsole.log(reply);",
  },
  registerCampaign: {
    curl: "curl -X POST \"$MSGCTL_BASE_URL/api/v1/merchants/bright-dental/messaging/campaign\" \\\n  -H \"X-API-KEY: $MSGCTL_API_KEY\" \\\n  -H \"X-API-SECRET: $MSGCTL_API_SECRET\" \\\n  -H \"Idempotency-Key: doc-$(date +%s)\" \\\n  -H \"Content-Type: application/json\" \\\n  -d '{\n  \"useCase\": \"MIXED\",\n  \"description\": \"Appointment reminders and payment receipts for patients of Bright Dental who asked for them.\",\n  \"messageFlow\": \"Patients tick a box on the paper or web intake form, below the terms, to receive SMS from Bright Dental.\",\n  \"sampleMessages\": [\n    \"Your visit at Bright Dental is tomorrow at 9:30. Reply STOP to opt out.\",\n    \"Bright Dental: we received your payment of $85.00. Thank you.\"\n  ],\n  \"optInKeywords\": [\n    \"START\"\n  ],\n  \"optOutKeywords\": [\n    \"STOP\"\n  ],\n  \"helpKeywords\": [\n    \"HELP\"\n  ],\n  \"optInMessage\": \"Bright Dental: you will receive reminders again. Reply STOP to opt out.\",\n  \"optOutMessage\": \"Bright Dental: you are opted out and will receive no more messages.\",\n  \"helpMessage\": \"Bright Dental: call +12025550142 for help. Reply STOP to opt out.\",\n  \"campaignReference\": \"bright-campaign-1\",\n  \"vertical\": \"HEALTHCARE\",\n  \"privacyPolicyLink\": \"https://bright-dental.example/privacy\",\n  \"termsAndConditionsLink\": \"https://bright-dental.example/terms\",\n  \"subUseCases\": [\n    \"CUSTOMER_CARE\",\n    \"ACCOUNT_NOTIFICATION\"\n  ]\n}'",
    msgctl: "msgctl registration campaign bright-dental \\\n  --use-case MIXED \\\n  --description 'Appointment reminders and payment receipts for patients of Bright Dental who asked for them.' \\\n  --message-flow 'Patients tick a box on the paper or web intake form, below the terms, to receive SMS from Bright Dental.' \\\n  --sample-messages 'Your visit at Bright Dental is tomorrow at 9:30. Reply STOP to opt out.' \\\n  --sample-messages 'Bright Dental: we received your payment of $85.00. Thank you.' \\\n  --opt-in-keywords START \\\n  --opt-out-keywords STOP \\\n  --help-keywords HELP \\\n  --opt-in-message 'Bright Dental: you will receive reminders again. Reply STOP to opt out.' \\\n  --opt-out-message 'Bright Dental: you are opted out and will receive no more messages.' \\\n  --help-message 'Bright Dental: call +12025550142 for help. Reply STOP to opt out.' \\\n  --campaign-reference bright-campaign-1 \\\n  --vertical HEALTHCARE \\\n  --privacy-policy-link https://bright-dental.example/privacy \\\n  --terms-and-conditions-link https://bright-dental.example/terms \\\n  --sub-use-cases CUSTOMER_CARE \\\n  --sub-use-cases ACCOUNT_NOTIFICATION",
    typescript: "import { MessagingClient } from \"@msgctl/sdk\";\n\nconst client = new MessagingClient();\nconst reply = await client.registration.campaign(\"bright-dental\", {\n  useCase: \"MIXED\",\n  description: \"Appointment reminders and payment receipts for patients of Bright Dental who asked for them.\",\n  messageFlow: \"Patients tick a box on the paper or web intake form, below the terms, to receive SMS from Bright Dental.\",\n  sampleMessages: [\n    \"Your visit at Bright Dental is tomorrow at 9:30. Reply STOP to opt out.\",\n    \"Bright Dental: we received your payment of $85.00. Thank you.\",\n  ],\n  optInKeywords: [\"START\"],\n  optOutKeywords: [\"STOP\"],\n  helpKeywords: [\"HELP\"],\n  optInMessage: \"Bright Dental: you will receive reminders again. Reply STOP to opt out.\",\n  optOutMessage: \"Bright Dental: you are opted out and will receive no more messages.\",\n  helpMessage: \"Bright Dental: call +12025550142 for help. Reply STOP to opt out.\",\n  campaignReference: \"bright-campaign-1\",\n  vertical: \"HEALTHCARE\",\n  privacyPolicyLink: \"https://bright-dental.example/privacy\",\n  termsAndConditionsLink: \"https://bright-dental.example/terms\",\n  subUseCases: [\"CUSTOMER_CARE\", \"ACCOUNT_NOTIFICATION\"],\n});\nconsole.log(reply);",
  },
  registerNumber: {
    curl: "curl -X POST \"$MSGCTL_BASE_URL/api/v1/merchants/bright-dental/messaging/numbers\" \\\n  -H \"X-API-KEY: $MSGCTL_API_KEY\" \\\n  -H \"X-API-SECRET: $MSGCTL_API_SECRET\" \\\n  -H \"Idempotency-Key: doc-$(date +%s)\" \\\n  -H \"Content-Type: application/json\" \\\n  -d '{\n  \"phoneNumber\": \"+12025550142\",\n  \"provider\": \"carrier-hub\",\n  \"providerNumberId\": \"PN-88120\",\n  \"numberType\": \"LOCAL\",\n  \"countryCode\": \"US\",\n  \"capabilities\": [\n    \"SMS\",\n    \"VOICE\"\n  ]\n}'",
    msgctl: "msgctl registration number bright-dental \\\n  --phone-number +12025550142 \\\n  --provider carrier-hub \\\n  --provider-number-id PN-88120 \\\n  --number-type LOCAL \\\n  --country-code US \\\n  --capabilities SMS \\\n  --capabilities VOICE",
    typescript: "import { MessagingClient } from \"@msgctl/sdk\";\n\nconst client = new MessagingClient();\nconst reply = await client.registration.number(\"bright-dental\", {\n  phoneNumber: \"+12025550142\",\n  provider: \"carrier-hub\",\n  providerNumberId: \"PN-88120\",\n  numberType: \"LOCAL\",\n  countryCode: \"US\",\n  capabilities: [\"SMS\", \"VOICE\"],\n});\nconsole.log(reply);",
  },
  assignNumber: {
    curl: "curl -X POST \"$MSGCTL_BASE_URL/api/v1/merchants/bright-dental/messaging/numbers/501/assign\" \\\n  -H \"X-API-KEY: $MSGCTL_API_KEY\" \\\n  -H \"X-API-SECRET: $MSGCTL_API_SECRET\" \\\n  -H \"Idempotency-Key: doc-$(date +%s)\" \\\n  -H \"Content-Type: application/json\" \\\n  -d '{\n  \"campaignId\": 401\n}'",
    msgctl: "msgctl registration assign bright-dental 501 --campaign-id 401",
    typescript: "import { MessagingClient } from \"@msgctl/sdk\";\n\nconst client = new MessagingClient();\nconst reply = await client.registration.assign(\"bright-dental\", 501, { campaignId: 401 });\nconsole.log(reply);",
  },
  getRegistrationStatus: {
    curl: "curl \"$MSGCTL_BASE_URL/api/v1/merchants/bright-dental/messaging/status\" \\\n  -H \"X-API-KEY: $MSGCTL_API_KEY\" \\\n  -H \"X-API-SECRET: $MSGCTL_API_SECRET\"",
    msgctl: "msgctl registration status bright-dental",
    typescript: "import { MessagingClient } from \"@msgctl/sdk\";\n\nconst client = new MessagingClient();\nconst reply = await client.registration.status(\"bright-dental\");\nconsole.log(reply);",
  },
  getVoiceProvisioning: {
    curl: "curl \"$MSGCTL_BASE_URL/api/v1/voice/provisioning\" \\\n  -H \"X-API-KEY: $MSGCTL_API_KEY\" \\\n  -H \"X-API-SECRET: $MSGCTL_API_SECRET\"",
    msgctl: "msgctl provisioning show",
    typescript: "import { MessagingClient } from \"@msgctl/sdk\";\n\nconst client = new MessagingClient();\nconst reply = await client.provisioning.show();\nconsole.log(reply);",
  },
  getDirectoryEntry: {
    curl: "curl \"$MSGCTL_BASE_URL/api/v1/voice/provisioning/freeswitch/directory/1001\" \\\n  -H \"X-API-KEY: $MSGCTL_API_KEY\" \\\n  -H \"X-API-SECRET: $MSGCTL_API_SECRET\"",
    msgctl: "msgctl provisioning directory 1001",
    typescript: "import { MessagingClient } from \"@msgctl/sdk\";\n\nconst client = new MessagingClient();\nconst reply = await client.provisioning.directory(\"1001\");\nconsole.log(reply);",
  },
  reportSipPresence: {
    curl: "curl -X POST \"$MSGCTL_BASE_URL/api/v1/voice/provisioning/sip-presence\" \\\n  -H \"X-API-KEY: $MSGCTL_API_KEY\" \\\n  -H \"X-API-SECRET: $MSGCTL_API_SECRET\" \\\n  -H \"Idempotency-Key: doc-$(date +%s)\" \\\n  -H \"Content-Type: application/json\" \\\n  -d '{\n  \"sipUsername\": \"dana\",\n  \"registered\": true\n}'",
    msgctl: "msgctl provisioning presence --sip-username dana --registered",
    typescript: "import { MessagingClient } from \"@msgctl/sdk\";\n\nconst client = new MessagingClient();\nawait client.provisioning.presence({ sipUsername: \"dana\", registered: true });",
  },
  simulateReply: {
    curl: "curl -X POST \"$MSGCTL_BASE_URL/api/v1/simulator/reply\" \\\n  -H \"X-API-KEY: $MSGCTL_API_KEY\" \\\n  -H \"X-API-SECRET: $MSGCTL_API_SECRET\" \\\n  -H \"Idempotency-Key: doc-$(date +%s)\" \\\n  -H \"Content-Type: application/json\" \\\n  -d '{\n  \"tenantId\": \"17\",\n  \"messageId\": \"msg_01KJQH7VR0X4T8ZB2M6QWEN9KD\",\n  \"replyBody\": \"STOP\"\n}'",
    msgctl: "msgctl simulator reply \\\n  --message-id msg_01KJQH7VR0X4T8ZB2M6QWEN9KD \\\n  --reply-body STOP",
    typescript: "import { MessagingClient } from \"@msgctl/sdk\";\n\nconst client = new MessagingClient();\nconst reply = await client.simulator.reply({\n  tenantId: \"17\",\n  messageId: \"msg_01KJQH7VR0X4T8ZB2M6QWEN9KD\",\n  replyBody: \"STOP\",\n});\nconsole.log(reply);",
  },
};
