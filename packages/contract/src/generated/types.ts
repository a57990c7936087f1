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
         * @description Returns all merchants of the tenant with their limits, credits and usage in the current month, ordered by merchantId. With a merchant's credential, returns that merchant only.
         */
        get: operations["listMerchants"];
        put?: never;
        /**
         * Create or update a merchant
         * @description Creates a merchant, or updates the given fields of an existing one. On creation, omitted limits and credits are 0 and `active` is true. On update, omitted fields keep their values. Requires a tenant's credential.
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
         * @description Returns a merchant's limits, credits and usage in the current month.
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
         * @description Returns the current consent of every contact, for all merchants of the tenant or for one, ordered by merchant, channel and contact. With a merchant's credential, returns that merchant's consents only.
         */
        get: operations["listConsents"];
        put?: never;
        /**
         * Record a recipient's opt-in or opt-out
         * @description Creates or replaces the consent of a contact for one merchant and channel. Earlier decisions are kept as history. Works for an inactive merchant too, so that no opt-out is lost. MARKETING requires an OPT_IN on every channel, REMINDER by SMS and voice, TRANSACTIONAL by voice. An OPT_OUT blocks all messages except TRANSACTIONAL and OTP by email.
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
         * @description Checks consent and quota, reserves one unit per segment and queues the message. A segment is 160 GSM-7 characters, or 70 characters of any other script; in a message of several segments, 153 or 67. The reply is sent once the message is safely stored. Repeat the request with the same Idempotency-Key to read the message's current state.
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
         * @description Checks consent and quota, reserves the estimated minutes and queues a call that speaks the text. Every started minute of answered time is charged; an unanswered call is free. Outside 08:00 to 21:00 in the recipient's time zone, a MARKETING call stays QUEUED until the next 08:00.
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
         * @description Sends a TRANSACTIONAL SMS for the tenant's default merchant (`default`, created with the tenant), with the same rules, segments and quota as any other SMS. It needs no opt-in, but an opt-out blocks it. Requires a tenant's credential.
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
         * @description Sends a TRANSACTIONAL email for the tenant's default merchant (`default`, created with the tenant), with the same quota as any other email. Transactional email needs no consent. Requires a tenant's credential.
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
         * @description Returns the newest calls first, up to `limit`. A call must match all given filters. With a merchant's credential, returns that merchant's calls only.
         */
        get: operations["listTtsCalls"];
        put?: never;
        /**
         * Call one or more numbers and speak a text
         * @description Converts the text to speech once and calls every number in `toNumber` and `toNumbers`, without duplicates. At least one number is required. If any number is malformed, the whole request is refused. A number that the consent or quota check refuses becomes a REJECTED call with a `policyReason`; if all numbers are refused, the request fails with `all_recipients_refused`. Outside 08:00 to 21:00 in the recipient's time zone, marketing calls are scheduled for the next 08:00. Consent and quota are checked again then, and can still refuse a call. If the merchant has been deactivated by then, the call is FAILED and its `error` says so.
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
         * @description Returns a call with its delivery, its usage of speech and minutes, and its cost. With a merchant's credential, finds that merchant's calls only.
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
         * @description Returns the progress and cost of a batch. These sums always hold: success + failed + partial + pending + scheduled = totalCalls; finalizedCount + provisionalCount = totalCalls; totalTtsCost + totalCallCost = provisionalCost + finalizedCost = totalCost.
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
         * @description Returns delivery and cost of every number of a batch, in the order in which the numbers were given.
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
         * @description Requests a payment and, once it succeeds, adds the units to the channel's credits exactly once. A test tenant's payment is simulated. If no payment processor is configured for a live tenant, the payment stays PENDING, with nothing charged, until the operator records its outcome. Give `units`, `amountCents` or both. If you give one, the price list determines the other; if you give both, they must match the price list. An upgrade may cost at most what the operator allows, by default 10 000 000 cents; a refusal names the maximum. The reply shows the payment's first state. Repeat the request with the same Idempotency-Key to read its outcome; the key is kept until after the payment has ended. Requires a tenant's credential.
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
         * @description Returns alerts, newest first, for all merchants of the tenant or for one. A usage alert is raised at most once per month for each merchant, channel and threshold. With a merchant's credential, returns that merchant's alerts only.
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
         * Read the usage report
         * @description Returns counts and costs of SMS and email for the whole tenant over a range of days, including the first and the last, in the tenant's time zone. The text-to-speech operations report the cost of voice. Requires a tenant's credential.
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
         * @description Creates a brand, or updates the given fields of an existing one. A brand is identified by `provider` and `providerBrandId`, otherwise by `externalBrandRef`, otherwise by `provider` and legal name. A given `status` is stored as is, for brands registered elsewhere. Without a `status`, a new brand is reviewed: a test tenant's by a simulation, a live tenant's by the operator of the service. A refused brand is reviewed again once it is changed. `status`, `verificationStatus` and `rawProviderPayload` require a tenant's credential. So does any change to an approved or suspended brand, except to `externalBrandRef` and the contact person. A merchant can have at most 20 brands.
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
         * @description Creates a campaign under the merchant's newest approved brand (or its newest brand if none is approved), or updates an existing campaign. A campaign is identified by `provider` and `providerCampaignId`, otherwise by `campaignReference`; without these, a new one is created. Lengths and content are checked by the review, not by this request: `description` 40 to 4096 characters, `messageFlow` 40 to 2048, 2 to 5 `sampleMessages` of 20 to 1024 each, and 20 to 320 each for `optInMessage`, `optOutMessage` and `helpMessage`. A test tenant's campaign is reviewed by a simulation, a live tenant's by the operator of the service. A given status is stored as is, for campaigns registered elsewhere. `status`, `reviewStatus`, `reviewFailureCode`, `reviewFailureReason` and `rawProviderPayload` require a tenant's credential. So does any change to a campaign that the registry has accepted, except to `campaignReference` and the keywords. A refused campaign is reviewed again once it is changed. A merchant can have at most 50 campaigns.
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
         * @description Creates a number, or updates the given fields of an existing one. A number is identified within the tenant by its E.164 form. With `campaignId`, the number is also assigned, under the rules of the assign operation. A given status is stored as is; `status` and `assignmentStatus` require a tenant's credential. A merchant can have at most 500 numbers.
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
         * @description Starts the assignment. The number becomes ASSIGNED once the carriers confirm it. A campaign can have up to 50 numbers, a SOLE_PROPRIETOR campaign only one. The number must have the SMS capability and must not be suspended or released. The campaign must not be failed, expired or suspended.
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
         * @description Returns whether the merchant is ready to send registered SMS, the first missing part if it is not, and all its brands, campaigns and numbers, newest first. A merchant is ready if it has one complete chain: an approved and verified brand, an active campaign of that brand, and an active SMS number assigned to that campaign.
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
         * @description Returns SIP host and ports, users with their SIP passwords, numbers, ring groups and menus, as the operator imported them. Requires a tenant's credential. Do not log the reply: it contains passwords.
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
         * @description Returns the directory document that FreeSWITCH's mod_xml_curl expects for one SIP user, found by username or
         *     extension, with or without `@domain`. If the user is unknown, has voice disabled or has no password, the reply has
         *     status 200 and a `not found` result, because FreeSWITCH discards any other status. A phone that registers with its
         *     extension is stored under its user's name (the variable `sip-force-user`), so that calls to either reach it.
         *
         *     mod_xml_curl cannot send custom headers. Instead of the two headers, this operation therefore also accepts HTTP
         *     Basic, with the key as user name and the secret as password. If a request has both, they must belong to the same
         *     tenant. Query parameters, of which FreeSWITCH adds many, are ignored and never logged. Requires a tenant's
         *     credential.
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
         * Report whether a SIP user is registered
         * @description If `registered` is true, an OFFLINE user becomes AVAILABLE, while ON_BREAK and BUSY stay as they are. If `registered` is false, the user becomes OFFLINE. `browserActive` of the user's ring group entries changes accordingly. Requires a tenant's credential.
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
         * @description Treats the text as the recipient's reply to a sent SMS. STOP and its synonyms record an OPT_OUT. START records an OPT_IN, and so does YES if the recipient had opted out. HELP requests help; any other text is only received. A keyword is answered once with the campaign's own confirmation, which is not charged.
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
         * @description Posted when the `status`, `callStatus` or `playbackStatus` of a call changes. Events of one call are sent in order, but an event that is retried may arrive after later ones. Keep the one with the latest `timestamp`.
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
         * A call has ended and is priced
         * @description Posted once for each accepted call, as the last event of that call.
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
         * All calls of a batch have ended and are priced
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
        /** @description Identifier that you choose for a merchant, unique within the tenant: 1 to 64 letters, digits, `.`, `_`, `-` or `:`. */
        MerchantId: string;
        /**
         * Format: e164
         * @description A phone number in E.164: `+`, country code and number, without spaces or extension.
         */
        PhoneNumber: string;
        /**
         * Format: email
         * @description A single plain email address of at most 254 characters. Upper and lower case are equivalent; a `+tag` is kept.
         */
        EmailAddress: string;
        /** @description 1 to 255 printable ASCII characters. */
        IdempotencyKey: string;
        /** @description Identifier of a message: `msg_` followed by a ULID. */
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
         * @description Whether the recipient opted in or out.
         * @enum {string}
         */
        ConsentStatus: "OPT_IN" | "OPT_OUT";
        /**
         * @description Purpose of a message; it determines which consent is required. OTP: a one-time passcode. TRANSACTIONAL: about something the recipient did. REMINDER: about a future event. MARKETING: anything promotional.
         * @enum {string}
         */
        MessageType: "OTP" | "REMINDER" | "MARKETING" | "TRANSACTIONAL";
        /**
         * @description QUEUED: accepted, or deferred by a provider. SENDING: being submitted to a provider, or submitted and not answered yet. SENT: accepted by a provider. DELIVERED, UNDELIVERED: reported by the delivery receipt. FAILED: accepted by no provider; nothing is charged. EXPIRED: too late to be delivered. CANCELED: withdrawn. UNKNOWN: no final report within 72 hours; a late receipt may still change it.
         * @enum {string}
         */
        MessageStatus: "QUEUED" | "SENDING" | "SENT" | "DELIVERED" | "UNDELIVERED" | "FAILED" | "EXPIRED" | "CANCELED" | "UNKNOWN";
        /**
         * @description ISO 4217 currency code.
         * @enum {string}
         */
        Currency: "USD";
        /**
         * @description PENDING: requested. REQUIRES_ACTION: the payer must confirm it. PROCESSING: in progress. SUCCEEDED: paid, and the credits are added. FAILED: refused. CANCELED: withdrawn.
         * @enum {string}
         */
        PaymentStatus: "PENDING" | "REQUIRES_ACTION" | "PROCESSING" | "SUCCEEDED" | "FAILED" | "CANCELED";
        /**
         * @description USAGE_THRESHOLD: usage reached a share of the monthly limit. PROVIDER_FAILURE: a carrier, or the speech provider for calls, failed 5 times in a row or 4 of the last 20 times. It is raised once and not again until the provider recovers.
         * @enum {string}
         */
        AlertType: "USAGE_THRESHOLD" | "PROVIDER_FAILURE";
        /**
         * @description Usage alerts are INFO at 50 %, WARNING at 80 and 90 %, and CRITICAL at 100 %.
         * @enum {string}
         */
        AlertSeverity: "INFO" | "WARNING" | "CRITICAL";
        /**
         * @description PROVISIONAL: some costs may still change. FINAL: safe to bill.
         * @enum {string}
         */
        FreshnessState: "PROVISIONAL" | "FINAL";
        /**
         * @description PERIOD_OPEN: the range has not ended. PROVIDER_FINALIZATION_PENDING: some messages have no final state yet. SETTLED: everything is final. NO_USAGE: nothing was sent.
         * @enum {string}
         */
        FreshnessReason: "PROVIDER_FINALIZATION_PENDING" | "PERIOD_OPEN" | "SETTLED" | "NO_USAGE";
        /**
         * @description QUEUED: no call has started. SCHEDULED: every call waits for its scheduled time. IN_PROGRESS: some calls have started, and some have not ended. COMPLETED: all calls have ended, none failed. COMPLETED_WITH_ERRORS: all have ended, some failed. FAILED: all failed.
         * @enum {string}
         */
        TtsBatchStatus: "QUEUED" | "SCHEDULED" | "IN_PROGRESS" | "COMPLETED" | "COMPLETED_WITH_ERRORS" | "FAILED";
        /**
         * @description Progress of a call, in this order. SCHEDULED: waits for its scheduled time. QUEUED: about to start. SYNTHESIZING: the speech is being generated. DIALING: the number is being called. IN_PROGRESS: answered. COMPLETED: ended. FAILED: could not be made or did not get through. REJECTED: refused by consent or quota. CANCELED: withdrawn.
         * @enum {string}
         */
        TtsCallStatus: "QUEUED" | "SCHEDULED" | "SYNTHESIZING" | "DIALING" | "IN_PROGRESS" | "COMPLETED" | "FAILED" | "REJECTED" | "CANCELED";
        /**
         * @description State of the telephone call. QUEUED: not dialled yet. INITIATED: dialled. RINGING: ringing. IN_PROGRESS: answered. COMPLETED, BUSY, NO_ANSWER, FAILED and CANCELED are final.
         * @enum {string}
         */
        CallStatus: "QUEUED" | "INITIATED" | "RINGING" | "IN_PROGRESS" | "COMPLETED" | "BUSY" | "NO_ANSWER" | "FAILED" | "CANCELED";
        /**
         * @description How much of the speech was played. NOT_STARTED: nothing yet. PLAYING: in progress. COMPLETED: played to the end. PARTIAL: cut off. FAILED: could not be played.
         * @enum {string}
         */
        PlaybackStatus: "NOT_STARTED" | "PLAYING" | "COMPLETED" | "PARTIAL" | "FAILED";
        /**
         * @description Outcome of a call. SUCCESS: a person heard the whole message. PARTIAL: voicemail answered, or the person hung up during playback. FAILED: neither. PENDING, SCHEDULED: the call has not ended.
         * @enum {string}
         */
        FinalStatus: "PENDING" | "SCHEDULED" | "SUCCESS" | "PARTIAL" | "FAILED";
        /**
         * @description PROVISIONAL until the call has ended and is priced, then FINALIZED.
         * @enum {string}
         */
        BillingState: "PROVISIONAL" | "FINALIZED";
        /**
         * @description HIT: the speech already existed and costs nothing. MISS: the speech was generated for this call. PENDING: not known yet.
         * @enum {string}
         */
        TtsCacheStatus: "PENDING" | "HIT" | "MISS";
        /**
         * @description Whether a call starts immediately or at a scheduled time.
         * @enum {string}
         */
        ExecutionType: "IMMEDIATE" | "SCHEDULED";
        /**
         * @description Priority in the queue; it has no other effect.
         * @enum {string}
         */
        TtsPriority: "LOW" | "NORMAL" | "HIGH";
        /**
         * @description Why a rule delayed or refused a call. QUIET_HOURS: delayed until 08:00 in the recipient's time zone. TIMEZONE_INFERRED: the number only reveals a country with several time zones, so the call waits until it is day in every zone where the recipient may be. All other values: refused.
         * @enum {string}
         */
        PolicyReason: "QUIET_HOURS" | "TIMEZONE_INFERRED" | "CONSENT_REQUIRED" | "CONSENT_OPTED_OUT" | "QUOTA_EXCEEDED";
        /**
         * @description Why a delivery was not a full success. SMS: UNREACHABLE (phone off or out of range), BLOCKED (by the recipient or the carrier), UNKNOWN_HANDSET (no such phone), LANDLINE, CARRIER_FILTERED (filtered as spam), CARRIER_UNKNOWN (the carrier gave no reason), UNREGISTERED_SENDER, TTL_EXPIRED (too late), OPTED_OUT. Voice: BUSY, NO_ANSWER, VOICEMAIL, HANGUP (during playback), FAX, INVALID_NUMBER, TTS_FAILED (no speech could be generated).
         * @enum {string}
         */
        DeliveryReason: "UNREACHABLE" | "BLOCKED" | "UNKNOWN_HANDSET" | "LANDLINE" | "CARRIER_FILTERED" | "CARRIER_UNKNOWN" | "UNREGISTERED_SENDER" | "TTL_EXPIRED" | "OPTED_OUT" | "BUSY" | "NO_ANSWER" | "VOICEMAIL" | "HANGUP" | "FAX" | "INVALID_NUMBER" | "TTS_FAILED";
        /**
         * @description TTS: generated speech. CALL: telephone minutes.
         * @enum {string}
         */
        UsageType: "TTS" | "CALL";
        /**
         * @description The unit of a quantity.
         * @enum {string}
         */
        UsageUnit: "CHARACTER" | "MINUTE";
        /**
         * @description Legal form of a brand's business.
         * @enum {string}
         */
        BusinessType: "PRIVATE_PROFIT" | "PUBLIC_PROFIT" | "NON_PROFIT" | "GOVERNMENT" | "SOLE_PROPRIETOR";
        /**
         * @description Registration state of a brand. DRAFT: not submitted. PENDING: submitted. IN_REVIEW: under review. APPROVED: campaigns can use it. FAILED: refused. SUSPENDED: stopped after approval.
         * @enum {string}
         */
        BrandStatus: "DRAFT" | "PENDING" | "IN_REVIEW" | "APPROVED" | "FAILED" | "SUSPENDED";
        /**
         * @description How far the identity of a brand is verified. SELF_DECLARED: stated by the brand itself. UNVERIFIED: not verified, or not yet. VERIFIED: verified by the registry. VETTED_VERIFIED: also verified by a vetting agency.
         * @enum {string}
         */
        BrandVerificationStatus: "SELF_DECLARED" | "UNVERIFIED" | "VERIFIED" | "VETTED_VERIFIED";
        /**
         * @description A use case of The Campaign Registry.
         * @enum {string}
         */
        CampaignUseCase: "2FA" | "ACCOUNT_NOTIFICATION" | "CUSTOMER_CARE" | "DELIVERY_NOTIFICATION" | "FRAUD_ALERT" | "HIGHER_EDUCATION" | "LOW_VOLUME" | "M2M" | "MARKETING" | "MIXED" | "POLLING_VOTING" | "PUBLIC_SERVICE_ANNOUNCEMENT" | "SECURITY_ALERT" | "AGENTS_FRANCHISES" | "CARRIER_EXEMPT" | "CHARITY" | "EMERGENCY" | "K12_EDUCATION" | "POLITICAL" | "PROXY" | "SOCIAL" | "SOLE_PROPRIETOR" | "SWEEPSTAKE";
        /**
         * @description Registration state of a campaign. PENDING: in review. ACTIVE: ready for use. EXPIRED: not renewed. SUSPENDED: stopped. FAILED: refused.
         * @enum {string}
         */
        CampaignStatus: "PENDING" | "ACTIVE" | "EXPIRED" | "SUSPENDED" | "FAILED";
        /**
         * @description Step of the review: first the registry (TCR), then the provider, then the mobile network operators (MNO). MNO_PROVISIONED makes the campaign ACTIVE.
         * @enum {string}
         */
        CampaignReviewStatus: "TCR_PENDING" | "TCR_ACCEPTED" | "TCR_FAILED" | "TCR_SUSPENDED" | "TCR_EXPIRED" | "PROVIDER_ACCEPTED" | "PROVIDER_FAILED" | "MNO_PENDING" | "MNO_ACCEPTED" | "MNO_REJECTED" | "MNO_PROVISIONED" | "MNO_PROVISIONING_FAILED";
        /**
         * @description State of a number. PENDING: being ordered. ACTIVE: in use. SUSPENDED: temporarily stopped. RELEASED: returned to the provider.
         * @enum {string}
         */
        NumberStatus: "PENDING" | "ACTIVE" | "SUSPENDED" | "RELEASED";
        /**
         * @description Assignment of a number to a campaign. It goes from UNASSIGNED through PENDING_ASSIGNMENT to ASSIGNED or FAILED_ASSIGNMENT. The removal goes through PENDING_UNASSIGNMENT to UNASSIGNED or FAILED_UNASSIGNMENT.
         * @enum {string}
         */
        NumberAssignmentStatus: "UNASSIGNED" | "PENDING_ASSIGNMENT" | "ASSIGNED" | "FAILED_ASSIGNMENT" | "PENDING_UNASSIGNMENT" | "FAILED_UNASSIGNMENT";
        /**
         * @description A service that a number supports.
         * @enum {string}
         */
        NumberCapability: "SMS" | "MMS" | "VOICE" | "FAX";
        /**
         * @description The first missing part of the merchant's most complete chain of brand, campaign and number.
         * @enum {string}
         */
        RegistrationBlockingReason: "MERCHANT_INACTIVE" | "BRAND_MISSING" | "BRAND_FAILED" | "BRAND_SUSPENDED" | "BRAND_PENDING" | "BRAND_UNVERIFIED" | "CAMPAIGN_MISSING" | "CAMPAIGN_REJECTED" | "CAMPAIGN_SUSPENDED" | "CAMPAIGN_EXPIRED" | "CAMPAIGN_PENDING" | "NUMBER_MISSING" | "NUMBER_INACTIVE" | "NUMBER_NOT_SMS_CAPABLE" | "NUMBER_UNASSIGNED" | "NUMBER_ASSIGNMENT_FAILED" | "NUMBER_ASSIGNMENT_PENDING";
        /**
         * @description Whether a user can take calls. OFFLINE: no phone is registered. AVAILABLE: the user can take calls. ON_BREAK, BUSY: a phone is registered, but the user cannot take calls now.
         * @enum {string}
         */
        AgentStatus: "OFFLINE" | "AVAILABLE" | "ON_BREAK" | "BUSY";
        /**
         * @description How a group's members are called. RING_ALL: all at once. SEQUENTIAL: one after another, by priority. ROUND_ROBIN: in turn. LONGEST_IDLE: the member who has waited longest is called first.
         * @enum {string}
         */
        RoutingStrategy: "RING_ALL" | "SEQUENTIAL" | "ROUND_ROBIN" | "LONGEST_IDLE";
        /**
         * @description What a menu does with a caller. RING_GROUP: rings a group. USER: rings a user. FORWARD: forwards to a number. VOICEMAIL: takes a message. SUBMENU: opens another menu. REPEAT: plays the menu again. HANGUP: ends the call.
         * @enum {string}
         */
        MenuAction: "RING_GROUP" | "USER" | "FORWARD" | "VOICEMAIL" | "SUBMENU" | "REPEAT" | "HANGUP";
        /**
         * @description A day of the week.
         * @enum {string}
         */
        Weekday: "MONDAY" | "TUESDAY" | "WEDNESDAY" | "THURSDAY" | "FRIDAY" | "SATURDAY" | "SUNDAY";
        /**
         * @description Effect of a reply. OPTED_OUT, OPTED_IN: the consent was changed. HELP_SENT: the help message was sent. RECEIVED: no other effect.
         * @enum {string}
         */
        ReplyOutcome: "OPTED_OUT" | "OPTED_IN" | "HELP_SENT" | "RECEIVED";
        /**
         * @description Stable name of a problem. One code always has the same status and title.
         * @enum {string}
         */
        ProblemCode: "malformed_http" | "malformed_json" | "validation_error" | "invalid_phone_number" | "invalid_email" | "invalid_timezone" | "invalid_date_range" | "idempotency_key_invalid" | "idempotency_key_conflict" | "credentials_missing" | "credentials_invalid" | "credentials_revoked" | "quota_exceeded" | "merchant_scope_denied" | "tenant_mismatch" | "merchant_inactive" | "route_not_found" | "merchant_not_found" | "message_not_found" | "call_not_found" | "batch_not_found" | "brand_not_found" | "campaign_not_found" | "number_not_found" | "sip_user_not_found" | "method_not_allowed" | "not_acceptable" | "request_timeout" | "idempotency_in_progress" | "number_already_registered" | "campaign_reference_conflict" | "illegal_transition" | "payload_too_large" | "unsupported_media_type" | "consent_required" | "consent_opted_out" | "idempotency_key_reused" | "registration_limit" | "campaign_number_limit" | "number_not_sms_capable" | "reply_not_supported" | "all_recipients_refused" | "rate_limited" | "headers_too_large" | "internal_error" | "outcome_unknown" | "unavailable";
        /** @description The reason why a request was refused (RFC 9457). */
        Problem: {
            /**
             * Format: uri-reference
             * @description Page that explains the code: `/docs/errors/<code>`, relative to the address of the service.
             */
            type: string;
            /** @description Short description of the code, the same for every occurrence. */
            title: string;
            /**
             * Format: int32
             * @description The HTTP status.
             */
            status: number;
            /** @description What happened in this case and what to do about it. */
            detail: string;
            /** @description Path of the refused request, without its query; `/` if no path could be read. */
            instance: string;
            /** @description Stable name for programs to act on. New codes may be added. */
            code: components["schemas"]["ProblemCode"] | (string & {});
            /** @description Identifier of the request, as in X-Request-Id. */
            requestId: string;
            /** @description The faults of the request or, for `all_recipients_refused`, the reason for each number; 100 at most. `moreFaults` counts the others. */
            errors?: components["schemas"]["FieldProblem"][];
            /**
             * Format: int32
             * @description Number of faults that are not in `errors`. Absent if `errors` has all of them.
             */
            moreFaults?: number;
            /** @description For `quota_exceeded`: the channel. */
            channel?: components["schemas"]["Channel"] | (string & {});
            /**
             * Format: int64
             * @description For `quota_exceeded`: the units left, in the limit and the credits together.
             */
            available?: number;
            /**
             * Format: int64
             * @description For `quota_exceeded`: the units needed.
             */
            required?: number;
            /**
             * Format: int64
             * @description For `quota_exceeded`: a new monthly limit that is high enough for this send and more.
             */
            suggestedLimit?: number;
            /** @description For `quota_exceeded` and `merchant_inactive`: the merchant. */
            merchantId?: string;
            /** @description For `quota_exceeded` and `merchant_inactive`: the merchant's name, which an update must repeat. */
            displayName?: string;
        };
        /** @description One fault of a request. */
        FieldProblem: {
            /** @description Location of the fault: a JSON Pointer into the body (`/toNumbers/3`), or `/path/…`, `/query/…` or `/header/…` followed by the parameter's name. */
            pointer: string;
            /** @description Kind of fault: a problem code such as `invalid_phone_number`, or one of required, unknown_field, wrong_type, not_allowed, wrong_pattern, wrong_format, invalid_characters, too_short, too_long, too_few, too_many, out_of_range, duplicate, invalid_date, invalid_uri, invalid. If all faults have the same problem code, the problem has that code too. */
            code: string;
            /** @description What was received and what is allowed. */
            detail: string;
        };
        V1MerchantUpsertRequest: {
            /** @description Identifier of the merchant to create or update. */
            merchantId: components["schemas"]["MerchantId"];
            /** @description Name shown to people, 1 to 200 characters. */
            displayName: string;
            /** @description Whether the merchant may send. Default: true on creation, unchanged on update. */
            active?: boolean | undefined;
            /**
             * Format: int64
             * @description SMS segments per month. Default: 0 on creation, unchanged on update.
             */
            smsLimit?: number | bigint | undefined;
            /**
             * Format: int64
             * @description Voice minutes per month. Default: 0 on creation, unchanged on update.
             */
            voiceMinutesLimit?: number | bigint | undefined;
            /**
             * Format: int64
             * @description Emails per month. Default: 0 on creation, unchanged on update.
             */
            emailLimit?: number | bigint | undefined;
            /**
             * Format: int64
             * @description SMS segments in addition to the limit; used once the limit is spent. Default: 0 on creation, unchanged on update.
             */
            smsCredits?: number | bigint | undefined;
            /**
             * Format: int64
             * @description Voice minutes in addition to the limit. Default: 0 on creation, unchanged on update.
             */
            voiceMinutesCredits?: number | bigint | undefined;
            /**
             * Format: int64
             * @description Emails in addition to the limit. Default: 0 on creation, unchanged on update.
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
            /** @description Units that the merchant may use per calendar month, in the tenant's time zone. */
            limits: {
                /**
                 * Format: int64
                 * @description SMS segments per month.
                 */
                smsLimit: number;
                /**
                 * Format: int64
                 * @description Voice minutes per month.
                 */
                voiceMinutesLimit: number;
                /**
                 * Format: int64
                 * @description Emails per month.
                 */
                emailLimit: number;
            };
            /** @description Units in addition to the limits. They are used once the monthly limit is spent, and do not expire. */
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
            /** @description Units used since the month began. Units reserved by sends in progress are not included. */
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
            /** @description The recipient's decision. */
            status: components["schemas"]["ConsentStatus"];
            /** @description Where the consent was captured, such as a form or a workflow, 1 to 200 characters. */
            source?: string | undefined;
        };
        /** @description The decision of one contact for one merchant and channel. */
        ConsentView: {
            /** @description The merchant the consent is for. */
            merchantId: components["schemas"]["MerchantId"];
            /** @description The channel the consent is for. */
            channel: components["schemas"]["Channel"] | (string & {});
            /** @description The recipient in normalised form: E.164, or an email address in lower case. */
            contact: string;
            /** @description The recipient's latest decision. */
            status: components["schemas"]["ConsentStatus"] | (string & {});
            /** @description Where the consent was captured; `SMS_REPLY:<WORD>` for a reply, null if not given. */
            source: string | null;
            /**
             * Format: date-time
             * @description When the consent was recorded.
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
            /** @description Purpose of the message. */
            type: components["schemas"]["MessageType"];
        };
        V1OmniVoiceSendRequest: {
            /** @description The merchant that calls. */
            merchantId: components["schemas"]["MerchantId"];
            /** @description The number to call, in E.164. */
            to: components["schemas"]["PhoneNumber"];
            /** @description Text to speak, 1 to 3000 characters. */
            text: string;
            /** @description Purpose of the call. */
            type: components["schemas"]["MessageType"];
            /**
             * @description Whether the call is recorded. Default: false.
             * @default false
             */
            record?: boolean | undefined;
            /**
             * Format: int32
             * @description Seconds to ring before giving up, 5 to 600. Default: 30.
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
            /** @description The content, plain text or HTML, 1 character to 1 MiB. */
            body: string;
            /** @description Purpose of the email. */
            type: components["schemas"]["MessageType"];
        };
        /** @description A message accepted for a merchant. */
        DispatchResponse: {
            /** @description The merchant that sends. */
            merchantId: components["schemas"]["MerchantId"];
            /** @description The channel by which the message is sent. */
            channel: components["schemas"]["Channel"] | (string & {});
            /** @description Identifier of the message: `msg_` followed by a ULID. */
            messageId: components["schemas"]["MessageId"];
            /** @description QUEUED on acceptance; the current state if the request is repeated with its key. */
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
            /** @description The subject, 1 to 998 characters on one line. Default: no subject. */
            subject?: string | undefined;
            /** @description The content, plain text or HTML, 1 character to 1 MiB. */
            body: string;
        };
        /** @description A message accepted for the default merchant. */
        V1MessageResponse: {
            /** @description Identifier of the message: `msg_` followed by a ULID. */
            messageId: components["schemas"]["MessageId"];
            /** @description QUEUED on acceptance; the current state if the request is repeated with its key. */
            status: components["schemas"]["MessageStatus"] | (string & {});
        };
        /** @description At least one of toNumber and toNumbers is required. */
        V1VoiceTtsCallRequest: {
            /** @description The merchant that calls. */
            merchantId: components["schemas"]["MerchantId"];
            /** @description Text to speak, 1 to 3000 characters (Unicode code points, including white space). */
            messageText: string;
            /** @description Purpose of the calls. OTP, TRANSACTIONAL, REMINDER and MARKETING, in upper or lower case, determine the required consent. Any other value counts as MARKETING. */
            useCase: string;
            /** @description Label of the platform account that the calls are for. It grants no access. */
            platformAccountId?: string | undefined;
            /** @description Label of one of your sub-tenants. It grants no access. Default: the tenant's own id. */
            tenantId?: string | undefined;
            /** @description Label of the system that makes the request. */
            sourceSystem?: string | undefined;
            /** @description Label of one of your campaigns. */
            campaignId?: string | undefined;
            /** @description Name of that campaign. */
            campaignName?: string | undefined;
            /** @description One number to call, in E.164. */
            toNumber?: components["schemas"]["PhoneNumber"] | undefined;
            /** @description Numbers to call, in E.164, 1 to 10000. */
            toNumbers?: components["schemas"]["PhoneNumber"][] | undefined;
            /**
             * @description Language of the text, as a BCP 47 tag. Default: en-US.
             * @default en-US
             */
            language?: string | undefined;
            /**
             * @description Name of the voice. Default: `default`.
             * @default default
             */
            voiceProfile?: string | undefined;
            /**
             * Format: iana-timezone
             * @description IANA time zone of the recipients, for quiet hours. Default: the time zone of each number's area code or country.
             */
            customerTimezone?: string | undefined;
            /**
             * @description Priority in the queue. Default: NORMAL.
             * @default NORMAL
             */
            priority?: components["schemas"]["TtsPriority"] | undefined;
            /**
             * Format: uri
             * @description URL to which signed progress events are posted. It must be https and publicly reachable, unless the operator allows otherwise. A URL with a user name or password (`https://user:pass@…`) is refused: the signature already identifies the sender.
             */
            callbackUrl?: string | undefined;
            /** @description Same as the Idempotency-Key header. If both are given, they must be equal. */
            idempotencyKey?: components["schemas"]["IdempotencyKey"] | undefined;
        };
        /** @description An accepted batch of calls. A single number is a batch of one. */
        VoiceTtsSubmissionView: {
            /** @description Identifier of the batch, a decimal number. */
            batchId: string;
            /** @description Identifier of the call if there is one number; null for several. */
            requestId: string | null;
            /** @description State of the batch. */
            status: components["schemas"]["TtsBatchStatus"] | (string & {});
            /** @description SCHEDULED if every call waits for its scheduled time. */
            executionType: components["schemas"]["ExecutionType"] | (string & {});
            /**
             * Format: date-time
             * @description When the first scheduled call starts; null if none is scheduled.
             */
            scheduledAt: string | null;
            /** @description Why a rule delayed or refused calls; null if none did. */
            policyReason: components["schemas"]["PolicyReason"] | (string & {}) | null;
            /** @description The merchant that calls. */
            merchantId: components["schemas"]["MerchantId"];
            /** @description Label from the request; null if not given. */
            platformAccountId: string | null;
            /** @description Sub-tenant label from the request; by default the tenant's own id. */
            tenantId: string;
            /** @description Label from the request; null if not given. */
            sourceSystem: string | null;
            /** @description Purpose of the calls. */
            useCase: string;
            /** @description Label from the request; null if not given. */
            campaignId: string | null;
            /** @description Name from the request; null if not given. */
            campaignName: string | null;
            /** @description The number if there is one; null for several. */
            toNumber: string | null;
            /** @description Language of the text. */
            language: string;
            /** @description Name of the voice. */
            voiceProfile: string;
            /**
             * Format: int32
             * @description Number of calls in the batch.
             */
            totalCalls: number;
            /**
             * Format: int32
             * @description Calls that were heard to the end.
             */
            successCount: number;
            /**
             * Format: int32
             * @description Calls that failed, including rejected ones.
             */
            failedCount: number;
            /**
             * Format: int32
             * @description Calls that were heard in part.
             */
            partialCount: number;
            /**
             * Format: int32
             * @description Calls in progress or about to start.
             */
            pendingCount: number;
            /**
             * Format: int32
             * @description Calls that wait for their scheduled time.
             */
            scheduledCount: number;
            /**
             * Format: int32
             * @description Characters to speak, in all calls together.
             */
            estimatedTtsCharacters: number;
            /** @description Estimated cost of the speech in US dollars, as if none of it existed yet. */
            estimatedTtsCost: components["schemas"]["UsdAmount"];
            /** @description Estimated cost of the minutes in US dollars, as if every call were answered. */
            estimatedCallCost: components["schemas"]["UsdAmount"];
            /** @description Sum of both estimates in US dollars. */
            totalEstimatedCost: components["schemas"]["UsdAmount"];
        };
        /** @description One call with its delivery, usage and cost. */
        VoiceTtsCallView: {
            /** @description Identifier of the call, a decimal number. */
            requestId: string;
            /** @description Identifier of its batch, a decimal number. */
            batchId: string;
            /** @description Progress of the call. */
            status: components["schemas"]["TtsCallStatus"] | (string & {});
            /** @description State of the telephone call: QUEUED until it is dialled, CANCELED if it will never be dialled. */
            callStatus: components["schemas"]["CallStatus"] | (string & {});
            /** @description How much of the speech was played. */
            playbackStatus: components["schemas"]["PlaybackStatus"] | (string & {});
            /** @description The outcome; PENDING or SCHEDULED until the call has ended. */
            finalStatus: components["schemas"]["FinalStatus"] | (string & {});
            /** @description The merchant that calls. */
            merchantId: components["schemas"]["MerchantId"];
            /** @description Label from the request; null if not given. */
            platformAccountId: string | null;
            /** @description Sub-tenant label from the request; by default the tenant's own id. */
            tenantId: string;
            /** @description Label from the request; null if not given. */
            sourceSystem: string | null;
            /** @description Purpose of the call. */
            useCase: string;
            /** @description Label from the request; null if not given. */
            campaignId: string | null;
            /** @description Name from the request; null if not given. */
            campaignName: string | null;
            /** @description The number called, in E.164. */
            toNumber: string;
            /** @description Language of the text. */
            language: string;
            /** @description Name of the voice. */
            voiceProfile: string;
            /** @description Provider of the speech; null until it is chosen. */
            provider: string | null;
            /** @description Model of the speech; null until it is chosen. */
            model: string | null;
            /** @description Whether the speech already existed. */
            ttsCacheStatus: components["schemas"]["TtsCacheStatus"] | (string & {});
            /** @description PROVISIONAL until the call has ended and is priced, then FINALIZED. */
            billingState: components["schemas"]["BillingState"] | (string & {});
            /** @description The carrier's identifier of the call; null until it is dialled. */
            providerCallId: string | null;
            /** @description Whether the call starts immediately or at a scheduled time. */
            executionType: components["schemas"]["ExecutionType"] | (string & {});
            /** @description IANA time zone used for quiet hours; null if they did not apply. */
            executionTimezone: string | null;
            /**
             * Format: date-time
             * @description When the call is scheduled to start; null if it is not scheduled.
             */
            scheduledAt: string | null;
            /**
             * Format: date-time
             * @description When the call started; null until then.
             */
            executedAt: string | null;
            /** @description Why a rule delayed or refused the call; null if none did. */
            policyReason: components["schemas"]["PolicyReason"] | (string & {}) | null;
            /** @description Priority in the queue. */
            requestedPriority: components["schemas"]["TtsPriority"] | (string & {});
            /**
             * Format: date-time
             * @description When the call was accepted.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the call last changed.
             */
            updatedAt: string;
            /**
             * Format: date-time
             * @description When the call ended; null until then.
             */
            completedAt: string | null;
            /** @description Description of the failure; null if nothing failed. */
            error: string | null;
            /** @description Why the call was not a full success; null if it was one or has not ended. */
            deliveryReason: components["schemas"]["DeliveryReason"] | (string & {}) | null;
            /**
             * Format: int64
             * @description Identifier of the speech; null until it exists.
             */
            ttsAssetId: number | null;
            /**
             * Format: int64
             * @description Identifier of the telephone session; null until the call is dialled.
             */
            callSessionId: number | null;
            /**
             * Format: int32
             * @description Answered time in seconds, 0 if nobody answered; null until the call has ended.
             */
            callDurationSeconds: number | null;
            /**
             * Format: int32
             * @description How often the call was submitted to the carrier.
             */
            attemptCount: number;
            /**
             * Format: int32
             * @description Number of characters in the text.
             */
            estimatedTtsCharacters: number;
            /**
             * Format: int32
             * @description Characters synthesized, 0 for a HIT; null until it is known.
             */
            actualTtsCharacters: number | null;
            /** @description Estimated cost of the speech in US dollars. */
            estimatedTtsCost: components["schemas"]["UsdAmount"];
            /** @description Estimated cost of the minutes in US dollars. */
            estimatedCallCost: components["schemas"]["UsdAmount"];
            /**
             * Format: double
             * @description Cost of the speech in US dollars; null until it is known.
             */
            actualTtsCost: number | null;
            /**
             * Format: double
             * @description Cost of the minutes in US dollars; null until it is known.
             */
            actualCallCost: number | null;
            /** @description Total in US dollars: actual costs where they are known, otherwise estimates. */
            projectedTotalCost: components["schemas"]["UsdAmount"];
            /** @description The usage: one item for the speech and one for the minutes; empty until it is known. */
            usage: components["schemas"]["VoiceTtsUsageView"][];
        };
        /** @description One item of usage. baseCost + markupCost = finalCost. */
        VoiceTtsUsageView: {
            /** @description Type of usage: speech or minutes. */
            usageType: components["schemas"]["UsageType"] | (string & {});
            /** @description Unit of `quantity`. */
            unit: components["schemas"]["UsageUnit"] | (string & {});
            /** @description The provider of the speech or of the minutes. */
            provider: string;
            /** @description Model of the speech; null for minutes. */
            providerModel: string | null;
            /**
             * Format: date-time
             * @description When the usage occurred.
             */
            eventTime: string;
            /**
             * Format: double
             * @description Number of units.
             */
            quantity: number;
            /** @description The provider's price in US dollars. */
            baseCost: components["schemas"]["UsdAmount"];
            /** @description The markup in US dollars. */
            markupCost: components["schemas"]["UsdAmount"];
            /** @description The price charged, in US dollars. */
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
            /** @description Label from the request; null if not given. */
            platformAccountId: string | null;
            /** @description Sub-tenant label from the request; by default the tenant's own id. */
            tenantId: string;
            /** @description Label from the request; null if not given. */
            sourceSystem: string | null;
            /** @description Purpose of the calls. */
            useCase: string;
            /** @description Label from the request; null if not given. */
            campaignId: string | null;
            /** @description Name from the request; null if not given. */
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
             * @description When the last call ended; null until then.
             */
            completedAt: string | null;
            /**
             * Format: int32
             * @description Number of calls in the batch.
             */
            totalCalls: number;
            /**
             * Format: int32
             * @description Calls that were heard to the end.
             */
            success: number;
            /**
             * Format: int32
             * @description Calls that failed, including rejected ones.
             */
            failed: number;
            /**
             * Format: int32
             * @description Calls that were heard in part.
             */
            partial: number;
            /**
             * Format: int32
             * @description Calls in progress or about to start.
             */
            pending: number;
            /**
             * Format: int32
             * @description Calls that wait for their scheduled time.
             */
            scheduled: number;
            /**
             * Format: int32
             * @description Calls that have ended and are priced.
             */
            finalizedCount: number;
            /**
             * Format: int32
             * @description Calls with a cost that may still change.
             */
            provisionalCount: number;
            /**
             * Format: int32
             * @description Calls with speech that already existed.
             */
            ttsCacheHits: number;
            /**
             * Format: int32
             * @description Calls with speech that was synthesized for them.
             */
            ttsCacheMisses: number;
            /**
             * Format: double
             * @description Hits divided by the sum of hits and misses, from 0 to 1; 0 if there are none.
             */
            ttsCacheHitRatio: number;
            /** @description Projected cost in US dollars of the calls that are not finalized. */
            provisionalCost: components["schemas"]["UsdAmount"];
            /** @description Cost in US dollars of the finalized calls. */
            finalizedCost: components["schemas"]["UsdAmount"];
            /** @description Cost of all speech in US dollars, projected where it is not final. */
            totalTtsCost: components["schemas"]["UsdAmount"];
            /** @description Cost of all minutes in US dollars, projected where it is not final. */
            totalCallCost: components["schemas"]["UsdAmount"];
            /** @description Total cost in US dollars. */
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
            /** @description The outcome; PENDING or SCHEDULED until the call has ended. */
            finalStatus: components["schemas"]["FinalStatus"] | (string & {});
            /** @description Whether the call starts immediately or at a scheduled time. */
            executionType: components["schemas"]["ExecutionType"] | (string & {});
            /** @description IANA time zone used for quiet hours; null if they did not apply. */
            executionTimezone: string | null;
            /**
             * Format: date-time
             * @description When the call is scheduled to start; null if it is not scheduled.
             */
            scheduledAt: string | null;
            /**
             * Format: date-time
             * @description When the call started; null until then.
             */
            executedAt: string | null;
            /** @description Whether the speech already existed. */
            ttsCacheStatus: components["schemas"]["TtsCacheStatus"] | (string & {});
            /** @description PROVISIONAL until the call has ended and is priced, then FINALIZED. */
            billingState: components["schemas"]["BillingState"] | (string & {});
            /** @description Why the call was not a full success; null if it was one or has not ended. */
            deliveryReason: components["schemas"]["DeliveryReason"] | (string & {}) | null;
            /** @description Priority in the queue. */
            requestedPriority: components["schemas"]["TtsPriority"] | (string & {});
            /**
             * Format: date-time
             * @description When the call ended; null until then.
             */
            completedAt: string | null;
            /**
             * Format: int32
             * @description Answered time in seconds, 0 if nobody answered; null until the call has ended.
             */
            durationSeconds: number | null;
            /**
             * Format: int32
             * @description Characters synthesized, 0 for a HIT; null until it is known.
             */
            ttsCharacters: number | null;
            /**
             * Format: int64
             * @description Identifier of the speech; null until it exists.
             */
            ttsAssetId: number | null;
            /**
             * Format: double
             * @description Cost of the speech in US dollars; null until it is known.
             */
            ttsCost: number | null;
            /**
             * Format: double
             * @description Cost of the minutes in US dollars; null until it is known.
             */
            callCost: number | null;
            /**
             * Format: double
             * @description Sum of both in US dollars; null until both are known.
             */
            totalCost: number | null;
            /** @description Total in US dollars: actual costs where they are known, otherwise estimates. */
            projectedTotalCost: components["schemas"]["UsdAmount"];
        };
        /** @description A call changed. */
        VoiceTtsCallUpdatedEvent: {
            /**
             * @description Type of the event.
             * @constant
             */
            type: "voice.tts_call.updated";
            /**
             * Format: date-time
             * @description When the event occurred.
             */
            timestamp: string;
            /** @description The call at that time. */
            data: components["schemas"]["VoiceTtsCallView"];
        };
        /** @description A call has ended and is priced. */
        VoiceTtsCallFinalizedEvent: {
            /**
             * @description Type of the event.
             * @constant
             */
            type: "voice.tts_call.finalized";
            /**
             * Format: date-time
             * @description When the event occurred.
             */
            timestamp: string;
            /** @description The call in its final state. */
            data: components["schemas"]["VoiceTtsCallView"];
        };
        /** @description All calls of a batch have ended and are priced. */
        VoiceTtsBatchFinalizedEvent: {
            /**
             * @description Type of the event.
             * @constant
             */
            type: "voice.tts_batch.finalized";
            /**
             * Format: date-time
             * @description When the event occurred.
             */
            timestamp: string;
            /** @description The totals of the batch. */
            data: components["schemas"]["VoiceTtsBatchSummaryView"];
        };
        /** @description At least one of units and amountCents is required. */
        V1MerchantUpgradeRequest: {
            /** @description The merchant that receives the credits. */
            merchantId: components["schemas"]["MerchantId"];
            /** @description The channel to add credits to. */
            channel: components["schemas"]["Channel"];
            /**
             * Format: int64
             * @description SMS segments, voice minutes or emails to buy. Default: the units that amountCents pays for.
             */
            units?: number | bigint | undefined;
            /**
             * Format: int64
             * @description Amount to charge, in US cents. Default: the price of the units, rounded up to a whole cent.
             */
            amountCents?: number | bigint | undefined;
            /** @description Identifier of a stored payment method, as a number or a string. Default: the tenant's default method. */
            paymentMethodId?: number | bigint | string | undefined;
            /**
             * @description Currency of the charge. Default: USD.
             * @default USD
             */
            currency?: components["schemas"]["Currency"] | undefined;
            /** @description Note for your own use, 1 to 500 characters. */
            note?: string | undefined;
            /** @description Your own reference, such as a purchase order, 1 to 128 characters. */
            referenceId?: string | undefined;
        };
        /** @description A payment for additional units. */
        MerchantUpgradeView: {
            /** @description The merchant that receives the credits. */
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
             * @description Amount of the charge, in cents of the currency.
             */
            amountCents: number;
            /** @description ISO 4217 currency code. */
            currency: components["schemas"]["Currency"] | (string & {});
            /** @description Identifier of the payment: `pay_` followed by a ULID. */
            paymentId: string;
            /** @description State of the payment; PENDING at first. */
            paymentStatus: components["schemas"]["PaymentStatus"] | (string & {});
            /** @description Whether the credits were added; true only with SUCCEEDED. */
            fulfilled: boolean;
            /**
             * Format: int64
             * @description Current credits of the channel.
             */
            remainingCredits: number;
        };
        /** @description An alert. */
        AlertView: {
            /** @description The merchant that the alert is about. */
            merchantId: components["schemas"]["MerchantId"];
            /** @description The channel that the alert is about. */
            channel: components["schemas"]["Channel"] | (string & {});
            /** @description Type of the alert. */
            alertType: components["schemas"]["AlertType"] | (string & {});
            /** @description Severity of the alert. */
            severity: components["schemas"]["AlertSeverity"] | (string & {});
            /** @description Text of the alert. */
            message: string;
            /**
             * Format: int32
             * @description Share of the monthly limit that was reached, in percent: 50, 80, 90 or 100. null for PROVIDER_FAILURE.
             */
            thresholdPercent: number | null;
            /**
             * Format: date-time
             * @description When the alert was raised.
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
            /** @description The providers' charges for both, in US dollars. */
            providerCost: components["schemas"]["UsdAmount"];
            /** @description The markup, in US dollars. */
            hqMarkup: components["schemas"]["UsdAmount"];
            /** @description Amount that the tenant pays, in US dollars. */
            finalCharges: components["schemas"]["UsdAmount"];
            /** @description Whether the figures can still change. */
            freshnessState: components["schemas"]["FreshnessState"] | (string & {});
            /** @description Why the figures can or cannot change. */
            freshnessReason: components["schemas"]["FreshnessReason"] | (string & {});
        };
        /** @description If an optional field is omitted, it is null on creation, unless the field says otherwise, and unchanged on update. */
        V1MerchantMessagingBrandRequest: {
            /** @description The business's registered name. */
            legalBusinessName: string;
            /** @description Name of the provider with which the brand is registered. Default on creation: the server's own. */
            provider?: string | undefined;
            /** @description The provider's identifier of the brand; together with provider, it identifies the brand. */
            providerBrandId?: string | undefined;
            /** @description Your own reference; without a providerBrandId, it identifies the brand. */
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
            /** @description Two-letter ISO 3166-1 code, such as US. */
            country?: string | undefined;
            /** @description The contact person's first name. */
            contactFirstName?: string | undefined;
            /** @description The contact person's last name. */
            contactLastName?: string | undefined;
            /** @description The contact person's email address. */
            contactEmail?: components["schemas"]["EmailAddress"] | undefined;
            /** @description The contact person's number in E.164. */
            contactPhone?: components["schemas"]["PhoneNumber"] | undefined;
            /** @description Status to store as is, for a brand registered elsewhere. By default, a new brand is reviewed. */
            status?: components["schemas"]["BrandStatus"] | undefined;
            /** @description Verification to store as is. Default on creation: UNVERIFIED. */
            verificationStatus?: components["schemas"]["BrandVerificationStatus"] | undefined;
            /** @description The provider's own record, kept for your audits and never returned. */
            rawProviderPayload?: string | undefined;
        };
        /** @description A brand, the business behind a merchant's messages. */
        BrandView: {
            /** @description The merchant that the brand belongs to. */
            merchantId: components["schemas"]["MerchantId"];
            /** @description Provider with which the brand is registered. */
            provider: string;
            /** @description The provider's identifier; null until the provider assigns one. */
            providerBrandId: string | null;
            /** @description Your own reference; null if none was given. */
            externalBrandRef: string | null;
            /** @description The business's registered name. */
            legalBusinessName: string;
            /** @description Legal form; null if not given. */
            businessType: components["schemas"]["BusinessType"] | (string & {}) | null;
            /** @description Website; null if not given. */
            websiteUrl: string | null;
            /** @description Street and house number; null if not given. */
            street: string | null;
            /** @description City; null if not given. */
            city: string | null;
            /** @description State or region; null if not given. */
            state: string | null;
            /** @description Postal code; null if not given. */
            postalCode: string | null;
            /** @description Two-letter ISO 3166-1 code; null if not given. */
            country: string | null;
            /** @description The contact person's first name; null if not given. */
            contactFirstName: string | null;
            /** @description The contact person's last name; null if not given. */
            contactLastName: string | null;
            /** @description The contact person's email address; null if not given. */
            contactEmail: string | null;
            /** @description The contact person's number in E.164; null if not given. */
            contactPhone: string | null;
            /** @description Registration state of the brand. */
            status: components["schemas"]["BrandStatus"] | (string & {});
            /** @description How far the identity of the brand is verified. */
            verificationStatus: components["schemas"]["BrandVerificationStatus"] | (string & {});
            /**
             * Format: int64
             * @description Identifier of the brand.
             */
            id: number;
            /**
             * Format: date-time
             * @description When the brand last changed.
             */
            updatedAt: string;
        };
        /** @description If an optional field is omitted, it is null or empty on creation, unless the field says otherwise, and unchanged on update. */
        V1MerchantMessagingCampaignRequest: {
            /** @description Use case of the campaign. */
            useCase: components["schemas"]["CampaignUseCase"];
            /** @description Purpose of the campaign. The review requires 40 to 4096 characters. */
            description: string;
            /** @description How recipients give their consent. The review requires 40 to 2048 characters. */
            messageFlow: string;
            /** @description Examples of the messages. The review requires 2 to 5, of 20 to 1024 characters each. */
            sampleMessages: string[];
            /** @description Words that opt in, in addition to START, UNSTOP and YES. */
            optInKeywords: string[];
            /** @description Words that opt out, in addition to STOP and its synonyms. */
            optOutKeywords: string[];
            /** @description Words that ask for help, in addition to HELP and INFO. */
            helpKeywords: string[];
            /** @description Confirmation of an opt-in. The review requires 20 to 320 characters. */
            optInMessage: string;
            /** @description Confirmation of an opt-out. The review requires 20 to 320 characters. */
            optOutMessage: string;
            /** @description Reply to a request for help. The review requires 20 to 320 characters. */
            helpMessage: string;
            /** @description Name of the provider with which the campaign is registered. Default on creation: the server's own. */
            provider?: string | undefined;
            /** @description The provider's identifier of the campaign; together with provider, it identifies the campaign. */
            providerCampaignId?: string | undefined;
            /** @description Your own reference, unique within the merchant; without a providerCampaignId, it identifies the campaign. */
            campaignReference?: string | undefined;
            /** @description Industry, such as HEALTHCARE. */
            vertical?: string | undefined;
            /**
             * Format: uri
             * @description URL of the privacy policy, http or https.
             */
            privacyPolicyLink?: string | undefined;
            /**
             * Format: uri
             * @description URL of the terms, http or https.
             */
            termsAndConditionsLink?: string | undefined;
            /** @description Status to store as is, for a campaign registered elsewhere. By default, a new campaign is reviewed. */
            status?: components["schemas"]["CampaignStatus"] | undefined;
            /** @description Review step to store as is. Default on creation: TCR_PENDING. */
            reviewStatus?: components["schemas"]["CampaignReviewStatus"] | undefined;
            /** @description Code of a failed review, to store as is. */
            reviewFailureCode?: string | undefined;
            /** @description Reason of a failed review, to store as is. */
            reviewFailureReason?: string | undefined;
            /** @description The provider's own record, kept for your audits and never returned. */
            rawProviderPayload?: string | undefined;
            /** @description Sub-use-cases: 2 to 5 for MIXED, 1 to 5 for LOW_VOLUME, none for any other use case. */
            subUseCases?: components["schemas"]["CampaignUseCase"][] | undefined;
        };
        /** @description A campaign: one purpose for which a brand sends messages. */
        CampaignView: {
            /** @description The merchant that the campaign belongs to. */
            merchantId: components["schemas"]["MerchantId"];
            /** @description Provider with which the campaign is registered. */
            provider: string;
            /** @description The provider's identifier; null until the provider assigns one. */
            providerCampaignId: string | null;
            /** @description Your own reference; null if none was given. */
            campaignReference: string | null;
            /** @description Use case of the campaign. */
            useCase: components["schemas"]["CampaignUseCase"] | (string & {});
            /** @description Industry; null if not given. */
            vertical: string | null;
            /** @description Purpose of the campaign. */
            description: string;
            /** @description How recipients give their consent. */
            messageFlow: string;
            /** @description Confirmation of an opt-in. */
            optInMessage: string;
            /** @description Confirmation of an opt-out. */
            optOutMessage: string;
            /** @description Reply to a request for help. */
            helpMessage: string;
            /** @description URL of the privacy policy; null if not given. */
            privacyPolicyLink: string | null;
            /** @description URL of the terms; null if not given. */
            termsAndConditionsLink: string | null;
            /** @description Registration state of the campaign. */
            status: components["schemas"]["CampaignStatus"] | (string & {});
            /** @description Step of the review. */
            reviewStatus: components["schemas"]["CampaignReviewStatus"] | (string & {});
            /** @description Code of the failed review; null if none failed. */
            reviewFailureCode: string | null;
            /** @description Reason of the failed review; null if none failed. */
            reviewFailureReason: string | null;
            /**
             * Format: int64
             * @description Identifier of the campaign.
             */
            id: number;
            /**
             * Format: int64
             * @description Identifier of the campaign's brand.
             */
            brandId: number;
            /** @description Examples of the messages. */
            sampleMessages: string[];
            /** @description Words that opt in, in addition to the standard ones. */
            optInKeywords: string[];
            /** @description Words that opt out, in addition to the standard ones. */
            optOutKeywords: string[];
            /** @description Words that ask for help, in addition to the standard ones. */
            helpKeywords: string[];
            /** @description Sub-use-cases; empty if there are none. */
            subUseCases: (components["schemas"]["CampaignUseCase"] | (string & {}))[];
            /**
             * Format: date-time
             * @description When the campaign last changed.
             */
            updatedAt: string;
        };
        /** @description If an optional field is omitted, it is null on creation, unless the field says otherwise, and unchanged on update. */
        V1MerchantPhoneNumberRequest: {
            /** @description The number in E.164, which identifies it. */
            phoneNumber: components["schemas"]["PhoneNumber"];
            /** @description Name of the number's provider. Default on creation: the server's own. */
            provider?: string | undefined;
            /** @description The provider's identifier of the number. */
            providerNumberId?: string | undefined;
            /** @description Type of number, such as LOCAL, MOBILE or TOLL_FREE. */
            numberType?: string | undefined;
            /** @description Two-letter ISO 3166-1 code. Default on creation: the number's country. */
            countryCode?: string | undefined;
            /** @description Assignment state to store as is, for a number assigned elsewhere. Default on creation: UNASSIGNED, or PENDING_ASSIGNMENT with a campaignId. */
            assignmentStatus?: components["schemas"]["NumberAssignmentStatus"] | undefined;
            /** @description Status to store as is. Default on creation: ACTIVE. */
            status?: components["schemas"]["NumberStatus"] | undefined;
            /** @description Services that the number supports. Default on creation: SMS. */
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
             * @description Identifier of the campaign, which must belong to the same merchant.
             */
            campaignId: number | bigint;
        };
        /** @description A messaging number of a merchant. */
        PhoneNumberView: {
            /** @description The merchant that the number belongs to. */
            merchantId: components["schemas"]["MerchantId"];
            /** @description Provider of the number. */
            provider: string;
            /** @description The provider's identifier; null if not given. */
            providerNumberId: string | null;
            /** @description The number in E.164. */
            phoneNumber: string;
            /** @description Type of number; null if not given. */
            numberType: string | null;
            /** @description Two-letter ISO 3166-1 code; null if the number belongs to no country. */
            countryCode: string | null;
            /** @description Assignment state of the number. */
            assignmentStatus: components["schemas"]["NumberAssignmentStatus"] | (string & {});
            /** @description State of the number. */
            status: components["schemas"]["NumberStatus"] | (string & {});
            /**
             * Format: int64
             * @description Identifier of the number.
             */
            id: number;
            /** @description Services that the number supports. */
            capabilities: (components["schemas"]["NumberCapability"] | (string & {}))[];
            /**
             * Format: int64
             * @description Campaign to which the number is assigned or is being assigned; null if there is none.
             */
            campaignId: number | null;
            /**
             * Format: date-time
             * @description When the number last changed.
             */
            updatedAt: string;
        };
        /** @description State of a merchant's 10DLC registration. */
        MerchantSmsRegistrationStatusView: {
            /** @description Identifier of the merchant. */
            merchantId: components["schemas"]["MerchantId"];
            /** @description Whether one chain of brand, campaign and number is complete. */
            readyToSend: boolean;
            /** @description The first missing part of the most complete chain; null if the merchant is ready. */
            blockingReason: components["schemas"]["RegistrationBlockingReason"] | (string & {}) | null;
            /** @description The merchant's brands, newest first. */
            brands: components["schemas"]["BrandView"][];
            /** @description The merchant's campaigns, newest first. */
            campaigns: components["schemas"]["CampaignView"][];
            /** @description The merchant's numbers, newest first. */
            numbers: components["schemas"]["PhoneNumberView"][];
        };
        /** @description The tenant's settings for softphones, PBXs and switches. */
        V1VoiceProvisioningResponse: {
            /**
             * Format: int64
             * @description Identifier of the tenant.
             */
            tenantId: number;
            /** @description Host of the SIP server; null if none is set up. */
            sipHost: string | null;
            /** @description Domain (realm) of the SIP users; null if none is set up. */
            sipDomain: string | null;
            /** @description Address for SIP over secure WebSocket; null if none is set up. */
            wssUrl: string | null;
            /**
             * Format: int32
             * @description Port for SIP over UDP; null if not offered.
             */
            udpPort: number | null;
            /**
             * Format: int32
             * @description Port for SIP over TLS; null if not offered.
             */
            tlsPort: number | null;
            /**
             * Format: int32
             * @description Port for SIP over WebSocket; null if not offered.
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
                /** @description Name under which the phone registers. */
                sipUsername: string;
                /** @description Password with which the phone registers; null if the user has none and cannot register. */
                password: string | null;
                /** @description Whether the user can take calls. */
                agentStatus: components["schemas"]["AgentStatus"] | (string & {});
                /** @description Whether the user may use voice at all. */
                voiceEnabled: boolean;
                /** @description Whether the user may take calls in a browser. */
                browserEnabled: boolean;
                /** @description Number to which calls are forwarded, in E.164; null if there is none. */
                forwardNumber: string | null;
            }[];
            /** @description The numbers that can be called. */
            phoneNumbers: {
                /**
                 * Format: int64
                 * @description Identifier of the number.
                 */
                id: number;
                /** @description Provider of the number. */
                provider: string;
                /** @description The provider's identifier; null if unknown. */
                providerNumberId: string | null;
                /** @description The number in E.164. */
                e164Number: string;
                /** @description Name shown to people; null if it has none. */
                label: string | null;
                /** @description State of the number. */
                status: components["schemas"]["NumberStatus"] | (string & {});
                /** @description Services that the number supports. */
                capabilities: (components["schemas"]["NumberCapability"] | (string & {}))[];
                /** @description Whether this is the tenant's main number. */
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
                /** @description How the members are called. */
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
                     * @description Position in the order; members with lower values are called first.
                     */
                    priority: number;
                    /** @description Whether the member is called. */
                    enabled: boolean;
                    /** @description Whether the user can take calls. */
                    agentStatus: components["schemas"]["AgentStatus"] | (string & {});
                    /** @description Number to which calls are forwarded, in E.164; null if there is none. */
                    forwardNumber: string | null;
                    /** @description Whether the user may take calls in a browser. */
                    browserEnabled: boolean;
                    /** @description Name of the user's browser client; null if none. */
                    browserClientIdentity: string | null;
                    /** @description Whether a registered phone or browser of the user can ring now. */
                    browserActive: boolean;
                }[];
            }[];
            /** @description The voice menus (IVR) that callers hear. */
            menus: {
                /**
                 * Format: int64
                 * @description Identifier of the menu.
                 */
                id: number;
                /** @description Name of the menu. */
                menuName: string;
                /** @description Greeting to speak; null if a recording is played. */
                greetingText: string | null;
                /** @description URL of a recorded greeting; null if the greeting is spoken. */
                greetingUrl: string | null;
                /** @description Voice of spoken texts; null for the default. */
                ttsVoice: string | null;
                /** @description Language of spoken texts, a BCP 47 tag; null for the default. */
                ttsLanguage: string | null;
                /** @description Text spoken before a voicemail; null for none. */
                voicemailGreetingText: string | null;
                /** @description Action if the caller makes no valid choice; null to hang up. */
                fallbackAction: components["schemas"]["MenuAction"] | (string & {}) | null;
                /** @description Number or identifier that this action needs; null if it needs none. */
                fallbackValue: string | null;
                /** @description IANA time zone of the business hours; null if they are off. */
                businessTimeZone: string | null;
                /** @description Opening time in that time zone, HH:MM; null if business hours are off. */
                businessOpenLocal: string | null;
                /** @description Closing time in that time zone, HH:MM; null if business hours are off. */
                businessCloseLocal: string | null;
                /** @description Text spoken outside business hours; null for the usual greeting. */
                afterHoursGreetingText: string | null;
                /** @description Action outside business hours; null for the usual menu. */
                afterHoursAction: components["schemas"]["MenuAction"] | (string & {}) | null;
                /** @description Number or identifier that this action needs; null if it needs none. */
                afterHoursValue: string | null;
                /** @description Whether callers hear this menu first. */
                primary: boolean;
                /** @description Whether business hours apply. */
                businessHoursEnabled: boolean;
                /**
                 * Format: int32
                 * @description How often the menu is repeated if the caller makes no valid choice.
                 */
                maxRetries: number;
                /**
                 * Format: int32
                 * @description Seconds to wait for a choice.
                 */
                timeoutSeconds: number;
                /** @description Days the business is open. */
                businessDays: (components["schemas"]["Weekday"] | (string & {}))[];
                /** @description The choices, sorted by sortOrder. */
                options: {
                    /**
                     * Format: int64
                     * @description Identifier of the choice.
                     */
                    id: number;
                    /** @description Key the caller presses: 0 to 9, * or #. */
                    digit: string;
                    /** @description Name shown to people; null if it has none. */
                    label: string | null;
                    /** @description Action of the choice. */
                    actionType: components["schemas"]["MenuAction"] | (string & {});
                    /** @description Number or identifier that the action needs; null if it needs none. */
                    targetValue: string | null;
                    /**
                     * Format: int64
                     * @description Ring group to call, for RING_GROUP; otherwise null.
                     */
                    ringGroupId: number | null;
                    /**
                     * Format: int64
                     * @description User to call, for USER; otherwise null.
                     */
                    userId: number | null;
                    /**
                     * Format: int32
                     * @description Position in the list; choices with lower values come first.
                     */
                    sortOrder: number;
                }[];
            }[];
        };
        V1VoiceSipPresenceRequest: {
            /** @description Name under which the phone registers, with or without @domain. */
            sipUsername: string;
            /** @description Whether the phone is registered now. */
            registered: boolean;
        };
        /** @description A FreeSWITCH directory document as text, with `document` as its root. */
        FreeswitchDirectory: string;
        V1SimulatorReplyRequest: {
            /** @description The tenant that sent the message. It must be the credential's own tenant; `GET /api/v1/voice/provisioning` returns its id. */
            tenantId: string;
            /** @description The SMS to reply to. */
            messageId: string;
            /** @description Text of the reply, 1 to 1600 characters. */
            replyBody: string;
        };
        /** @description The effect of a reply. */
        V1SimulatorReplyResponse: {
            /** @description Effect of the reply. */
            status: components["schemas"]["ReplyOutcome"] | (string & {});
            /** @description The same in words. */
            message: string;
        };
    };
    responses: {
        /** @description The request is not valid HTTP. */
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
        /** @description The body or the Idempotency-Key is not valid. The reply lists all faults. */
        InvalidBody: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body, the phone number or the Idempotency-Key is not valid. The reply lists all faults. */
        InvalidPhoneNumber: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body, the email address or the Idempotency-Key is not valid. The reply lists all faults. */
        InvalidEmail: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body, a phone number, an email address or the Idempotency-Key is not valid. The reply lists all faults. */
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
        /** @description The request is outside the merchant of the credential. */
        ScopeDenied: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The request is outside the merchant of the credential, or the merchant is not active. */
        ScopeDeniedOrInactive: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The tenant has no such merchant. */
        MerchantNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The tenant has no such merchant, or the path does not exist. */
        MerchantInPathNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The tenant has no such batch, or the path does not exist. */
        BatchNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The path does not support this method. */
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
        /** @description The Accept header excludes every media type of this operation's reply. */
        NotAcceptable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The complete request did not arrive in time. Nothing was done. */
        RequestTimeout: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The first request with this key is still in progress. */
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
        /** @description The key was used with another payload. */
        IdempotencyKeyReused: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The recipient's consent is missing or was withdrawn, or the key was used with another payload. */
        ConsentRefused: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The merchant has reached its limit, or the key was used with another payload. */
        RegistrationRefused: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The merchant or the campaign has reached its limit of numbers, the number cannot send SMS, or the key was used with another payload. */
        NumberRefused: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The campaign has reached its limit of numbers, the number cannot send SMS, or the key was used with another payload. */
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
        /** @description The path, the query and the headers together exceed 16 KiB. */
        HeadersTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The service failed. Its log has the details under the requestId. */
        InternalError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The service cannot accept requests at the moment. */
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
        /** @description The service cannot accept requests at the moment, or does not know whether it carried out this one. */
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
         * @description A value of your choice that identifies this action, such as a UUID. A repeat with the same key and payload creates nothing new and returns the current state of what the first request created. Keys are kept for 7 days, unless the service is configured otherwise, and for at least 3 days. A payment's key is kept for the same period after the payment has ended.
         * @example 5f0c2a9e-8d1b-4e57-9a36-0c4b7de1f283
         */
        IdempotencyKeyHeader: components["schemas"]["IdempotencyKey"];
        /**
         * @description Identifier of the merchant.
         * @example bright-dental
         */
        MerchantIdInPath: components["schemas"]["MerchantId"];
        /**
         * @description Only results of this merchant. Default: all merchants that the credential can access.
         * @example bright-dental
         */
        MerchantIdFilter: components["schemas"]["MerchantId"];
        /**
         * @description Identifier of the batch.
         * @example 9002
         */
        BatchId: number | bigint;
        /**
         * @description Identifier of the event, the same on every attempt. Process each event only once.
         * @example evt_6f1c0b9a4d7e4a2f8c35d1e07b942a6c
         */
        WebhookId: string;
        /**
         * @description Time at which this attempt was signed, in seconds since 1970. Refuse the event if this time differs from yours by more than 5 minutes.
         * @example 1772463872
         */
        WebhookTimestamp: number | bigint;
        /**
         * @description `v1,` followed by the base64 HMAC-SHA256 of webhook-id, webhook-timestamp and the body, joined by dots. The HMAC key is the secret's bytes (Standard Webhooks). While the secret is being rotated, there are two signatures, separated by a space.
         * @example v1,gPmAn1uTBTmDgg4pn5ffzOqYCb2HHwoBFzS4UcVEk9M=
         */
        WebhookSignature: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description Identifier of this request, in every reply. Quote it when you report a problem.
         * @example req_k3Zp0vQ8mT2x00000a7
         */
        "X-Request-Id": string;
        /** @description `true` if this reply repeats an earlier request with the same Idempotency-Key; otherwise `false` or absent. */
        "Idempotent-Replayed": boolean;
        /**
         * @description Seconds to wait before the next attempt.
         * @example 1
         */
        "Retry-After": number;
        /**
         * @description What is left of the limit: `r` requests for the next `t` seconds (IETF RateLimit draft).
         * @example "default";r=597;t=42
         */
        RateLimit: string;
        /**
         * @description The limit: `q` requests in any `w` seconds (IETF RateLimit draft).
         * @example "default";q=600;w=60
         */
        "RateLimit-Policy": string;
        /**
         * @description The methods that the path supports.
         * @example GET, POST
         */
        Allow: string;
        /**
         * @description How to authenticate.
         * @example ApiKey realm="msgd"
         */
        "WWW-Authenticate": string;
        /**
         * @description `no-store`: the document contains credentials.
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
            /** @description The merchants; empty if there are none. */
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
                 * @description A value of your choice that identifies this action, such as a UUID. A repeat with the same key and payload creates nothing new and returns the current state of what the first request created. Keys are kept for 7 days, unless the service is configured otherwise, and for at least 3 days. A payment's key is kept for the same period after the payment has ended.
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
            /** @description The merchant in its current state. */
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
                 * @description Only results of this merchant. Default: all merchants that the credential can access.
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
            /** @description The consents; empty if there are none. */
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
                 * @description A value of your choice that identifies this action, such as a UUID. A repeat with the same key and payload creates nothing new and returns the current state of what the first request created. Keys are kept for 7 days, unless the service is configured otherwise, and for at least 3 days. A payment's key is kept for the same period after the payment has ended.
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
            /** @description The recorded consent, with the contact in normalised form. */
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
                 * @description A value of your choice that identifies this action, such as a UUID. A repeat with the same key and payload creates nothing new and returns the current state of what the first request created. Keys are kept for 7 days, unless the service is configured otherwise, and for at least 3 days. A payment's key is kept for the same period after the payment has ended.
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
            /** @description The message was accepted and queued. For a repeated key, the reply shows its current state. */
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
                 * @description A value of your choice that identifies this action, such as a UUID. A repeat with the same key and payload creates nothing new and returns the current state of what the first request created. Keys are kept for 7 days, unless the service is configured otherwise, and for at least 3 days. A payment's key is kept for the same period after the payment has ended.
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
            /** @description The call was accepted and queued. For a repeated key, the reply shows its current state. */
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
                 * @description A value of your choice that identifies this action, such as a UUID. A repeat with the same key and payload creates nothing new and returns the current state of what the first request created. Keys are kept for 7 days, unless the service is configured otherwise, and for at least 3 days. A payment's key is kept for the same period after the payment has ended.
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
            /** @description The email was accepted and queued. For a repeated key, the reply shows its current state. */
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
                 * @description A value of your choice that identifies this action, such as a UUID. A repeat with the same key and payload creates nothing new and returns the current state of what the first request created. Keys are kept for 7 days, unless the service is configured otherwise, and for at least 3 days. A payment's key is kept for the same period after the payment has ended.
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
            /** @description The message was accepted and queued. For a repeated key, the reply shows its current state. */
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
            /** @description The recipient opted out, or the key was used with another payload. */
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
                 * @description A value of your choice that identifies this action, such as a UUID. A repeat with the same key and payload creates nothing new and returns the current state of what the first request created. Keys are kept for 7 days, unless the service is configured otherwise, and for at least 3 days. A payment's key is kept for the same period after the payment has ended.
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
            /** @description The email was accepted and queued. For a repeated key, the reply shows its current state. */
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
                 * @description Only results of this merchant. Default: all merchants that the credential can access.
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
                 * @description Only calls with this use case, in upper or lower case.
                 * @example REMINDER
                 */
                useCase?: string | undefined;
                /**
                 * @description Maximum number of calls to return, 1 to 500. Default: 50.
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
            /** @description The calls; empty if none match. */
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
                 * @description A value of your choice that identifies this action, such as a UUID. A repeat with the same key and payload creates nothing new and returns the current state of what the first request created. Keys are kept for 7 days, unless the service is configured otherwise, and for at least 3 days. A payment's key is kept for the same period after the payment has ended.
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
            /** @description The batch as accepted or, for a repeated key, in its current state. */
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
            /** @description The body, a number, the time zone or the Idempotency-Key is not valid. The reply lists all faults. */
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
            /** @description The consent or quota check refused every number, or the key was used with another payload. */
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
            /** @description The tenant has no such call, or the path does not exist. */
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
            /** @description The current totals. */
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
            /** @description The numbers; empty if none has the requested status. */
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
                 * @description A value of your choice that identifies this action, such as a UUID. A repeat with the same key and payload creates nothing new and returns the current state of what the first request created. Keys are kept for 7 days, unless the service is configured otherwise, and for at least 3 days. A payment's key is kept for the same period after the payment has ended.
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
            /** @description The payment as requested or, for a repeated key, in its current state. */
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
                 * @description Only results of this merchant. Default: all merchants that the credential can access.
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
            /** @description The alerts; empty if there are none. */
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
                 * @description First day, YYYY-MM-DD; not after `to`. Default: the first day of the month of `to`.
                 * @example 2026-03-01
                 */
                from?: string | undefined;
                /**
                 * @description Last day, YYYY-MM-DD, included. Default: today.
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
            /** @description A date is not valid, or `from` is after `to`. */
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
                 * @description A value of your choice that identifies this action, such as a UUID. A repeat with the same key and payload creates nothing new and returns the current state of what the first request created. Keys are kept for 7 days, unless the service is configured otherwise, and for at least 3 days. A payment's key is kept for the same period after the payment has ended.
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
            /** @description The brand in its current state. */
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
            /** @description The first request with this key is still in progress, or a merchant's credential cannot change reviewed fields of an approved brand. */
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
                 * @description A value of your choice that identifies this action, such as a UUID. A repeat with the same key and payload creates nothing new and returns the current state of what the first request created. Keys are kept for 7 days, unless the service is configured otherwise, and for at least 3 days. A payment's key is kept for the same period after the payment has ended.
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
            /** @description The campaign in its current state. */
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
            /** @description The merchant does not exist or has no brand, or the path does not exist. */
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
            /** @description The first request with this key is still in progress, another campaign has the reference, or a merchant's credential cannot change reviewed fields of an accepted campaign. */
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
                 * @description A value of your choice that identifies this action, such as a UUID. A repeat with the same key and payload creates nothing new and returns the current state of what the first request created. Keys are kept for 7 days, unless the service is configured otherwise, and for at least 3 days. A payment's key is kept for the same period after the payment has ended.
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
            /** @description The number in its current state. */
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
            /** @description The merchant, the campaign or the path does not exist. */
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
            /** @description The first request with this key is still in progress, another merchant has the number, or the number's state does not allow an assignment. */
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
                 * @description A value of your choice that identifies this action, such as a UUID. A repeat with the same key and payload creates nothing new and returns the current state of what the first request created. Keys are kept for 7 days, unless the service is configured otherwise, and for at least 3 days. A payment's key is kept for the same period after the payment has ended.
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
            /** @description The number, with its assignment in progress. */
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
            /** @description The merchant, its number, its campaign or the path does not exist. */
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
            /** @description The first request with this key is still in progress, or the state of the number or campaign does not allow an assignment. */
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
            /** @description The current state of the registration. */
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
            /** @description The provisioning data. If nothing was imported, lists are empty and other fields null. */
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
            /** @description The directory document, even if the user is not found. */
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
            /** @description The credential belongs to a merchant, or the request has two credentials of different tenants. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The path does not exist. An unknown user is not a 404. */
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
                 * @description A value of your choice that identifies this action, such as a UUID. A repeat with the same key and payload creates nothing new and returns the current state of what the first request created. Keys are kept for 7 days, unless the service is configured otherwise, and for at least 3 days. A payment's key is kept for the same period after the payment has ended.
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
            /** @description The presence was recorded; the reply has no body. */
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
                 * @description A value of your choice that identifies this action, such as a UUID. A repeat with the same key and payload creates nothing new and returns the current state of what the first request created. Keys are kept for 7 days, unless the service is configured otherwise, and for at least 3 days. A payment's key is kept for the same period after the payment has ended.
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
            /** @description The effect of the reply. */
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
            /** @description The tenant has no such message, or `tenantId` is not the credential's tenant. */
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
            /** @description The message is not an SMS, or the key was used with another payload. */
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
                 * @description Identifier of the event, the same on every attempt. Process each event only once.
                 * @example evt_6f1c0b9a4d7e4a2f8c35d1e07b942a6c
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description Time at which this attempt was signed, in seconds since 1970. Refuse the event if this time differs from yours by more than 5 minutes.
                 * @example 1772463872
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description `v1,` followed by the base64 HMAC-SHA256 of webhook-id, webhook-timestamp and the body, joined by dots. The HMAC key is the secret's bytes (Standard Webhooks). While the secret is being rotated, there are two signatures, separated by a space.
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
            /** @description The event was accepted. Reply within 15 seconds, before any lengthy processing. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was not accepted. It is retried later, as after any other reply that is not 2xx. `Retry-After` delays the next attempt. 410 cancels this event and all other events that wait for the URL. */
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
                 * @description Identifier of the event, the same on every attempt. Process each event only once.
                 * @example evt_6f1c0b9a4d7e4a2f8c35d1e07b942a6c
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description Time at which this attempt was signed, in seconds since 1970. Refuse the event if this time differs from yours by more than 5 minutes.
                 * @example 1772463872
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description `v1,` followed by the base64 HMAC-SHA256 of webhook-id, webhook-timestamp and the body, joined by dots. The HMAC key is the secret's bytes (Standard Webhooks). While the secret is being rotated, there are two signatures, separated by a space.
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
            /** @description The event was accepted. Reply within 15 seconds, before any lengthy processing. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was not accepted. It is retried later, as after any other reply that is not 2xx. `Retry-After` delays the next attempt. 410 cancels this event and all other events that wait for the URL. */
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
                 * @description Identifier of the event, the same on every attempt. Process each event only once.
                 * @example evt_6f1c0b9a4d7e4a2f8c35d1e07b942a6c
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description Time at which this attempt was signed, in seconds since 1970. Refuse the event if this time differs from yours by more than 5 minutes.
                 * @example 1772463872
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description `v1,` followed by the base64 HMAC-SHA256 of webhook-id, webhook-timestamp and the body, joined by dots. The HMAC key is the secret's bytes (Standard Webhooks). While the secret is being rotated, there are two signatures, separated by a space.
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
            /** @description The event was accepted. Reply within 15 seconds, before any lengthy processing. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was not accepted. It is retried later, as after any other reply that is not 2xx. `Retry-After` delays the next attempt. 410 cancels this event and all other events that wait for the URL. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
