// Generated from openapi.yaml by npm run generate. Do not edit.

export interface paths {
    "/api/v1/merchants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the merchants of the tenant
         * @description Every merchant of the tenant with limits, credits and this month's usage, ordered by merchantId. A merchant's credential sees its own merchant only.
         */
        get: operations["listMerchants"];
        put?: never;
        /**
         * Create or update a merchant
         * @description Creates the merchant, or changes the fields that are given. On creation, omitted limits and credits are 0 and `active` is true; on update, omitted fields stay as they are. Needs a tenant's credential.
         */
        post: operations["upsertMerchant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/merchants/{merchantId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one merchant
         * @description Limits, credits and this month's usage of one merchant.
         */
        get: operations["getMerchant"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/consents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List recorded consents
         * @description The present consent of every contact, for all merchants of the tenant or for one, ordered by merchant, channel and contact. A merchant's credential sees its own merchant's only.
         */
        get: operations["listConsents"];
        put?: never;
        /**
         * Record a recipient's opt-in or opt-out
         * @description Creates or replaces the consent of one contact for one merchant and channel. Earlier answers are kept as history. Works for an inactive merchant too, so that an opt-out is never lost. MARKETING needs an OPT_IN on every channel, REMINDER by SMS and voice, TRANSACTIONAL by voice. An OPT_OUT stops everything, except TRANSACTIONAL and OTP by email.
         */
        post: operations["recordConsent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/messages/sms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an SMS for a merchant
         * @description Checks consent and quota, reserves one unit for each segment (160 GSM-7 characters, or 70 of any other script; 153 and 67 when there are several) and queues the message. The reply comes once it is safely stored. Repeat the call with the same Idempotency-Key to read how the message fares.
         */
        post: operations["sendSms"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/messages/voice": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Call a number and speak a text for a merchant
         * @description Checks consent and quota, reserves the estimated minutes and queues a call that speaks the text. Minutes are charged by the answered time, each begun minute whole; an unanswered call is free. A MARKETING call outside 08:00 to 21:00 at the recipient stays QUEUED until the next 08:00.
         */
        post: operations["sendVoice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/messages/email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an email for a merchant
         * @description Checks consent and quota, reserves one unit and queues the email. The body may be HTML.
         */
        post: operations["sendEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sms/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an SMS without naming a merchant
         * @description Sends a TRANSACTIONAL SMS for the tenant's default merchant (`default`, made with the tenant), under the same rules, segments and quota as any other SMS: only an opt-out refuses it. Needs a tenant's credential.
         */
        post: operations["sendDirectSms"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/email/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an email without naming a merchant
         * @description Sends a TRANSACTIONAL email for the tenant's default merchant (`default`, made with the tenant), under the same quota as any other email. Transactional email needs no consent. Needs a tenant's credential.
         */
        post: operations["sendDirectEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/voice/tts-calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List recent calls
         * @description The newest calls first, up to `limit`. Filters combine: a call must match all that are given. A merchant's credential sees its own merchant's only.
         */
        get: operations["listTtsCalls"];
        put?: never;
        /**
         * Speak a text to one number or many
         * @description Turns the text into speech once and calls every number of `toNumber` and `toNumbers` together, duplicates removed; at least one number is needed. One malformed number refuses the whole request. A number refused by consent or quota becomes a REJECTED call with its `policyReason`; only when all are refused is the request refused, with `all_recipients_refused`. Marketing calls outside 08:00 to 21:00 at the recipient are scheduled for the next 08:00. Consent and quota are asked again then, and can still refuse a call; one whose merchant has been made inactive meanwhile is FAILED and says so in its `error`.
         */
        post: operations["createTtsCalls"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/voice/tts-calls/{requestId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one call
         * @description One call with its delivery, its speech and call usage, and its cost. A merchant's credential finds its own merchant's calls only.
         */
        get: operations["getTtsCall"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/voice/tts-calls/batches/{batchId}/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the totals of a batch
         * @description How far a batch is and what it costs. Always holds: success + failed + partial + pending + scheduled = totalCalls; finalizedCount + provisionalCount = totalCalls; totalTtsCost + totalCallCost = provisionalCost + finalizedCost = totalCost.
         */
        get: operations["getTtsBatchSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/voice/tts-calls/batches/{batchId}/numbers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the numbers of a batch
         * @description Delivery and cost of every number of a batch, in the order the numbers were given.
         */
        get: operations["listTtsBatchNumbers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/billing/upgrade": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Buy units for a merchant's channel
         * @description Asks for a payment and, once it succeeds, adds the units to the channel's credits, exactly once. A test tenant's payment is simulated. Where no payment processor is set up for a live tenant, it stays PENDING, with nothing charged, until the operator says how it ended. Give `units`, `amountCents` or both: one gives the other by the price list, and both must agree with it. One upgrade costs at most what the operator allows, 10 000 000 cents by default; past that it is refused with the most named. The reply is the payment's first state; repeat the call with the same Idempotency-Key, which is kept until after the payment's end, to read how it ended. Needs a tenant's credential.
         */
        post: operations["requestUpgrade"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List usage and provider alerts
         * @description Alerts, newest first, for all merchants of the tenant or for one. A usage alert is raised once a month for each merchant, channel and threshold. A merchant's credential sees its own merchant's only.
         */
        get: operations["listAlerts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reports/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what was sent and what it cost
         * @description Counts and costs of SMS and email of the whole tenant over a range of days, both ends included, in the tenant's time zone. Voice costs stand in the text-to-speech views. Needs a tenant's credential.
         */
        get: operations["getUsageReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/merchants/{merchantId}/messaging/brand": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register or update a brand
         * @description Creates the brand, or changes the fields that are given. The same brand is known by provider and providerBrandId, else by externalBrandRef, else by provider and legal name. A status you give is stored as it is, for brands registered elsewhere; without one the brand goes to review. A test tenant's review is simulated, a live tenant's is made by the operator of the service. A refused brand goes to review again once it is changed. `status`, `verificationStatus` and `rawProviderPayload` need a tenant's credential, and so does a change of an approved or suspended brand, but for `externalBrandRef` and the contact. A merchant has at most 20 brands.
         */
        post: operations["registerBrand"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/merchants/{merchantId}/messaging/campaign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register or update a campaign
         * @description Creates the campaign under the merchant's newest approved brand, else its newest, or changes it. The same campaign is known by provider and providerCampaignId, else by campaignReference, else it is new. Lengths and content are judged at review: description 40 to 4096 characters, messageFlow 40 to 2048, 2 to 5 samples of 20 to 1024, the three messages 20 to 320 each. A test tenant's review is simulated, a live tenant's is made by the operator of the service. A status you give is stored as it is, for campaigns registered elsewhere. `status`, `reviewStatus`, `reviewFailureCode`, `reviewFailureReason` and `rawProviderPayload` need a tenant's credential, and so does a change of a campaign that the registry has accepted, but for its reference and keywords; one that was refused goes to review again once it is changed. A merchant has at most 50 campaigns.
         */
        post: operations["registerCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/merchants/{merchantId}/messaging/numbers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register or update a messaging number
         * @description Creates the number, or changes the fields that are given; it is known by its E.164 form within the tenant. With `campaignId` it is assigned as well, under the rules of the assign operation. A status you give is stored as it is; `status` and `assignmentStatus` need a tenant's credential. A merchant has at most 500 numbers.
         */
        post: operations["registerNumber"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/merchants/{merchantId}/messaging/numbers/{numberId}/assign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Assign a number to a campaign
         * @description Starts the assignment; the number becomes ASSIGNED once the carriers confirm. A campaign takes up to 50 numbers, a SOLE_PROPRIETOR one a single number. The number must be able to send SMS and be neither suspended nor released; the campaign must be neither failed, expired nor suspended.
         */
        post: operations["assignNumber"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/merchants/{merchantId}/messaging/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the state of a merchant's registration
         * @description Whether the merchant is ready to send registered SMS, what stands in the way if not, and all its brands, campaigns and numbers, newest first. Ready means that one whole chain is good: an approved and verified brand, an active campaign of it, and an active SMS number assigned to that campaign.
         */
        get: operations["getRegistrationStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/voice/provisioning": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the tenant's voice provisioning
         * @description SIP host and ports, users with their SIP passwords, numbers, ring groups and menus, as the operator imported them. Needs a tenant's credential. Keep the reply out of logs: it holds passwords.
         */
        get: operations["getVoiceProvisioning"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/voice/provisioning/freeswitch/directory/{identifier}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a user's FreeSWITCH directory entry
         * @description The directory document that FreeSWITCH's mod_xml_curl takes for one SIP user, found by username or extension, with
         *     or without `@domain`. An unknown user, one whose voice is off and one without a password are answered with status
         *     200 and a `not found` result, because FreeSWITCH discards any other status. A phone that registers as its extension is
         *     kept under its user's name (the variable `sip-force-user`), so that it is reached by both.
         *
         *     As mod_xml_curl cannot send headers of its own, this one route also accepts HTTP Basic, with the key as user name
         *     and the secret as password, in place of the two headers. Sent together, both must belong to the same tenant.
         *     Query parameters, of which FreeSWITCH adds many, are ignored and never logged. Needs a tenant's credential.
         */
        get: operations["getDirectoryEntry"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/voice/provisioning/sip-presence": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report that a SIP user registered or left
         * @description Registered makes an OFFLINE user AVAILABLE and leaves ON_BREAK and BUSY as they are; not registered makes the user OFFLINE. `browserActive` of the user's ring group entries follows. Needs a tenant's credential.
         */
        post: operations["reportSipPresence"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/simulator/reply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reply to an SMS as its recipient would
         * @description Treats the text as the recipient's answer to a sent SMS. STOP and its like record an OPT_OUT, START (and YES from one who opted out) an OPT_IN, HELP asks for help, anything else is just received. A keyword is answered once with the campaign's own confirmation, which is not charged.
         */
        post: operations["simulateReply"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "voice.tts_call.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A call changed
         * @description Posted when the state of a call, of its dialling or of its playback changed. Those of one call come in order; one that is tried again may come after later ones, so keep what has the later `timestamp`.
         */
        post: operations["onTtsCallUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "voice.tts_call.finalized": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A call is over and priced
         * @description Posted once for each call that was accepted, as the last event of that call.
         */
        post: operations["onTtsCallFinalized"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "voice.tts_batch.finalized": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Every call of a batch is over and priced
         * @description Posted once for each batch, after the events of the call that ended last.
         */
        post: operations["onTtsBatchFinalized"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /** @description Identifier you choose for a merchant, unique within the tenant: 1 to 64 letters, digits, `.`, `_`, `-` or `:`. */
        MerchantId: string;
        /**
         * Format: e164
         * @description A phone number in E.164: `+`, country code and number, without spaces or extension.
         */
        PhoneNumber: string;
        /**
         * Format: email
         * @description One plain email address of at most 254 characters. Upper and lower case are the same; a `+tag` is kept.
         */
        EmailAddress: string;
        /** @description 1 to 255 printable ASCII characters. */
        IdempotencyKey: string;
        /** @description Identifier of a message: `msg_` and a ULID. */
        MessageId: string;
        /**
         * Format: double
         * @description An amount in US dollars with at most six decimals.
         */
        UsdAmount: number;
        /**
         * @description A way to reach a recipient.
         * @enum {string}
         */
        Channel: "SMS" | "VOICE" | "EMAIL";
        /**
         * @description Whether the recipient agreed or refused.
         * @enum {string}
         */
        ConsentStatus: "OPT_IN" | "OPT_OUT";
        /**
         * @description What a message is for; it decides which consent is needed. OTP: a one-time passcode. TRANSACTIONAL: about something the recipient did. REMINDER: about something to come. MARKETING: everything promotional.
         * @enum {string}
         */
        MessageType: "OTP" | "REMINDER" | "MARKETING" | "TRANSACTIONAL";
        /**
         * @description QUEUED: accepted, or put off by a provider. SENDING: being handed to a provider, or handed over and unanswered. SENT: a provider has it. DELIVERED and UNDELIVERED: the delivery receipt. FAILED: no provider took it, nothing is charged. EXPIRED: it came too late. CANCELED: withdrawn. UNKNOWN: no final word within 72 hours; a late receipt may still decide.
         * @enum {string}
         */
        MessageStatus: "QUEUED" | "SENDING" | "SENT" | "DELIVERED" | "UNDELIVERED" | "FAILED" | "EXPIRED" | "CANCELED" | "UNKNOWN";
        /**
         * @description ISO 4217 currency code.
         * @enum {string}
         */
        Currency: "USD";
        /**
         * @description PENDING: requested. REQUIRES_ACTION: the payer must confirm. PROCESSING: under way. SUCCEEDED: paid, and the credits are added. FAILED: refused. CANCELED: withdrawn.
         * @enum {string}
         */
        PaymentStatus: "PENDING" | "REQUIRES_ACTION" | "PROCESSING" | "SUCCEEDED" | "FAILED" | "CANCELED";
        /**
         * @description USAGE_THRESHOLD: a share of the monthly limit is used. PROVIDER_FAILURE: a carrier, or for calls the maker of speech, failed 5 times in a row or 4 of the last 20 times; raised once while that lasts.
         * @enum {string}
         */
        AlertType: "USAGE_THRESHOLD" | "PROVIDER_FAILURE";
        /**
         * @description For usage, INFO at 50 %, WARNING at 80 and 90 %, CRITICAL at 100 %.
         * @enum {string}
         */
        AlertSeverity: "INFO" | "WARNING" | "CRITICAL";
        /**
         * @description PROVISIONAL: some costs may still change. FINAL: safe to bill.
         * @enum {string}
         */
        FreshnessState: "PROVISIONAL" | "FINAL";
        /**
         * @description PERIOD_OPEN: the range is not over. PROVIDER_FINALIZATION_PENDING: some messages have no final state yet. SETTLED: everything is final. NO_USAGE: nothing was sent.
         * @enum {string}
         */
        FreshnessReason: "PROVIDER_FINALIZATION_PENDING" | "PERIOD_OPEN" | "SETTLED" | "NO_USAGE";
        /**
         * @description QUEUED: nothing has begun. SCHEDULED: every call waits for its time. IN_PROGRESS: some are open. COMPLETED: all done, none failed. COMPLETED_WITH_ERRORS: all done, some failed. FAILED: all failed.
         * @enum {string}
         */
        TtsBatchStatus: "QUEUED" | "SCHEDULED" | "IN_PROGRESS" | "COMPLETED" | "COMPLETED_WITH_ERRORS" | "FAILED";
        /**
         * @description How far a call is, in order. SCHEDULED: waits for its time. QUEUED: about to start. SYNTHESIZING: the speech is being made. DIALING: the number is being called. IN_PROGRESS: answered. COMPLETED: over. FAILED: it could not be made or did not get through. REJECTED: consent or quota refused it. CANCELED: withdrawn.
         * @enum {string}
         */
        TtsCallStatus: "QUEUED" | "SCHEDULED" | "SYNTHESIZING" | "DIALING" | "IN_PROGRESS" | "COMPLETED" | "FAILED" | "REJECTED" | "CANCELED";
        /**
         * @description State of the telephone call itself. QUEUED: not dialled yet. INITIATED, RINGING, IN_PROGRESS: dialled, ringing, answered. It ends COMPLETED, BUSY, NO_ANSWER, FAILED or CANCELED.
         * @enum {string}
         */
        CallStatus: "QUEUED" | "INITIATED" | "RINGING" | "IN_PROGRESS" | "COMPLETED" | "BUSY" | "NO_ANSWER" | "FAILED" | "CANCELED";
        /**
         * @description How much of the speech was played: NOT_STARTED, PLAYING, then COMPLETED (to the end), PARTIAL (cut off) or FAILED (it could not be played).
         * @enum {string}
         */
        PlaybackStatus: "NOT_STARTED" | "PLAYING" | "COMPLETED" | "PARTIAL" | "FAILED";
        /**
         * @description SUCCESS: a person heard it all. PARTIAL: voicemail, or hung up while it played. FAILED: neither. PENDING and SCHEDULED: not over yet.
         * @enum {string}
         */
        FinalStatus: "PENDING" | "SCHEDULED" | "SUCCESS" | "PARTIAL" | "FAILED";
        /**
         * @description PROVISIONAL until the call is over and priced; then FINALIZED.
         * @enum {string}
         */
        BillingState: "PROVISIONAL" | "FINALIZED";
        /**
         * @description HIT: the speech existed already and costs nothing. MISS: it was made for this call. PENDING: not decided.
         * @enum {string}
         */
        TtsCacheStatus: "PENDING" | "HIT" | "MISS";
        /**
         * @description Whether a call starts at once or at a set time.
         * @enum {string}
         */
        ExecutionType: "IMMEDIATE" | "SCHEDULED";
        /**
         * @description Order in the queue; nothing else depends on it.
         * @enum {string}
         */
        TtsPriority: "LOW" | "NORMAL" | "HIGH";
        /**
         * @description Why a rule delayed or refused a call. QUIET_HOURS: delayed to 08:00 at the recipient. TIMEZONE_INFERRED: delayed until it is day in every zone that the recipient may be in, as the number tells no more than a country of several. The others: refused.
         * @enum {string}
         */
        PolicyReason: "QUIET_HOURS" | "TIMEZONE_INFERRED" | "CONSENT_REQUIRED" | "CONSENT_OPTED_OUT" | "QUOTA_EXCEEDED";
        /**
         * @description Why a delivery was not a full success. SMS: UNREACHABLE (phone off or out of reach), BLOCKED (by the recipient or the carrier), UNKNOWN_HANDSET (no such phone), LANDLINE, CARRIER_FILTERED (taken for spam), CARRIER_UNKNOWN (the carrier gave no reason), UNREGISTERED_SENDER, TTL_EXPIRED (too late), OPTED_OUT. Voice: BUSY, NO_ANSWER, VOICEMAIL, HANGUP (while it played), FAX, INVALID_NUMBER, TTS_FAILED (no speech could be made).
         * @enum {string}
         */
        DeliveryReason: "UNREACHABLE" | "BLOCKED" | "UNKNOWN_HANDSET" | "LANDLINE" | "CARRIER_FILTERED" | "CARRIER_UNKNOWN" | "UNREGISTERED_SENDER" | "TTL_EXPIRED" | "OPTED_OUT" | "BUSY" | "NO_ANSWER" | "VOICEMAIL" | "HANGUP" | "FAX" | "INVALID_NUMBER" | "TTS_FAILED";
        /**
         * @description TTS: speech made from text. CALL: telephone minutes.
         * @enum {string}
         */
        UsageType: "TTS" | "CALL";
        /**
         * @description What a quantity counts.
         * @enum {string}
         */
        UsageUnit: "CHARACTER" | "MINUTE";
        /**
         * @description Legal form of a brand's business.
         * @enum {string}
         */
        BusinessType: "PRIVATE_PROFIT" | "PUBLIC_PROFIT" | "NON_PROFIT" | "GOVERNMENT" | "SOLE_PROPRIETOR";
        /**
         * @description How far a brand is. DRAFT: not submitted. PENDING: submitted. IN_REVIEW: being looked at. APPROVED: campaigns may use it. FAILED: refused. SUSPENDED: stopped after approval.
         * @enum {string}
         */
        BrandStatus: "DRAFT" | "PENDING" | "IN_REVIEW" | "APPROVED" | "FAILED" | "SUSPENDED";
        /**
         * @description How well the brand is identified. SELF_DECLARED: by its own word. UNVERIFIED: not, or not yet. VERIFIED: by the registry. VETTED_VERIFIED: by a vetting agency as well.
         * @enum {string}
         */
        BrandVerificationStatus: "SELF_DECLARED" | "UNVERIFIED" | "VERIFIED" | "VETTED_VERIFIED";
        /**
         * @description A use case of The Campaign Registry.
         * @enum {string}
         */
        CampaignUseCase: "2FA" | "ACCOUNT_NOTIFICATION" | "CUSTOMER_CARE" | "DELIVERY_NOTIFICATION" | "FRAUD_ALERT" | "HIGHER_EDUCATION" | "LOW_VOLUME" | "M2M" | "MARKETING" | "MIXED" | "POLLING_VOTING" | "PUBLIC_SERVICE_ANNOUNCEMENT" | "SECURITY_ALERT" | "AGENTS_FRANCHISES" | "CARRIER_EXEMPT" | "CHARITY" | "EMERGENCY" | "K12_EDUCATION" | "POLITICAL" | "PROXY" | "SOCIAL" | "SOLE_PROPRIETOR" | "SWEEPSTAKE";
        /**
         * @description How far a campaign is. PENDING: in review. ACTIVE: may be used. EXPIRED: not renewed. SUSPENDED: stopped. FAILED: refused.
         * @enum {string}
         */
        CampaignStatus: "PENDING" | "ACTIVE" | "EXPIRED" | "SUSPENDED" | "FAILED";
        /**
         * @description Step of the review: by the registry (TCR), the provider, then the mobile networks (MNO). MNO_PROVISIONED makes the campaign ACTIVE.
         * @enum {string}
         */
        CampaignReviewStatus: "TCR_PENDING" | "TCR_ACCEPTED" | "TCR_FAILED" | "TCR_SUSPENDED" | "TCR_EXPIRED" | "PROVIDER_ACCEPTED" | "PROVIDER_FAILED" | "MNO_PENDING" | "MNO_ACCEPTED" | "MNO_REJECTED" | "MNO_PROVISIONED" | "MNO_PROVISIONING_FAILED";
        /**
         * @description State of a number. PENDING: being ordered. ACTIVE: in use. SUSPENDED: stopped for now. RELEASED: given back.
         * @enum {string}
         */
        NumberStatus: "PENDING" | "ACTIVE" | "SUSPENDED" | "RELEASED";
        /**
         * @description How far the assignment of a number to a campaign is: from UNASSIGNED over PENDING_ASSIGNMENT to ASSIGNED or FAILED_ASSIGNMENT, and back over PENDING_UNASSIGNMENT, which can end as FAILED_UNASSIGNMENT.
         * @enum {string}
         */
        NumberAssignmentStatus: "UNASSIGNED" | "PENDING_ASSIGNMENT" | "ASSIGNED" | "FAILED_ASSIGNMENT" | "PENDING_UNASSIGNMENT" | "FAILED_UNASSIGNMENT";
        /**
         * @description What a number can be used for.
         * @enum {string}
         */
        NumberCapability: "SMS" | "MMS" | "VOICE" | "FAX";
        /**
         * @description The first thing that stands between the merchant's best chain of brand, campaign and number and readiness.
         * @enum {string}
         */
        RegistrationBlockingReason: "MERCHANT_INACTIVE" | "BRAND_MISSING" | "BRAND_FAILED" | "BRAND_SUSPENDED" | "BRAND_PENDING" | "BRAND_UNVERIFIED" | "CAMPAIGN_MISSING" | "CAMPAIGN_REJECTED" | "CAMPAIGN_SUSPENDED" | "CAMPAIGN_EXPIRED" | "CAMPAIGN_PENDING" | "NUMBER_MISSING" | "NUMBER_INACTIVE" | "NUMBER_NOT_SMS_CAPABLE" | "NUMBER_UNASSIGNED" | "NUMBER_ASSIGNMENT_FAILED" | "NUMBER_ASSIGNMENT_PENDING";
        /**
         * @description Whether a user can take calls. OFFLINE: no phone is registered. AVAILABLE: yes. ON_BREAK, BUSY: a phone is registered, but not now.
         * @enum {string}
         */
        AgentStatus: "OFFLINE" | "AVAILABLE" | "ON_BREAK" | "BUSY";
        /**
         * @description How members of a group are called. RING_ALL: all at once. SEQUENTIAL: one after the other, by priority. ROUND_ROBIN: in turn. LONGEST_IDLE: whoever has waited longest.
         * @enum {string}
         */
        RoutingStrategy: "RING_ALL" | "SEQUENTIAL" | "ROUND_ROBIN" | "LONGEST_IDLE";
        /**
         * @description What a menu does with a caller: rings a group (RING_GROUP) or one USER, forwards to a number (FORWARD), takes a message (VOICEMAIL), opens another menu (SUBMENU), plays the menu again (REPEAT) or ends the call (HANGUP).
         * @enum {string}
         */
        MenuAction: "RING_GROUP" | "USER" | "FORWARD" | "VOICEMAIL" | "SUBMENU" | "REPEAT" | "HANGUP";
        /**
         * @description A day of the week.
         * @enum {string}
         */
        Weekday: "MONDAY" | "TUESDAY" | "WEDNESDAY" | "THURSDAY" | "FRIDAY" | "SATURDAY" | "SUNDAY";
        /**
         * @description What a reply brought about. OPTED_OUT, OPTED_IN: the consent was changed. HELP_SENT: the help message was sent. RECEIVED: nothing more.
         * @enum {string}
         */
        ReplyOutcome: "OPTED_OUT" | "OPTED_IN" | "HELP_SENT" | "RECEIVED";
        /**
         * @description Stable name of a problem. One code always has the same status and title.
         * @enum {string}
         */
        ProblemCode: "malformed_http" | "malformed_json" | "validation_error" | "invalid_phone_number" | "invalid_email" | "invalid_timezone" | "invalid_date_range" | "idempotency_key_invalid" | "idempotency_key_conflict" | "credentials_missing" | "credentials_invalid" | "credentials_revoked" | "quota_exceeded" | "merchant_scope_denied" | "tenant_mismatch" | "merchant_inactive" | "route_not_found" | "merchant_not_found" | "message_not_found" | "call_not_found" | "batch_not_found" | "brand_not_found" | "campaign_not_found" | "number_not_found" | "sip_user_not_found" | "method_not_allowed" | "not_acceptable" | "request_timeout" | "idempotency_in_progress" | "number_already_registered" | "campaign_reference_conflict" | "illegal_transition" | "payload_too_large" | "unsupported_media_type" | "consent_required" | "consent_opted_out" | "idempotency_key_reused" | "registration_limit" | "campaign_number_limit" | "number_not_sms_capable" | "reply_not_supported" | "all_recipients_refused" | "rate_limited" | "headers_too_large" | "internal_error" | "outcome_unknown" | "unavailable";
        /** @description Why a request was refused (RFC 9457). */
        Problem: {
            /**
             * Format: uri-reference
             * @description Page that explains the code: `/docs/errors/<code>`, relative to the address of the service.
             */
            type: string;
            /** @description The code in words; the same for every occurrence. */
            title: string;
            /**
             * Format: int32
             * @description The HTTP status.
             */
            status: number;
            /** @description What happened this time and what to do. */
            detail: string;
            /** @description Path of the refused request, without its query; `/` where none could be read. */
            instance: string;
            /** @description Stable name to act on. New codes may be added. */
            code: components["schemas"]["ProblemCode"] | (string & {});
            /** @description Identifier of the request, as in X-Request-Id. */
            requestId: string;
            /** @description Every fault of the request, up to 100, or for `all_recipients_refused` the reason for each number, up to as many. `moreFaults` counts the rest. */
            errors?: components["schemas"]["FieldProblem"][];
            /**
             * Format: int32
             * @description How many faults there are beside those in `errors`. Absent when `errors` has them all.
             */
            moreFaults?: number;
            /** @description For `quota_exceeded`: the channel. */
            channel?: components["schemas"]["Channel"] | (string & {});
            /**
             * Format: int64
             * @description For `quota_exceeded`: the units left, limit and credits together.
             */
            available?: number;
            /**
             * Format: int64
             * @description For `quota_exceeded`: the units needed.
             */
            required?: number;
            /**
             * Format: int64
             * @description For `quota_exceeded`: a limit of the month that has room for the send and more, to set in place of the present one.
             */
            suggestedLimit?: number;
            /** @description For `quota_exceeded` and `merchant_inactive`: the merchant. */
            merchantId?: string;
            /** @description For `quota_exceeded` and `merchant_inactive`: the merchant's name, which an update of it has to repeat. */
            displayName?: string;
        };
        /** @description One fault of a request. */
        FieldProblem: {
            /** @description Where the fault is, as a JSON Pointer into the body (`/toNumbers/3`), or `/path/…`, `/query/…`, `/header/…` and the parameter's name. */
            pointer: string;
            /** @description What is wrong: a problem code such as `invalid_phone_number`, or one of required, unknown_field, wrong_type, not_allowed, wrong_pattern, wrong_format, invalid_characters, too_short, too_long, too_few, too_many, out_of_range, duplicate, invalid_date, invalid_uri, invalid. Faults that are all of one problem code give it to the whole problem. */
            code: string;
            /** @description What was received and what is allowed. */
            detail: string;
        };
        V1MerchantUpsertRequest: {
            /** @description Identifier of the merchant to create or update. */
            merchantId: components["schemas"]["MerchantId"];
            /** @description Name shown to people, 1 to 200 characters. */
            displayName: string;
            /** @description Whether the merchant may send. Omitted: true on creation, unchanged on update. */
            active?: boolean | undefined;
            /**
             * Format: int64
             * @description SMS segments a month. Omitted: 0 on creation, unchanged on update.
             */
            smsLimit?: number | bigint | undefined;
            /**
             * Format: int64
             * @description Voice minutes a month. Omitted: 0 on creation, unchanged on update.
             */
            voiceMinutesLimit?: number | bigint | undefined;
            /**
             * Format: int64
             * @description Emails a month. Omitted: 0 on creation, unchanged on update.
             */
            emailLimit?: number | bigint | undefined;
            /**
             * Format: int64
             * @description SMS segments beyond the limit; used once it is spent. Omitted: 0 on creation, unchanged on update.
             */
            smsCredits?: number | bigint | undefined;
            /**
             * Format: int64
             * @description Voice minutes beyond the limit. Omitted: 0 on creation, unchanged on update.
             */
            voiceMinutesCredits?: number | bigint | undefined;
            /**
             * Format: int64
             * @description Emails beyond the limit. Omitted: 0 on creation, unchanged on update.
             */
            emailCredits?: number | bigint | undefined;
        };
        /** @description A merchant with its limits, credits and the usage of the current month. */
        MerchantView: {
            /** @description Identifier of the merchant. */
            merchantId: components["schemas"]["MerchantId"];
            /** @description Name shown to people. */
            displayName: string;
            /** @description Whether the merchant may send. */
            active: boolean;
            /** @description Units the merchant may use each calendar month, in the tenant's time zone. */
            limits: {
                /**
                 * Format: int64
                 * @description SMS segments a month.
                 */
                smsLimit: number;
                /**
                 * Format: int64
                 * @description Voice minutes a month.
                 */
                voiceMinutesLimit: number;
                /**
                 * Format: int64
                 * @description Emails a month.
                 */
                emailLimit: number;
            };
            /** @description Units beyond the limits. They are used once the month's limit is spent and do not lapse. */
            credits: {
                /**
                 * Format: int64
                 * @description SMS segments left.
                 */
                smsCredits: number;
                /**
                 * Format: int64
                 * @description Voice minutes left.
                 */
                voiceMinutesCredits: number;
                /**
                 * Format: int64
                 * @description Emails left.
                 */
                emailCredits: number;
            };
            /** @description Units used since the month began. Units reserved by sends under way are not yet among them. */
            usage: {
                /**
                 * Format: int64
                 * @description SMS segments used.
                 */
                smsUsed: number;
                /**
                 * Format: int64
                 * @description Voice minutes used.
                 */
                voiceUsed: number;
                /**
                 * Format: int64
                 * @description Emails used.
                 */
                emailUsed: number;
                /**
                 * Format: date
                 * @description First day of the current month, YYYY-MM-DD.
                 */
                periodStart: string;
            };
        };
        V1MerchantConsentRequest: {
            /** @description The merchant the consent is for. */
            merchantId: components["schemas"]["MerchantId"];
            /** @description The channel the consent is for. */
            channel: components["schemas"]["Channel"];
            /** @description The recipient: an E.164 phone number for SMS and VOICE, an email address for EMAIL. */
            contact: string;
            /** @description What the recipient decided. */
            status: components["schemas"]["ConsentStatus"];
            /** @description Where the consent was captured, such as a form or a workflow, 1 to 200 characters. */
            source?: string | undefined;
        };
        /** @description What one contact decided for one merchant and channel. */
        ConsentView: {
            /** @description The merchant the consent is for. */
            merchantId: components["schemas"]["MerchantId"];
            /** @description The channel the consent is for. */
            channel: components["schemas"]["Channel"] | (string & {});
            /** @description The recipient, normalised: E.164, or an email address in lower case. */
            contact: string;
            /** @description What the recipient decided last. */
            status: components["schemas"]["ConsentStatus"] | (string & {});
            /** @description Where the consent was captured; `SMS_REPLY:<WORD>` for a reply. null when it was not said. */
            source: string | null;
            /**
             * Format: date-time
             * @description When it was recorded.
             */
            updatedAt: string;
        };
        V1OmniSmsSendRequest: {
            /** @description The merchant that sends. */
            merchantId: components["schemas"]["MerchantId"];
            /** @description The recipient's number in E.164. */
            to: components["schemas"]["PhoneNumber"];
            /** @description The text, 1 to 1600 characters. */
            message: string;
            /** @description What the message is for. */
            type: components["schemas"]["MessageType"];
        };
        V1OmniVoiceSendRequest: {
            /** @description The merchant that calls. */
            merchantId: components["schemas"]["MerchantId"];
            /** @description The number to call, in E.164. */
            to: components["schemas"]["PhoneNumber"];
            /** @description What is spoken, 1 to 3000 characters. */
            text: string;
            /** @description What the call is for. */
            type: components["schemas"]["MessageType"];
            /**
             * @description Whether the call is recorded. Omitted: it is not.
             * @default false
             */
            record?: boolean | undefined;
            /**
             * Format: int32
             * @description Seconds to let it ring, 5 to 600. Omitted: 30.
             * @default 30
             */
            timeoutSeconds?: number | undefined;
        };
        V1OmniEmailSendRequest: {
            /** @description The merchant that sends. */
            merchantId: components["schemas"]["MerchantId"];
            /** @description The recipient's address. */
            to: components["schemas"]["EmailAddress"];
            /** @description The subject, 1 to 998 characters on one line. */
            subject: string;
            /** @description The content, plain or HTML, 1 character to 1 MiB. */
            body: string;
            /** @description What the email is for. */
            type: components["schemas"]["MessageType"];
        };
        /** @description A message that was accepted for a merchant. */
        DispatchResponse: {
            /** @description The merchant that sends. */
            merchantId: components["schemas"]["MerchantId"];
            /** @description How it is sent. */
            channel: components["schemas"]["Channel"] | (string & {});
            /** @description Identifier of the message: `msg_` and a ULID. */
            messageId: components["schemas"]["MessageId"];
            /** @description QUEUED on acceptance; the present state when the call is repeated with its key. */
            status: components["schemas"]["MessageStatus"] | (string & {});
        };
        V1SmsSendRequest: {
            /** @description The recipient's number in E.164. */
            to: components["schemas"]["PhoneNumber"];
            /** @description The text, 1 to 1600 characters. */
            message: string;
        };
        V1EmailSendRequest: {
            /** @description The recipient's address. */
            to: components["schemas"]["EmailAddress"];
            /** @description The subject, 1 to 998 characters on one line. Omitted: the email has none. */
            subject?: string | undefined;
            /** @description The content, plain or HTML, 1 character to 1 MiB. */
            body: string;
        };
        /** @description A message that was accepted for the default merchant. */
        V1MessageResponse: {
            /** @description Identifier of the message: `msg_` and a ULID. */
            messageId: components["schemas"]["MessageId"];
            /** @description QUEUED on acceptance; the present state when the call is repeated with its key. */
            status: components["schemas"]["MessageStatus"] | (string & {});
        };
        /** @description At least one of toNumber and toNumbers is needed. */
        V1VoiceTtsCallRequest: {
            /** @description The merchant that calls. */
            merchantId: components["schemas"]["MerchantId"];
            /** @description What is spoken, 1 to 3000 characters (Unicode code points, white space included). */
            messageText: string;
            /** @description What the calls are for. OTP, TRANSACTIONAL, REMINDER and MARKETING are recognised in upper and lower case and set the consent needed; anything else counts as MARKETING. */
            useCase: string;
            /** @description Label of the platform account the calls are for. It authorises nothing. */
            platformAccountId?: string | undefined;
            /** @description Label of a sub-tenant of yours. It authorises nothing. Omitted: the tenant's own id. */
            tenantId?: string | undefined;
            /** @description Label of the system that asks. */
            sourceSystem?: string | undefined;
            /** @description Label of a campaign of yours. */
            campaignId?: string | undefined;
            /** @description Name of that campaign. */
            campaignName?: string | undefined;
            /** @description One number to call, in E.164. */
            toNumber?: components["schemas"]["PhoneNumber"] | undefined;
            /** @description Numbers to call, in E.164, 1 to 10000. */
            toNumbers?: components["schemas"]["PhoneNumber"][] | undefined;
            /**
             * @description Language of the text, as a BCP 47 tag. Omitted: en-US.
             * @default en-US
             */
            language?: string | undefined;
            /**
             * @description Name of the voice. Omitted: `default`.
             * @default default
             */
            voiceProfile?: string | undefined;
            /**
             * Format: iana-timezone
             * @description IANA time zone of the recipients, for quiet hours. Omitted: from each number's area code or country.
             */
            customerTimezone?: string | undefined;
            /**
             * @description Order in the queue. Omitted: NORMAL.
             * @default NORMAL
             */
            priority?: components["schemas"]["TtsPriority"] | undefined;
            /**
             * Format: uri
             * @description Where signed progress events are posted. Must be https and publicly reachable, unless the operator allows otherwise. A URL with a user name or password in it (`https://user:pass@…`) is refused: the signature tells who posts.
             */
            callbackUrl?: string | undefined;
            /** @description The same as the Idempotency-Key header. When both are given they must be equal. */
            idempotencyKey?: components["schemas"]["IdempotencyKey"] | undefined;
        };
        /** @description An accepted batch of calls; a single number makes a batch of one. */
        VoiceTtsSubmissionView: {
            /** @description Identifier of the batch, a decimal number. */
            batchId: string;
            /** @description Identifier of the call when there is one number; null for several. */
            requestId: string | null;
            /** @description State of the batch. */
            status: components["schemas"]["TtsBatchStatus"] | (string & {});
            /** @description SCHEDULED when every call waits for its time. */
            executionType: components["schemas"]["ExecutionType"] | (string & {});
            /**
             * Format: date-time
             * @description When the first scheduled call starts; null when none is scheduled.
             */
            scheduledAt: string | null;
            /** @description Why a rule delayed or refused calls; null when none did. */
            policyReason: components["schemas"]["PolicyReason"] | (string & {}) | null;
            /** @description The merchant that calls. */
            merchantId: components["schemas"]["MerchantId"];
            /** @description Label from the request; null when it was not given. */
            platformAccountId: string | null;
            /** @description Sub-tenant label from the request, else the tenant's own id. */
            tenantId: string;
            /** @description Label from the request; null when it was not given. */
            sourceSystem: string | null;
            /** @description What the calls are for. */
            useCase: string;
            /** @description Label from the request; null when it was not given. */
            campaignId: string | null;
            /** @description Name from the request; null when it was not given. */
            campaignName: string | null;
            /** @description The number when there is one; null for several. */
            toNumber: string | null;
            /** @description Language of the text. */
            language: string;
            /** @description Name of the voice. */
            voiceProfile: string;
            /**
             * Format: int32
             * @description Calls in the batch.
             */
            totalCalls: number;
            /**
             * Format: int32
             * @description Calls heard to the end.
             */
            successCount: number;
            /**
             * Format: int32
             * @description Calls that failed, the rejected ones included.
             */
            failedCount: number;
            /**
             * Format: int32
             * @description Calls heard in part.
             */
            partialCount: number;
            /**
             * Format: int32
             * @description Calls under way or about to start.
             */
            pendingCount: number;
            /**
             * Format: int32
             * @description Calls that wait for their time.
             */
            scheduledCount: number;
            /**
             * Format: int32
             * @description Characters to speak, over all calls.
             */
            estimatedTtsCharacters: number;
            /** @description Estimated cost of the speech in US dollars, as if none existed yet. */
            estimatedTtsCost: components["schemas"]["UsdAmount"];
            /** @description Estimated cost of the minutes in US dollars, as if all were answered. */
            estimatedCallCost: components["schemas"]["UsdAmount"];
            /** @description The sum of both in US dollars. */
            totalEstimatedCost: components["schemas"]["UsdAmount"];
        };
        /** @description One call with its delivery, usage and cost. */
        VoiceTtsCallView: {
            /** @description Identifier of the call, a decimal number. */
            requestId: string;
            /** @description Identifier of its batch, a decimal number. */
            batchId: string;
            /** @description How far the call is. */
            status: components["schemas"]["TtsCallStatus"] | (string & {});
            /** @description State of the telephone call: QUEUED until it is dialled, CANCELED when it never will be. */
            callStatus: components["schemas"]["CallStatus"] | (string & {});
            /** @description How much of the speech was played. */
            playbackStatus: components["schemas"]["PlaybackStatus"] | (string & {});
            /** @description The outcome, or PENDING or SCHEDULED before there is one. */
            finalStatus: components["schemas"]["FinalStatus"] | (string & {});
            /** @description The merchant that calls. */
            merchantId: components["schemas"]["MerchantId"];
            /** @description Label from the request; null when it was not given. */
            platformAccountId: string | null;
            /** @description Sub-tenant label from the request, else the tenant's own id. */
            tenantId: string;
            /** @description Label from the request; null when it was not given. */
            sourceSystem: string | null;
            /** @description What the call is for. */
            useCase: string;
            /** @description Label from the request; null when it was not given. */
            campaignId: string | null;
            /** @description Name from the request; null when it was not given. */
            campaignName: string | null;
            /** @description The number called, in E.164. */
            toNumber: string;
            /** @description Language of the text. */
            language: string;
            /** @description Name of the voice. */
            voiceProfile: string;
            /** @description Provider of the speech; null before it is chosen. */
            provider: string | null;
            /** @description Model of the speech; null before it is chosen. */
            model: string | null;
            /** @description Whether the speech existed already. */
            ttsCacheStatus: components["schemas"]["TtsCacheStatus"] | (string & {});
            /** @description PROVISIONAL until the call is over and priced, then FINALIZED. */
            billingState: components["schemas"]["BillingState"] | (string & {});
            /** @description The carrier's identifier of the call; null before it is dialled. */
            providerCallId: string | null;
            /** @description Whether it started at once or at a set time. */
            executionType: components["schemas"]["ExecutionType"] | (string & {});
            /** @description IANA time zone used for quiet hours; null when they did not apply. */
            executionTimezone: string | null;
            /**
             * Format: date-time
             * @description When it is to start; null when it was not scheduled.
             */
            scheduledAt: string | null;
            /**
             * Format: date-time
             * @description When it started; null before that.
             */
            executedAt: string | null;
            /** @description Why a rule delayed or refused it; null when none did. */
            policyReason: components["schemas"]["PolicyReason"] | (string & {}) | null;
            /** @description Order in the queue. */
            requestedPriority: components["schemas"]["TtsPriority"] | (string & {});
            /**
             * Format: date-time
             * @description When it was accepted.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updatedAt: string;
            /**
             * Format: date-time
             * @description When it ended; null before that.
             */
            completedAt: string | null;
            /** @description What failed in words; null when nothing did. */
            error: string | null;
            /** @description Why it was not a full success; null when it was or is not over. */
            deliveryReason: components["schemas"]["DeliveryReason"] | (string & {}) | null;
            /**
             * Format: int64
             * @description Identifier of the speech; null before it exists.
             */
            ttsAssetId: number | null;
            /**
             * Format: int64
             * @description Identifier of the telephone session; null before it is dialled.
             */
            callSessionId: number | null;
            /**
             * Format: int32
             * @description Answered time in seconds, 0 when nobody answered; null before the end.
             */
            callDurationSeconds: number | null;
            /**
             * Format: int32
             * @description How often it was handed to the carrier.
             */
            attemptCount: number;
            /**
             * Format: int32
             * @description Characters of the text.
             */
            estimatedTtsCharacters: number;
            /**
             * Format: int32
             * @description Characters synthesized, 0 for a HIT; null before that is known.
             */
            actualTtsCharacters: number | null;
            /** @description Estimated cost of the speech in US dollars. */
            estimatedTtsCost: components["schemas"]["UsdAmount"];
            /** @description Estimated cost of the minutes in US dollars. */
            estimatedCallCost: components["schemas"]["UsdAmount"];
            /**
             * Format: double
             * @description Cost of the speech in US dollars; null before it is known.
             */
            actualTtsCost: number | null;
            /**
             * Format: double
             * @description Cost of the minutes in US dollars; null before it is known.
             */
            actualCallCost: number | null;
            /** @description Total in US dollars, actual where known and estimated where not. */
            projectedTotalCost: components["schemas"]["UsdAmount"];
            /** @description What was used, one line for the speech and one for the minutes; empty before that is known. */
            usage: components["schemas"]["VoiceTtsUsageView"][];
        };
        /** @description One line of usage. baseCost + markupCost = finalCost. */
        VoiceTtsUsageView: {
            /** @description Speech or minutes. */
            usageType: components["schemas"]["UsageType"] | (string & {});
            /** @description What quantity counts. */
            unit: components["schemas"]["UsageUnit"] | (string & {});
            /** @description Who provided it. */
            provider: string;
            /** @description Model of the speech; null for minutes. */
            providerModel: string | null;
            /**
             * Format: date-time
             * @description When it was used.
             */
            eventTime: string;
            /**
             * Format: double
             * @description How many units.
             */
            quantity: number;
            /** @description The provider's price in US dollars. */
            baseCost: components["schemas"]["UsdAmount"];
            /** @description The markup in US dollars. */
            markupCost: components["schemas"]["UsdAmount"];
            /** @description What is charged in US dollars. */
            finalCost: components["schemas"]["UsdAmount"];
        };
        /** @description Totals of a batch. */
        VoiceTtsBatchSummaryView: {
            /** @description Identifier of the batch, a decimal number. */
            batchId: string;
            /** @description State of the batch. */
            status: components["schemas"]["TtsBatchStatus"] | (string & {});
            /** @description The merchant that calls. */
            merchantId: components["schemas"]["MerchantId"];
            /** @description Label from the request; null when it was not given. */
            platformAccountId: string | null;
            /** @description Sub-tenant label from the request, else the tenant's own id. */
            tenantId: string;
            /** @description Label from the request; null when it was not given. */
            sourceSystem: string | null;
            /** @description What the calls are for. */
            useCase: string;
            /** @description Label from the request; null when it was not given. */
            campaignId: string | null;
            /** @description Name from the request; null when it was not given. */
            campaignName: string | null;
            /**
             * Format: date-time
             * @description When the batch was accepted.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When one of its calls last changed.
             */
            updatedAt: string;
            /**
             * Format: date-time
             * @description When the last call ended; null before that.
             */
            completedAt: string | null;
            /**
             * Format: int32
             * @description Calls in the batch.
             */
            totalCalls: number;
            /**
             * Format: int32
             * @description Calls heard to the end.
             */
            success: number;
            /**
             * Format: int32
             * @description Calls that failed, the rejected ones included.
             */
            failed: number;
            /**
             * Format: int32
             * @description Calls heard in part.
             */
            partial: number;
            /**
             * Format: int32
             * @description Calls under way or about to start.
             */
            pending: number;
            /**
             * Format: int32
             * @description Calls that wait for their time.
             */
            scheduled: number;
            /**
             * Format: int32
             * @description Calls that are over and priced.
             */
            finalizedCount: number;
            /**
             * Format: int32
             * @description Calls whose cost may still change.
             */
            provisionalCount: number;
            /**
             * Format: int32
             * @description Calls whose speech existed already.
             */
            ttsCacheHits: number;
            /**
             * Format: int32
             * @description Calls whose speech was synthesized.
             */
            ttsCacheMisses: number;
            /**
             * Format: double
             * @description Hits by hits and misses together, from 0 to 1; 0 when there are none.
             */
            ttsCacheHitRatio: number;
            /** @description Projected cost in US dollars of the calls not yet finalized. */
            provisionalCost: components["schemas"]["UsdAmount"];
            /** @description Cost in US dollars of the finalized calls. */
            finalizedCost: components["schemas"]["UsdAmount"];
            /** @description Cost of all speech in US dollars, projected where not final. */
            totalTtsCost: components["schemas"]["UsdAmount"];
            /** @description Cost of all minutes in US dollars, projected where not final. */
            totalCallCost: components["schemas"]["UsdAmount"];
            /** @description The whole cost in US dollars. */
            totalCost: components["schemas"]["UsdAmount"];
        };
        /** @description Delivery and cost of one number of a batch. */
        VoiceTtsBatchNumberView: {
            /** @description Identifier of the call, a decimal number. */
            requestId: string;
            /** @description The number called, in E.164. */
            toNumber: string;
            /** @description State of the telephone call. */
            callStatus: components["schemas"]["CallStatus"] | (string & {});
            /** @description How much of the speech was played. */
            playbackStatus: components["schemas"]["PlaybackStatus"] | (string & {});
            /** @description The outcome, or PENDING or SCHEDULED before there is one. */
            finalStatus: components["schemas"]["FinalStatus"] | (string & {});
            /** @description Whether it started at once or at a set time. */
            executionType: components["schemas"]["ExecutionType"] | (string & {});
            /** @description IANA time zone used for quiet hours; null when they did not apply. */
            executionTimezone: string | null;
            /**
             * Format: date-time
             * @description When it is to start; null when it was not scheduled.
             */
            scheduledAt: string | null;
            /**
             * Format: date-time
             * @description When it started; null before that.
             */
            executedAt: string | null;
            /** @description Whether the speech existed already. */
            ttsCacheStatus: components["schemas"]["TtsCacheStatus"] | (string & {});
            /** @description PROVISIONAL until the call is over and priced, then FINALIZED. */
            billingState: components["schemas"]["BillingState"] | (string & {});
            /** @description Why it was not a full success; null when it was or is not over. */
            deliveryReason: components["schemas"]["DeliveryReason"] | (string & {}) | null;
            /** @description Order in the queue. */
            requestedPriority: components["schemas"]["TtsPriority"] | (string & {});
            /**
             * Format: date-time
             * @description When it ended; null before that.
             */
            completedAt: string | null;
            /**
             * Format: int32
             * @description Answered time in seconds, 0 when nobody answered; null before the end.
             */
            durationSeconds: number | null;
            /**
             * Format: int32
             * @description Characters synthesized, 0 for a HIT; null before that is known.
             */
            ttsCharacters: number | null;
            /**
             * Format: int64
             * @description Identifier of the speech; null before it exists.
             */
            ttsAssetId: number | null;
            /**
             * Format: double
             * @description Cost of the speech in US dollars; null before it is known.
             */
            ttsCost: number | null;
            /**
             * Format: double
             * @description Cost of the minutes in US dollars; null before it is known.
             */
            callCost: number | null;
            /**
             * Format: double
             * @description The sum of both in US dollars; null before both are known.
             */
            totalCost: number | null;
            /** @description Total in US dollars, actual where known and estimated where not. */
            projectedTotalCost: components["schemas"]["UsdAmount"];
        };
        /** @description A call changed. */
        VoiceTtsCallUpdatedEvent: {
            /**
             * @description What happened.
             * @constant
             */
            type: "voice.tts_call.updated";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The call as it then was. */
            data: components["schemas"]["VoiceTtsCallView"];
        };
        /** @description A call is over and priced. */
        VoiceTtsCallFinalizedEvent: {
            /**
             * @description What happened.
             * @constant
             */
            type: "voice.tts_call.finalized";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The call as it stays. */
            data: components["schemas"]["VoiceTtsCallView"];
        };
        /** @description Every call of a batch is over and priced. */
        VoiceTtsBatchFinalizedEvent: {
            /**
             * @description What happened.
             * @constant
             */
            type: "voice.tts_batch.finalized";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The totals of the batch. */
            data: components["schemas"]["VoiceTtsBatchSummaryView"];
        };
        /** @description At least one of units and amountCents is needed. */
        V1MerchantUpgradeRequest: {
            /** @description The merchant that gets the credits. */
            merchantId: components["schemas"]["MerchantId"];
            /** @description The channel to add credits to. */
            channel: components["schemas"]["Channel"];
            /**
             * Format: int64
             * @description SMS segments, voice minutes or emails to buy. Omitted: what amountCents buys.
             */
            units?: number | bigint | undefined;
            /**
             * Format: int64
             * @description What to charge, in US cents. Omitted: the price of the units, rounded up to a whole cent.
             */
            amountCents?: number | bigint | undefined;
            /** @description Identifier of a stored payment method, as a number or as text. Omitted: the tenant's default method. */
            paymentMethodId?: number | bigint | string | undefined;
            /**
             * @description Currency of the charge. Omitted: USD.
             * @default USD
             */
            currency?: components["schemas"]["Currency"] | undefined;
            /** @description Note for yourselves, 1 to 500 characters. */
            note?: string | undefined;
            /** @description Your own reference, such as a purchase order, 1 to 128 characters. */
            referenceId?: string | undefined;
        };
        /** @description A payment for more units. */
        MerchantUpgradeView: {
            /** @description The merchant that gets the credits. */
            merchantId: components["schemas"]["MerchantId"];
            /** @description The channel the credits are for. */
            channel: components["schemas"]["Channel"] | (string & {});
            /**
             * Format: int64
             * @description Units bought.
             */
            unitsRequested: number;
            /**
             * Format: int64
             * @description The charge, in cents of the currency.
             */
            amountCents: number;
            /** @description ISO 4217 currency code. */
            currency: components["schemas"]["Currency"] | (string & {});
            /** @description Identifier of the payment: `pay_` and a ULID. */
            paymentId: string;
            /** @description State of the payment; PENDING at first. */
            paymentStatus: components["schemas"]["PaymentStatus"] | (string & {});
            /** @description Whether the credits were added; true only with SUCCEEDED. */
            fulfilled: boolean;
            /**
             * Format: int64
             * @description Credits the channel now has.
             */
            remainingCredits: number;
        };
        /** @description One alert. */
        AlertView: {
            /** @description The merchant concerned. */
            merchantId: components["schemas"]["MerchantId"];
            /** @description The channel concerned. */
            channel: components["schemas"]["Channel"] | (string & {});
            /** @description What the alert is about. */
            alertType: components["schemas"]["AlertType"] | (string & {});
            /** @description How urgent it is. */
            severity: components["schemas"]["AlertSeverity"] | (string & {});
            /** @description The alert in words. */
            message: string;
            /**
             * Format: int32
             * @description Share of the monthly limit that was reached: 50, 80, 90 or 100. null for PROVIDER_FAILURE.
             */
            thresholdPercent: number | null;
            /**
             * Format: date-time
             * @description When it was raised.
             */
            createdAt: string;
        };
        /** @description Counts and costs over a range of days. providerCost + hqMarkup = finalCharges. */
        V1UsageReportResponse: {
            /**
             * Format: date
             * @description First day, YYYY-MM-DD.
             */
            from: string;
            /**
             * Format: date
             * @description Last day, YYYY-MM-DD, included.
             */
            to: string;
            /**
             * Format: int64
             * @description SMS segments charged.
             */
            totalSmsCount: number;
            /**
             * Format: int64
             * @description Emails charged.
             */
            totalEmailCount: number;
            /** @description What the providers charge for both, in US dollars. */
            providerCost: components["schemas"]["UsdAmount"];
            /** @description The markup, in US dollars. */
            hqMarkup: components["schemas"]["UsdAmount"];
            /** @description What the tenant pays, in US dollars. */
            finalCharges: components["schemas"]["UsdAmount"];
            /** @description Whether the figures can still change. */
            freshnessState: components["schemas"]["FreshnessState"] | (string & {});
            /** @description Why they can or cannot. */
            freshnessReason: components["schemas"]["FreshnessReason"] | (string & {});
        };
        /** @description Optional fields that are omitted: null on creation, unless the field says otherwise, and unchanged on update. */
        V1MerchantMessagingBrandRequest: {
            /** @description The business's registered name. */
            legalBusinessName: string;
            /** @description Name of the provider the brand is registered with. Omitted on creation: the server's own. */
            provider?: string | undefined;
            /** @description The provider's identifier of the brand; with provider it says which brand is meant. */
            providerBrandId?: string | undefined;
            /** @description Your own reference; without a providerBrandId it says which brand is meant. */
            externalBrandRef?: string | undefined;
            /** @description Legal form of the business. */
            businessType?: components["schemas"]["BusinessType"] | undefined;
            /**
             * Format: uri
             * @description The business's website, http or https.
             */
            websiteUrl?: string | undefined;
            /** @description Street and house number. */
            street?: string | undefined;
            /** @description City. */
            city?: string | undefined;
            /** @description State or region; in the US its two-letter code. */
            state?: string | undefined;
            /** @description Postal code; in the US a ZIP code. */
            postalCode?: string | undefined;
            /** @description ISO 3166-1 code of two letters, such as US. */
            country?: string | undefined;
            /** @description The contact person's first name. */
            contactFirstName?: string | undefined;
            /** @description The contact person's last name. */
            contactLastName?: string | undefined;
            /** @description The contact person's email address. */
            contactEmail?: components["schemas"]["EmailAddress"] | undefined;
            /** @description The contact person's number in E.164. */
            contactPhone?: components["schemas"]["PhoneNumber"] | undefined;
            /** @description Status to store as it is, for a brand registered elsewhere. Omitted on creation: it goes to review. */
            status?: components["schemas"]["BrandStatus"] | undefined;
            /** @description Verification to store as it is. Omitted on creation: UNVERIFIED. */
            verificationStatus?: components["schemas"]["BrandVerificationStatus"] | undefined;
            /** @description The provider's own record, kept for your audits and never shown again. */
            rawProviderPayload?: string | undefined;
        };
        /** @description A brand, the business behind a merchant's messages. */
        BrandView: {
            /** @description The merchant it belongs to. */
            merchantId: components["schemas"]["MerchantId"];
            /** @description Provider it is registered with. */
            provider: string;
            /** @description The provider's identifier; null before it has one. */
            providerBrandId: string | null;
            /** @description Your own reference; null when none was given. */
            externalBrandRef: string | null;
            /** @description The business's registered name. */
            legalBusinessName: string;
            /** @description Legal form; null when not given. */
            businessType: components["schemas"]["BusinessType"] | (string & {}) | null;
            /** @description Website; null when not given. */
            websiteUrl: string | null;
            /** @description Street and house number; null when not given. */
            street: string | null;
            /** @description City; null when not given. */
            city: string | null;
            /** @description State or region; null when not given. */
            state: string | null;
            /** @description Postal code; null when not given. */
            postalCode: string | null;
            /** @description ISO 3166-1 code of two letters; null when not given. */
            country: string | null;
            /** @description The contact person's first name; null when not given. */
            contactFirstName: string | null;
            /** @description The contact person's last name; null when not given. */
            contactLastName: string | null;
            /** @description The contact person's email address; null when not given. */
            contactEmail: string | null;
            /** @description The contact person's number in E.164; null when not given. */
            contactPhone: string | null;
            /** @description How far the registration is. */
            status: components["schemas"]["BrandStatus"] | (string & {});
            /** @description How well the identity is established. */
            verificationStatus: components["schemas"]["BrandVerificationStatus"] | (string & {});
            /**
             * Format: int64
             * @description Identifier of the brand.
             */
            id: number;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updatedAt: string;
        };
        /** @description Optional fields that are omitted: null or empty on creation, unless the field says otherwise, and unchanged on update. */
        V1MerchantMessagingCampaignRequest: {
            /** @description What the campaign sends. */
            useCase: components["schemas"]["CampaignUseCase"];
            /** @description What the campaign is about; a review asks for 40 to 4096 characters. */
            description: string;
            /** @description How recipients give their consent; a review asks for 40 to 2048 characters. */
            messageFlow: string;
            /** @description Examples of what is sent; a review asks for 2 to 5 of 20 to 1024 characters. */
            sampleMessages: string[];
            /** @description Words that opt in, in addition to START, UNSTOP and YES. */
            optInKeywords: string[];
            /** @description Words that opt out, in addition to STOP and its like. */
            optOutKeywords: string[];
            /** @description Words that ask for help, in addition to HELP and INFO. */
            helpKeywords: string[];
            /** @description Confirmation of an opt-in; a review asks for 20 to 320 characters. */
            optInMessage: string;
            /** @description Confirmation of an opt-out; a review asks for 20 to 320 characters. */
            optOutMessage: string;
            /** @description Answer to a request for help; a review asks for 20 to 320 characters. */
            helpMessage: string;
            /** @description Name of the provider the campaign is registered with. Omitted on creation: the server's own. */
            provider?: string | undefined;
            /** @description The provider's identifier of the campaign; with provider it says which campaign is meant. */
            providerCampaignId?: string | undefined;
            /** @description Your own reference, unique within the merchant; without a providerCampaignId it says which campaign is meant. */
            campaignReference?: string | undefined;
            /** @description Industry, such as HEALTHCARE. */
            vertical?: string | undefined;
            /**
             * Format: uri
             * @description Where the privacy policy is, http or https.
             */
            privacyPolicyLink?: string | undefined;
            /**
             * Format: uri
             * @description Where the terms are, http or https.
             */
            termsAndConditionsLink?: string | undefined;
            /** @description Status to store as it is, for a campaign registered elsewhere. Omitted on creation: it goes to review. */
            status?: components["schemas"]["CampaignStatus"] | undefined;
            /** @description Review step to store as it is. Omitted on creation: TCR_PENDING. */
            reviewStatus?: components["schemas"]["CampaignReviewStatus"] | undefined;
            /** @description Code of a failed review, to store as it is. */
            reviewFailureCode?: string | undefined;
            /** @description Reason of a failed review, to store as it is. */
            reviewFailureReason?: string | undefined;
            /** @description The provider's own record, kept for your audits and never shown again. */
            rawProviderPayload?: string | undefined;
            /** @description Parts of the use case: 2 to 5 for MIXED, 1 to 5 for LOW_VOLUME, none for any other. */
            subUseCases?: components["schemas"]["CampaignUseCase"][] | undefined;
        };
        /** @description A campaign, one purpose for which a brand sends. */
        CampaignView: {
            /** @description The merchant it belongs to. */
            merchantId: components["schemas"]["MerchantId"];
            /** @description Provider it is registered with. */
            provider: string;
            /** @description The provider's identifier; null before it has one. */
            providerCampaignId: string | null;
            /** @description Your own reference; null when none was given. */
            campaignReference: string | null;
            /** @description What the campaign sends. */
            useCase: components["schemas"]["CampaignUseCase"] | (string & {});
            /** @description Industry; null when not given. */
            vertical: string | null;
            /** @description What the campaign is about. */
            description: string;
            /** @description How recipients give their consent. */
            messageFlow: string;
            /** @description Confirmation of an opt-in. */
            optInMessage: string;
            /** @description Confirmation of an opt-out. */
            optOutMessage: string;
            /** @description Answer to a request for help. */
            helpMessage: string;
            /** @description Where the privacy policy is; null when not given. */
            privacyPolicyLink: string | null;
            /** @description Where the terms are; null when not given. */
            termsAndConditionsLink: string | null;
            /** @description How far the registration is. */
            status: components["schemas"]["CampaignStatus"] | (string & {});
            /** @description Step of the review. */
            reviewStatus: components["schemas"]["CampaignReviewStatus"] | (string & {});
            /** @description Code of a failed review; null when none failed. */
            reviewFailureCode: string | null;
            /** @description Reason of a failed review; null when none failed. */
            reviewFailureReason: string | null;
            /**
             * Format: int64
             * @description Identifier of the campaign.
             */
            id: number;
            /**
             * Format: int64
             * @description Identifier of its brand.
             */
            brandId: number;
            /** @description Examples of what is sent. */
            sampleMessages: string[];
            /** @description Words that opt in, beside the standard ones. */
            optInKeywords: string[];
            /** @description Words that opt out, beside the standard ones. */
            optOutKeywords: string[];
            /** @description Words that ask for help, beside the standard ones. */
            helpKeywords: string[];
            /** @description Parts of the use case; empty when it has none. */
            subUseCases: (components["schemas"]["CampaignUseCase"] | (string & {}))[];
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updatedAt: string;
        };
        /** @description Optional fields that are omitted: null on creation, unless the field says otherwise, and unchanged on update. */
        V1MerchantPhoneNumberRequest: {
            /** @description The number in E.164; it says which number is meant. */
            phoneNumber: components["schemas"]["PhoneNumber"];
            /** @description Name of the provider that has the number. Omitted on creation: the server's own. */
            provider?: string | undefined;
            /** @description The provider's identifier of the number. */
            providerNumberId?: string | undefined;
            /** @description Kind of number, such as LOCAL, MOBILE or TOLL_FREE. */
            numberType?: string | undefined;
            /** @description ISO 3166-1 code of two letters. Omitted on creation: the number's country. */
            countryCode?: string | undefined;
            /** @description Assignment state to store as it is, for a number assigned elsewhere. Omitted on creation: UNASSIGNED, or PENDING_ASSIGNMENT with a campaignId. */
            assignmentStatus?: components["schemas"]["NumberAssignmentStatus"] | undefined;
            /** @description Status to store as it is. Omitted on creation: ACTIVE. */
            status?: components["schemas"]["NumberStatus"] | undefined;
            /** @description What the number can be used for. Omitted on creation: SMS. */
            capabilities?: components["schemas"]["NumberCapability"][] | undefined;
            /**
             * Format: int64
             * @description Campaign to assign the number to.
             */
            campaignId?: number | bigint | undefined;
        };
        V1MerchantPhoneNumberAssignRequest: {
            /**
             * Format: int64
             * @description Identifier of the campaign, one of the same merchant's.
             */
            campaignId: number | bigint;
        };
        /** @description A messaging number of a merchant. */
        PhoneNumberView: {
            /** @description The merchant it belongs to. */
            merchantId: components["schemas"]["MerchantId"];
            /** @description Provider that has the number. */
            provider: string;
            /** @description The provider's identifier; null when not given. */
            providerNumberId: string | null;
            /** @description The number in E.164. */
            phoneNumber: string;
            /** @description Kind of number; null when not given. */
            numberType: string | null;
            /** @description ISO 3166-1 code of two letters; null when the number belongs to no country. */
            countryCode: string | null;
            /** @description How far its assignment is. */
            assignmentStatus: components["schemas"]["NumberAssignmentStatus"] | (string & {});
            /** @description State of the number. */
            status: components["schemas"]["NumberStatus"] | (string & {});
            /**
             * Format: int64
             * @description Identifier of the number.
             */
            id: number;
            /** @description What it can be used for. */
            capabilities: (components["schemas"]["NumberCapability"] | (string & {}))[];
            /**
             * Format: int64
             * @description Campaign it is or is being assigned to; null when there is none.
             */
            campaignId: number | null;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updatedAt: string;
        };
        /** @description How far a merchant's 10DLC registration is. */
        MerchantSmsRegistrationStatusView: {
            /** @description The merchant. */
            merchantId: components["schemas"]["MerchantId"];
            /** @description Whether one whole chain of brand, campaign and number is good. */
            readyToSend: boolean;
            /** @description The first thing that is missing on the best chain; null when ready. */
            blockingReason: components["schemas"]["RegistrationBlockingReason"] | (string & {}) | null;
            /** @description Its brands, newest first. */
            brands: components["schemas"]["BrandView"][];
            /** @description Its campaigns, newest first. */
            campaigns: components["schemas"]["CampaignView"][];
            /** @description Its numbers, newest first. */
            numbers: components["schemas"]["PhoneNumberView"][];
        };
        /** @description Everything a softphone, a PBX and a switch need to know of a tenant. */
        V1VoiceProvisioningResponse: {
            /**
             * Format: int64
             * @description Identifier of the tenant.
             */
            tenantId: number;
            /** @description Host of the SIP server; null when none is set up. */
            sipHost: string | null;
            /** @description Domain (realm) of the SIP users; null when none is set up. */
            sipDomain: string | null;
            /** @description Address for SIP over secure WebSocket; null when none is set up. */
            wssUrl: string | null;
            /**
             * Format: int32
             * @description Port for SIP over UDP; null when not offered.
             */
            udpPort: number | null;
            /**
             * Format: int32
             * @description Port for SIP over TLS; null when not offered.
             */
            tlsPort: number | null;
            /**
             * Format: int32
             * @description Port for SIP over WebSocket; null when not offered.
             */
            wsPort: number | null;
            /** @description The users with a SIP account. */
            sipUsers: {
                /**
                 * Format: int64
                 * @description Identifier of the user.
                 */
                userId: number;
                /** @description The user's email address. */
                email: string;
                /** @description Number to dial within the tenant. */
                extension: string;
                /** @description Name the phone registers under. */
                sipUsername: string;
                /** @description Password the phone registers with; null when the user has none and cannot register. */
                password: string | null;
                /** @description Whether the user can take calls. */
                agentStatus: components["schemas"]["AgentStatus"] | (string & {});
                /** @description Whether the user may use voice at all. */
                voiceEnabled: boolean;
                /** @description Whether the user may take calls in a browser. */
                browserEnabled: boolean;
                /** @description Number calls are forwarded to, in E.164; null when none. */
                forwardNumber: string | null;
            }[];
            /** @description The numbers that can be called. */
            phoneNumbers: {
                /**
                 * Format: int64
                 * @description Identifier of the number.
                 */
                id: number;
                /** @description Provider that has the number. */
                provider: string;
                /** @description The provider's identifier; null when unknown. */
                providerNumberId: string | null;
                /** @description The number in E.164. */
                e164Number: string;
                /** @description Name shown to people; null when it has none. */
                label: string | null;
                /** @description State of the number. */
                status: components["schemas"]["NumberStatus"] | (string & {});
                /** @description What it can be used for. */
                capabilities: (components["schemas"]["NumberCapability"] | (string & {}))[];
                /** @description Whether it is the tenant's main number. */
                primary: boolean;
            }[];
            /** @description Groups of users that ring together or in turn. */
            ringGroups: {
                /**
                 * Format: int64
                 * @description Identifier of the group.
                 */
                id: number;
                /** @description Name of the group. */
                name: string;
                /** @description In which order members are called. */
                routingStrategy: components["schemas"]["RoutingStrategy"] | (string & {});
                /**
                 * Format: int32
                 * @description Seconds to ring before giving up.
                 */
                timeoutSeconds: number;
                /** @description Whether an unanswered call goes to voicemail. */
                voicemailEnabled: boolean;
                /** @description The members of the group. */
                members: {
                    /**
                     * Format: int64
                     * @description Identifier of the user.
                     */
                    userId: number;
                    /** @description The user's email address. */
                    email: string;
                    /**
                     * Format: int32
                     * @description Place in the order; lower is called first.
                     */
                    priority: number;
                    /** @description Whether the member is called. */
                    enabled: boolean;
                    /** @description Whether the user can take calls. */
                    agentStatus: components["schemas"]["AgentStatus"] | (string & {});
                    /** @description Number calls are forwarded to, in E.164; null when none. */
                    forwardNumber: string | null;
                    /** @description Whether the user may take calls in a browser. */
                    browserEnabled: boolean;
                    /** @description Name of the user's browser client; null when none. */
                    browserClientIdentity: string | null;
                    /** @description Whether a registered phone or browser of the user can ring now. */
                    browserActive: boolean;
                }[];
            }[];
            /** @description The voice menus (IVR) callers hear. */
            menus: {
                /**
                 * Format: int64
                 * @description Identifier of the menu.
                 */
                id: number;
                /** @description Name of the menu. */
                menuName: string;
                /** @description Greeting to speak; null when a recording is played. */
                greetingText: string | null;
                /** @description Address of a recorded greeting; null when it is spoken. */
                greetingUrl: string | null;
                /** @description Voice of what is spoken; null for the default. */
                ttsVoice: string | null;
                /** @description Language of what is spoken, a BCP 47 tag; null for the default. */
                ttsLanguage: string | null;
                /** @description What is spoken before a voicemail; null for none. */
                voicemailGreetingText: string | null;
                /** @description What happens when the caller chooses nothing valid; null to hang up. */
                fallbackAction: components["schemas"]["MenuAction"] | (string & {}) | null;
                /** @description Number or identifier the fallback needs; null when it needs none. */
                fallbackValue: string | null;
                /** @description IANA time zone of the business hours; null when they are off. */
                businessTimeZone: string | null;
                /** @description Opening time there, HH:MM; null when business hours are off. */
                businessOpenLocal: string | null;
                /** @description Closing time there, HH:MM; null when business hours are off. */
                businessCloseLocal: string | null;
                /** @description What is spoken outside business hours; null for the usual greeting. */
                afterHoursGreetingText: string | null;
                /** @description What happens outside business hours; null for the usual menu. */
                afterHoursAction: components["schemas"]["MenuAction"] | (string & {}) | null;
                /** @description Number or identifier that action needs; null when it needs none. */
                afterHoursValue: string | null;
                /** @description Whether it is the menu callers hear first. */
                primary: boolean;
                /** @description Whether business hours apply. */
                businessHoursEnabled: boolean;
                /**
                 * Format: int32
                 * @description How often the menu is repeated after no valid choice.
                 */
                maxRetries: number;
                /**
                 * Format: int32
                 * @description Seconds to wait for a choice.
                 */
                timeoutSeconds: number;
                /** @description Days the business is open. */
                businessDays: (components["schemas"]["Weekday"] | (string & {}))[];
                /** @description The choices, by sortOrder. */
                options: {
                    /**
                     * Format: int64
                     * @description Identifier of the choice.
                     */
                    id: number;
                    /** @description Key the caller presses: 0 to 9, * or #. */
                    digit: string;
                    /** @description Name shown to people; null when it has none. */
                    label: string | null;
                    /** @description What the choice does. */
                    actionType: components["schemas"]["MenuAction"] | (string & {});
                    /** @description Number or identifier the action needs; null when it needs none. */
                    targetValue: string | null;
                    /**
                     * Format: int64
                     * @description Ring group to call, for RING_GROUP; else null.
                     */
                    ringGroupId: number | null;
                    /**
                     * Format: int64
                     * @description User to call, for USER; else null.
                     */
                    userId: number | null;
                    /**
                     * Format: int32
                     * @description Place in the list; lower comes first.
                     */
                    sortOrder: number;
                }[];
            }[];
        };
        V1VoiceSipPresenceRequest: {
            /** @description Name the phone registers under, with or without @domain. */
            sipUsername: string;
            /** @description Whether the phone is registered now. */
            registered: boolean;
        };
        /** @description A directory document of FreeSWITCH as text, with `document` as its root. */
        FreeswitchDirectory: string;
        V1SimulatorReplyRequest: {
            /** @description The tenant that sent the message; it must be the credential's own, which `GET /api/v1/voice/provisioning` tells. */
            tenantId: string;
            /** @description The SMS that is replied to. */
            messageId: string;
            /** @description What the recipient writes, 1 to 1600 characters. */
            replyBody: string;
        };
        /** @description What a reply brought about. */
        V1SimulatorReplyResponse: {
            /** @description What was done. */
            status: components["schemas"]["ReplyOutcome"] | (string & {});
            /** @description The same in words. */
            message: string;
        };
    };
    responses: {
        /** @description What was sent is no HTTP request. */
        MalformedHttp: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description A path or query value is not valid, or a query parameter is unknown. */
        InvalidInput: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body or the key is not valid. All faults are listed at once. */
        InvalidBody: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body, the phone number or the key is not valid. All faults are listed at once. */
        InvalidPhoneNumber: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body, the email address or the key is not valid. All faults are listed at once. */
        InvalidEmail: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body, a phone number, an email address or the key is not valid. All faults are listed at once. */
        InvalidContact: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The credential is missing, wrong or revoked. */
        Unauthenticated: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The merchant has too few units left on the channel. Nothing was sent. */
        QuotaExceeded: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description A merchant's credential was used outside its merchant. */
        ScopeDenied: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description A merchant's credential was used outside its merchant, or the merchant is not active. */
        ScopeDeniedOrInactive: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description This tenant has no such merchant. */
        MerchantNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description This tenant has no such merchant, or the path leads nowhere. */
        MerchantInPathNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description This tenant has no such batch, or the path leads nowhere. */
        BatchNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The path exists, but not with this method. */
        MethodNotAllowed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                Allow: components["headers"]["Allow"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The Accept header admits no type this operation can answer with. */
        NotAcceptable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The request did not arrive in time. Nothing was done. */
        RequestTimeout: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The first call with this key is still running. */
        IdempotencyInProgress: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body is larger than 2 MiB. */
        PayloadTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body is not declared as application/json. */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The key belongs to another payload. */
        IdempotencyKeyReused: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The recipient's consent is missing or withdrawn, or the key belongs to another payload. */
        ConsentRefused: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The merchant has as many as it may, or the key belongs to another payload. */
        RegistrationRefused: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The merchant or the campaign is full, the number cannot send SMS, or the key belongs to another payload. */
        NumberRefused: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The campaign is full, the number cannot send SMS, or the key belongs to another payload. */
        AssignmentRefused: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Too many requests. Nothing was done. */
        RateLimited: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Path, query and headers are larger than 16 KiB. */
        HeadersTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The service failed. The details are in its log, under the requestId. */
        InternalError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The service cannot take requests just now. */
        Unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The service cannot take requests just now, or cannot tell whether it carried this one out. */
        UnavailableOrUnknown: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: {
        /**
         * @description A name of your choice for this one action, such as a UUID. A repeat with the same key and payload makes nothing new and answers with the present state of what the first call made. Kept for 7 days, or for as long as the service is set to: 3 days at least. That of a payment is kept as long after the payment's end.
         * @example 5f0c2a9e-8d1b-4e57-9a36-0c4b7de1f283
         */
        IdempotencyKeyHeader: components["schemas"]["IdempotencyKey"];
        /**
         * @description Identifier of the merchant.
         * @example bright-dental
         */
        MerchantIdInPath: components["schemas"]["MerchantId"];
        /**
         * @description Only this merchant's. Omitted: every merchant the credential may see.
         * @example bright-dental
         */
        MerchantIdFilter: components["schemas"]["MerchantId"];
        /**
         * @description Identifier of the batch.
         * @example 9002
         */
        BatchId: number | bigint;
        /**
         * @description Identifier of the event, the same at every attempt: handle each once.
         * @example evt_6f1c0b9a4d7e4a2f8c35d1e07b942a6c
         */
        WebhookId: string;
        /**
         * @description When this attempt was signed, in seconds since 1970. Refuse one that is more than 5 minutes off.
         * @example 1772463872
         */
        WebhookTimestamp: number | bigint;
        /**
         * @description `v1,` and the base64 HMAC-SHA256 of webhook-id, webhook-timestamp and the body, joined by dots, under the secret's bytes (Standard Webhooks). While the secret is changed there are two, with a space between.
         * @example v1,gPmAn1uTBTmDgg4pn5ffzOqYCb2HHwoBFzS4UcVEk9M=
         */
        WebhookSignature: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description Identifier of this request, on every reply; quote it when you report a fault.
         * @example req_k3Zp0vQ8mT2x00000a7
         */
        "X-Request-Id": string;
        /** @description `true` when this reply repeats an earlier call of the same Idempotency-Key; otherwise `false` or absent. */
        "Idempotent-Replayed": boolean;
        /**
         * @description Seconds to wait before the next attempt.
         * @example 1
         */
        "Retry-After": number;
        /**
         * @description What is left under the limit: `r` requests for the next `t` seconds (IETF RateLimit draft).
         * @example "default";r=597;t=42
         */
        RateLimit: string;
        /**
         * @description The limit itself: `q` requests in any `w` seconds (IETF RateLimit draft).
         * @example "default";q=600;w=60
         */
        "RateLimit-Policy": string;
        /**
         * @description The methods the path accepts.
         * @example GET, POST
         */
        Allow: string;
        /**
         * @description How to authenticate.
         * @example ApiKey realm="msgd"
         */
        "WWW-Authenticate": string;
        /**
         * @description `no-store`: the document holds credentials.
         * @example no-store
         */
        "Cache-Control": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listMerchants: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The merchants; empty when there are none. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MerchantView"][];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    upsertMerchant: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A name of your choice for this one action, such as a UUID. A repeat with the same key and payload makes nothing new and answers with the present state of what the first call made. Kept for 7 days, or for as long as the service is set to: 3 days at least. That of a payment is kept as long after the payment's end.
                 * @example 5f0c2a9e-8d1b-4e57-9a36-0c4b7de1f283
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKeyHeader"] | undefined;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["V1MerchantUpsertRequest"];
            };
        };
        responses: {
            /** @description The merchant as it now stands. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MerchantView"];
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["UnavailableOrUnknown"];
        };
    };
    getMerchant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of the merchant.
                 * @example bright-dental
                 */
                merchantId: components["parameters"]["MerchantIdInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The merchant. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MerchantView"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            404: components["responses"]["MerchantInPathNotFound"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listConsents: {
        parameters: {
            query?: {
                /**
                 * @description Only this merchant's. Omitted: every merchant the credential may see.
                 * @example bright-dental
                 */
                merchantId?: components["parameters"]["MerchantIdFilter"] | undefined;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The consents; empty when there are none. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsentView"][];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            404: components["responses"]["MerchantNotFound"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    recordConsent: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A name of your choice for this one action, such as a UUID. A repeat with the same key and payload makes nothing new and answers with the present state of what the first call made. Kept for 7 days, or for as long as the service is set to: 3 days at least. That of a payment is kept as long after the payment's end.
                 * @example 5f0c2a9e-8d1b-4e57-9a36-0c4b7de1f283
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKeyHeader"] | undefined;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["V1MerchantConsentRequest"];
            };
        };
        responses: {
            /** @description The consent as recorded, its contact normalised. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsentView"];
                };
            };
            400: components["responses"]["InvalidContact"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            404: components["responses"]["MerchantNotFound"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["UnavailableOrUnknown"];
        };
    };
    sendSms: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A name of your choice for this one action, such as a UUID. A repeat with the same key and payload makes nothing new and answers with the present state of what the first call made. Kept for 7 days, or for as long as the service is set to: 3 days at least. That of a payment is kept as long after the payment's end.
                 * @example 5f0c2a9e-8d1b-4e57-9a36-0c4b7de1f283
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKeyHeader"] | undefined;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["V1OmniSmsSendRequest"];
            };
        };
        responses: {
            /** @description Accepted and queued or, for a repeated key, the message's present state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DispatchResponse"];
                };
            };
            400: components["responses"]["InvalidPhoneNumber"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["QuotaExceeded"];
            403: components["responses"]["ScopeDeniedOrInactive"];
            404: components["responses"]["MerchantNotFound"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ConsentRefused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["UnavailableOrUnknown"];
        };
    };
    sendVoice: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A name of your choice for this one action, such as a UUID. A repeat with the same key and payload makes nothing new and answers with the present state of what the first call made. Kept for 7 days, or for as long as the service is set to: 3 days at least. That of a payment is kept as long after the payment's end.
                 * @example 5f0c2a9e-8d1b-4e57-9a36-0c4b7de1f283
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKeyHeader"] | undefined;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["V1OmniVoiceSendRequest"];
            };
        };
        responses: {
            /** @description Accepted and queued or, for a repeated key, the call's present state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DispatchResponse"];
                };
            };
            400: components["responses"]["InvalidPhoneNumber"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["QuotaExceeded"];
            403: components["responses"]["ScopeDeniedOrInactive"];
            404: components["responses"]["MerchantNotFound"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ConsentRefused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["UnavailableOrUnknown"];
        };
    };
    sendEmail: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A name of your choice for this one action, such as a UUID. A repeat with the same key and payload makes nothing new and answers with the present state of what the first call made. Kept for 7 days, or for as long as the service is set to: 3 days at least. That of a payment is kept as long after the payment's end.
                 * @example 5f0c2a9e-8d1b-4e57-9a36-0c4b7de1f283
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKeyHeader"] | undefined;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["V1OmniEmailSendRequest"];
            };
        };
        responses: {
            /** @description Accepted and queued or, for a repeated key, the email's present state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DispatchResponse"];
                };
            };
            400: components["responses"]["InvalidEmail"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["QuotaExceeded"];
            403: components["responses"]["ScopeDeniedOrInactive"];
            404: components["responses"]["MerchantNotFound"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ConsentRefused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["UnavailableOrUnknown"];
        };
    };
    sendDirectSms: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A name of your choice for this one action, such as a UUID. A repeat with the same key and payload makes nothing new and answers with the present state of what the first call made. Kept for 7 days, or for as long as the service is set to: 3 days at least. That of a payment is kept as long after the payment's end.
                 * @example 5f0c2a9e-8d1b-4e57-9a36-0c4b7de1f283
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKeyHeader"] | undefined;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["V1SmsSendRequest"];
            };
        };
        responses: {
            /** @description Accepted and queued or, for a repeated key, the message's present state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["V1MessageResponse"];
                };
            };
            400: components["responses"]["InvalidPhoneNumber"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["QuotaExceeded"];
            403: components["responses"]["ScopeDeniedOrInactive"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The recipient opted out, or the key belongs to another payload. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["UnavailableOrUnknown"];
        };
    };
    sendDirectEmail: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A name of your choice for this one action, such as a UUID. A repeat with the same key and payload makes nothing new and answers with the present state of what the first call made. Kept for 7 days, or for as long as the service is set to: 3 days at least. That of a payment is kept as long after the payment's end.
                 * @example 5f0c2a9e-8d1b-4e57-9a36-0c4b7de1f283
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKeyHeader"] | undefined;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["V1EmailSendRequest"];
            };
        };
        responses: {
            /** @description Accepted and queued or, for a repeated key, the email's present state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["V1MessageResponse"];
                };
            };
            400: components["responses"]["InvalidEmail"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["QuotaExceeded"];
            403: components["responses"]["ScopeDeniedOrInactive"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["UnavailableOrUnknown"];
        };
    };
    listTtsCalls: {
        parameters: {
            query?: {
                /**
                 * @description Only this merchant's. Omitted: every merchant the credential may see.
                 * @example bright-dental
                 */
                merchantId?: components["parameters"]["MerchantIdFilter"] | undefined;
                /**
                 * @description Only calls with exactly this sub-tenant label.
                 * @example 17
                 */
                tenantId?: string | undefined;
                /**
                 * @description Only calls with exactly this source system label.
                 * @example booking
                 */
                sourceSystem?: string | undefined;
                /**
                 * @description Only calls with this use case, upper and lower case alike.
                 * @example REMINDER
                 */
                useCase?: string | undefined;
                /**
                 * @description How many calls to return at most, 1 to 500. Omitted: 50.
                 * @example 50
                 */
                limit?: number | undefined;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The calls; empty when none match. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VoiceTtsCallView"][];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            404: components["responses"]["MerchantNotFound"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createTtsCalls: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A name of your choice for this one action, such as a UUID. A repeat with the same key and payload makes nothing new and answers with the present state of what the first call made. Kept for 7 days, or for as long as the service is set to: 3 days at least. That of a payment is kept as long after the payment's end.
                 * @example 5f0c2a9e-8d1b-4e57-9a36-0c4b7de1f283
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKeyHeader"] | undefined;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["V1VoiceTtsCallRequest"];
            };
        };
        responses: {
            /** @description The batch as accepted or, for a repeated key, as it now is. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VoiceTtsSubmissionView"];
                };
            };
            /** @description The body, a number, the time zone or the key is not valid. All faults are listed at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDeniedOrInactive"];
            404: components["responses"]["MerchantNotFound"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Consent or quota refused every number, or the key belongs to another payload. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["UnavailableOrUnknown"];
        };
    };
    getTtsCall: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of the call.
                 * @example 48211
                 */
                requestId: number | bigint;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The call. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VoiceTtsCallView"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            /** @description This tenant has no such call, or the path leads nowhere. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTtsBatchSummary: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of the batch.
                 * @example 9002
                 */
                batchId: components["parameters"]["BatchId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The totals as of now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VoiceTtsBatchSummaryView"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["BatchNotFound"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listTtsBatchNumbers: {
        parameters: {
            query?: {
                /**
                 * @description Only numbers with this final status.
                 * @example FAILED
                 */
                status?: components["schemas"]["FinalStatus"] | undefined;
            };
            header?: never;
            path: {
                /**
                 * @description Identifier of the batch.
                 * @example 9002
                 */
                batchId: components["parameters"]["BatchId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The numbers; empty when none has the status asked for. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VoiceTtsBatchNumberView"][];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["BatchNotFound"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    requestUpgrade: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A name of your choice for this one action, such as a UUID. A repeat with the same key and payload makes nothing new and answers with the present state of what the first call made. Kept for 7 days, or for as long as the service is set to: 3 days at least. That of a payment is kept as long after the payment's end.
                 * @example 5f0c2a9e-8d1b-4e57-9a36-0c4b7de1f283
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKeyHeader"] | undefined;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["V1MerchantUpgradeRequest"];
            };
        };
        responses: {
            /** @description The payment as requested or, for a repeated key, as it now is. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MerchantUpgradeView"];
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDeniedOrInactive"];
            404: components["responses"]["MerchantNotFound"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["UnavailableOrUnknown"];
        };
    };
    listAlerts: {
        parameters: {
            query?: {
                /**
                 * @description Only this merchant's. Omitted: every merchant the credential may see.
                 * @example bright-dental
                 */
                merchantId?: components["parameters"]["MerchantIdFilter"] | undefined;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The alerts; empty when there are none. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertView"][];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            404: components["responses"]["MerchantNotFound"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getUsageReport: {
        parameters: {
            query?: {
                /**
                 * @description First day, YYYY-MM-DD; not after `to`. Omitted: the first day of the month of `to`.
                 * @example 2026-03-01
                 */
                from?: string | undefined;
                /**
                 * @description Last day, YYYY-MM-DD, included. Omitted: today.
                 * @example 2026-03-31
                 */
                to?: string | undefined;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The report. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["V1UsageReportResponse"];
                };
            };
            /** @description A date is not valid, or the range runs backwards. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    registerBrand: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A name of your choice for this one action, such as a UUID. A repeat with the same key and payload makes nothing new and answers with the present state of what the first call made. Kept for 7 days, or for as long as the service is set to: 3 days at least. That of a payment is kept as long after the payment's end.
                 * @example 5f0c2a9e-8d1b-4e57-9a36-0c4b7de1f283
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKeyHeader"] | undefined;
            };
            path: {
                /**
                 * @description Identifier of the merchant.
                 * @example bright-dental
                 */
                merchantId: components["parameters"]["MerchantIdInPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["V1MerchantMessagingBrandRequest"];
            };
        };
        responses: {
            /** @description The brand as it now stands. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrandView"];
                };
            };
            400: components["responses"]["InvalidContact"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            404: components["responses"]["MerchantInPathNotFound"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description The first call with this key still runs, or a merchant's credential would make an approved brand another. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["RegistrationRefused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["UnavailableOrUnknown"];
        };
    };
    registerCampaign: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A name of your choice for this one action, such as a UUID. A repeat with the same key and payload makes nothing new and answers with the present state of what the first call made. Kept for 7 days, or for as long as the service is set to: 3 days at least. That of a payment is kept as long after the payment's end.
                 * @example 5f0c2a9e-8d1b-4e57-9a36-0c4b7de1f283
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKeyHeader"] | undefined;
            };
            path: {
                /**
                 * @description Identifier of the merchant.
                 * @example bright-dental
                 */
                merchantId: components["parameters"]["MerchantIdInPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["V1MerchantMessagingCampaignRequest"];
            };
        };
        responses: {
            /** @description The campaign as it now stands. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignView"];
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            /** @description The merchant does not exist or has no brand yet, or the path leads nowhere. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description The first call with this key still runs, the reference belongs to another campaign, or a merchant's credential would make a reviewed campaign another. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["RegistrationRefused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["UnavailableOrUnknown"];
        };
    };
    registerNumber: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A name of your choice for this one action, such as a UUID. A repeat with the same key and payload makes nothing new and answers with the present state of what the first call made. Kept for 7 days, or for as long as the service is set to: 3 days at least. That of a payment is kept as long after the payment's end.
                 * @example 5f0c2a9e-8d1b-4e57-9a36-0c4b7de1f283
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKeyHeader"] | undefined;
            };
            path: {
                /**
                 * @description Identifier of the merchant.
                 * @example bright-dental
                 */
                merchantId: components["parameters"]["MerchantIdInPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["V1MerchantPhoneNumberRequest"];
            };
        };
        responses: {
            /** @description The number as it now stands. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PhoneNumberView"];
                };
            };
            400: components["responses"]["InvalidPhoneNumber"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            /** @description The merchant or the campaign does not exist, or the path leads nowhere. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description The first call with this key still runs, another merchant has the number, or its state allows no assignment. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["NumberRefused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["UnavailableOrUnknown"];
        };
    };
    assignNumber: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A name of your choice for this one action, such as a UUID. A repeat with the same key and payload makes nothing new and answers with the present state of what the first call made. Kept for 7 days, or for as long as the service is set to: 3 days at least. That of a payment is kept as long after the payment's end.
                 * @example 5f0c2a9e-8d1b-4e57-9a36-0c4b7de1f283
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKeyHeader"] | undefined;
            };
            path: {
                /**
                 * @description Identifier of the merchant.
                 * @example bright-dental
                 */
                merchantId: components["parameters"]["MerchantIdInPath"];
                /**
                 * @description Identifier of the registered number.
                 * @example 501
                 */
                numberId: number | bigint;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["V1MerchantPhoneNumberAssignRequest"];
            };
        };
        responses: {
            /** @description The number with its assignment under way. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PhoneNumberView"];
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            /** @description The merchant, its number or its campaign does not exist, or the path leads nowhere. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description The first call with this key still runs, or the state of the number or campaign allows no assignment. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["AssignmentRefused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["UnavailableOrUnknown"];
        };
    };
    getRegistrationStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of the merchant.
                 * @example bright-dental
                 */
                merchantId: components["parameters"]["MerchantIdInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The registration as of now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MerchantSmsRegistrationStatusView"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            404: components["responses"]["MerchantInPathNotFound"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getVoiceProvisioning: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The provisioning data; empty lists and nulls where nothing was imported. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["V1VoiceProvisioningResponse"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDirectoryEntry: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description SIP username or extension, with or without @domain.
                 * @example 1001
                 */
                identifier: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The directory document, also when the user is not found. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/xml": components["schemas"]["FreeswitchDirectory"];
                };
            };
            400: components["responses"]["MalformedHttp"];
            401: components["responses"]["Unauthenticated"];
            /** @description A merchant's credential, or two credentials of different tenants. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The path leads nowhere. An unknown user is not a 404. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    reportSipPresence: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A name of your choice for this one action, such as a UUID. A repeat with the same key and payload makes nothing new and answers with the present state of what the first call made. Kept for 7 days, or for as long as the service is set to: 3 days at least. That of a payment is kept as long after the payment's end.
                 * @example 5f0c2a9e-8d1b-4e57-9a36-0c4b7de1f283
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKeyHeader"] | undefined;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["V1VoiceSipPresenceRequest"];
            };
        };
        responses: {
            /** @description Recorded; there is no body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            /** @description The tenant has no such SIP user. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["UnavailableOrUnknown"];
        };
    };
    simulateReply: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A name of your choice for this one action, such as a UUID. A repeat with the same key and payload makes nothing new and answers with the present state of what the first call made. Kept for 7 days, or for as long as the service is set to: 3 days at least. That of a payment is kept as long after the payment's end.
                 * @example 5f0c2a9e-8d1b-4e57-9a36-0c4b7de1f283
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKeyHeader"] | undefined;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["V1SimulatorReplyRequest"];
            };
        };
        responses: {
            /** @description What the reply brought about. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["V1SimulatorReplyResponse"];
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            /** @description This tenant has no such message, or `tenantId` is not this tenant. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The message is not an SMS, or the key belongs to another payload. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["UnavailableOrUnknown"];
        };
    };
    onTtsCallUpdated: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Identifier of the event, the same at every attempt: handle each once.
                 * @example evt_6f1c0b9a4d7e4a2f8c35d1e07b942a6c
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description When this attempt was signed, in seconds since 1970. Refuse one that is more than 5 minutes off.
                 * @example 1772463872
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of webhook-id, webhook-timestamp and the body, joined by dots, under the secret's bytes (Standard Webhooks). While the secret is changed there are two, with a space between.
                 * @example v1,gPmAn1uTBTmDgg4pn5ffzOqYCb2HHwoBFzS4UcVEk9M=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VoiceTtsCallUpdatedEvent"];
            };
        };
        responses: {
            /** @description Taken. Answer within 15 seconds, before doing anything that takes time. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken: tried again later, as after any other answer that is not 2xx. `Retry-After` puts the next attempt off; 410 ends this event and all else that waits for the URL. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onTtsCallFinalized: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Identifier of the event, the same at every attempt: handle each once.
                 * @example evt_6f1c0b9a4d7e4a2f8c35d1e07b942a6c
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description When this attempt was signed, in seconds since 1970. Refuse one that is more than 5 minutes off.
                 * @example 1772463872
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of webhook-id, webhook-timestamp and the body, joined by dots, under the secret's bytes (Standard Webhooks). While the secret is changed there are two, with a space between.
                 * @example v1,gPmAn1uTBTmDgg4pn5ffzOqYCb2HHwoBFzS4UcVEk9M=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VoiceTtsCallFinalizedEvent"];
            };
        };
        responses: {
            /** @description Taken. Answer within 15 seconds, before doing anything that takes time. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken: tried again later, as after any other answer that is not 2xx. `Retry-After` puts the next attempt off; 410 ends this event and all else that waits for the URL. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onTtsBatchFinalized: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Identifier of the event, the same at every attempt: handle each once.
                 * @example evt_6f1c0b9a4d7e4a2f8c35d1e07b942a6c
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description When this attempt was signed, in seconds since 1970. Refuse one that is more than 5 minutes off.
                 * @example 1772463872
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of webhook-id, webhook-timestamp and the body, joined by dots, under the secret's bytes (Standard Webhooks). While the secret is changed there are two, with a space between.
                 * @example v1,gPmAn1uTBTmDgg4pn5ffzOqYCb2HHwoBFzS4UcVEk9M=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VoiceTtsBatchFinalizedEvent"];
            };
        };
        responses: {
            /** @description Taken. Answer within 15 seconds, before doing anything that takes time. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not taken: tried again later, as after any other answer that is not 2xx. `Retry-After` puts the next attempt off; 410 ends this event and all else that waits for the URL. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
