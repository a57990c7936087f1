// Recorded from the built package by npm run record:types. Do not edit.

interface paths {
    "/api/v1/merchants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listMerchants"];
        put?: never;
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
        get: operations["listConsents"];
        put?: never;
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
        get: operations["listTtsCalls"];
        put?: never;
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
        post: operations["simulateReply"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
interface webhooks {
    "voice.tts_call.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
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
        post: operations["onTtsBatchFinalized"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
interface components {
    schemas: {
        MerchantId: string;
        PhoneNumber: string;
        EmailAddress: string;
        IdempotencyKey: string;
        MessageId: string;
        UsdAmount: number;
        Channel: "SMS" | "VOICE" | "EMAIL";
        ConsentStatus: "OPT_IN" | "OPT_OUT";
        MessageType: "OTP" | "REMINDER" | "MARKETING" | "TRANSACTIONAL";
        MessageStatus: "QUEUED" | "SENDING" | "SENT" | "DELIVERED" | "UNDELIVERED" | "FAILED" | "EXPIRED" | "CANCELED" | "UNKNOWN";
        Currency: "USD";
        PaymentStatus: "PENDING" | "REQUIRES_ACTION" | "PROCESSING" | "SUCCEEDED" | "FAILED" | "CANCELED";
        AlertType: "USAGE_THRESHOLD" | "PROVIDER_FAILURE";
        AlertSeverity: "INFO" | "WARNING" | "CRITICAL";
        FreshnessState: "PROVISIONAL" | "FINAL";
        FreshnessReason: "PROVIDER_FINALIZATION_PENDING" | "PERIOD_OPEN" | "SETTLED" | "NO_USAGE";
        TtsBatchStatus: "QUEUED" | "SCHEDULED" | "IN_PROGRESS" | "COMPLETED" | "COMPLETED_WITH_ERRORS" | "FAILED";
        TtsCallStatus: "QUEUED" | "SCHEDULED" | "SYNTHESIZING" | "DIALING" | "IN_PROGRESS" | "COMPLETED" | "FAILED" | "REJECTED" | "CANCELED";
        CallStatus: "QUEUED" | "INITIATED" | "RINGING" | "IN_PROGRESS" | "COMPLETED" | "BUSY" | "NO_ANSWER" | "FAILED" | "CANCELED";
        PlaybackStatus: "NOT_STARTED" | "PLAYING" | "COMPLETED" | "PARTIAL" | "FAILED";
        FinalStatus: "PENDING" | "SCHEDULED" | "SUCCESS" | "PARTIAL" | "FAILED";
        BillingState: "PROVISIONAL" | "FINALIZED";
        TtsCacheStatus: "PENDING" | "HIT" | "MISS";
        ExecutionType: "IMMEDIATE" | "SCHEDULED";
        TtsPriority: "LOW" | "NORMAL" | "HIGH";
        PolicyReason: "QUIET_HOURS" | "TIMEZONE_INFERRED" | "CONSENT_REQUIRED" | "CONSENT_OPTED_OUT" | "QUOTA_EXCEEDED";
        DeliveryReason: "UNREACHABLE" | "BLOCKED" | "UNKNOWN_HANDSET" | "LANDLINE" | "CARRIER_FILTERED" | "CARRIER_UNKNOWN" | "UNREGISTERED_SENDER" | "TTL_EXPIRED" | "OPTED_OUT" | "BUSY" | "NO_ANSWER" | "VOICEMAIL" | "HANGUP" | "FAX" | "INVALID_NUMBER" | "TTS_FAILED";
        UsageType: "TTS" | "CALL";
        UsageUnit: "CHARACTER" | "MINUTE";
        BusinessType: "PRIVATE_PROFIT" | "PUBLIC_PROFIT" | "NON_PROFIT" | "GOVERNMENT" | "SOLE_PROPRIETOR";
        BrandStatus: "DRAFT" | "PENDING" | "IN_REVIEW" | "APPROVED" | "FAILED" | "SUSPENDED";
        BrandVerificationStatus: "SELF_DECLARED" | "UNVERIFIED" | "VERIFIED" | "VETTED_VERIFIED";
        CampaignUseCase: "2FA" | "ACCOUNT_NOTIFICATION" | "CUSTOMER_CARE" | "DELIVERY_NOTIFICATION" | "FRAUD_ALERT" | "HIGHER_EDUCATION" | "LOW_VOLUME" | "M2M" | "MARKETING" | "MIXED" | "POLLING_VOTING" | "PUBLIC_SERVICE_ANNOUNCEMENT" | "SECURITY_ALERT" | "AGENTS_FRANCHISES" | "CARRIER_EXEMPT" | "CHARITY" | "EMERGENCY" | "K12_EDUCATION" | "POLITICAL" | "PROXY" | "SOCIAL" | "SOLE_PROPRIETOR" | "SWEEPSTAKE";
        CampaignStatus: "PENDING" | "ACTIVE" | "EXPIRED" | "SUSPENDED" | "FAILED";
        CampaignReviewStatus: "TCR_PENDING" | "TCR_ACCEPTED" | "TCR_FAILED" | "TCR_SUSPENDED" | "TCR_EXPIRED" | "PROVIDER_ACCEPTED" | "PROVIDER_FAILED" | "MNO_PENDING" | "MNO_ACCEPTED" | "MNO_REJECTED" | "MNO_PROVISIONED" | "MNO_PROVISIONING_FAILED";
        NumberStatus: "PENDING" | "ACTIVE" | "SUSPENDED" | "RELEASED";
        NumberAssignmentStatus: "UNASSIGNED" | "PENDING_ASSIGNMENT" | "ASSIGNED" | "FAILED_ASSIGNMENT" | "PENDING_UNASSIGNMENT" | "FAILED_UNASSIGNMENT";
        NumberCapability: "SMS" | "MMS" | "VOICE" | "FAX";
        RegistrationBlockingReason: "MERCHANT_INACTIVE" | "BRAND_MISSING" | "BRAND_FAILED" | "BRAND_SUSPENDED" | "BRAND_PENDING" | "BRAND_UNVERIFIED" | "CAMPAIGN_MISSING" | "CAMPAIGN_REJECTED" | "CAMPAIGN_SUSPENDED" | "CAMPAIGN_EXPIRED" | "CAMPAIGN_PENDING" | "NUMBER_MISSING" | "NUMBER_INACTIVE" | "NUMBER_NOT_SMS_CAPABLE" | "NUMBER_UNASSIGNED" | "NUMBER_ASSIGNMENT_FAILED" | "NUMBER_ASSIGNMENT_PENDING";
        AgentStatus: "OFFLINE" | "AVAILABLE" | "ON_BREAK" | "BUSY";
        RoutingStrategy: "RING_ALL" | "SEQUENTIAL" | "ROUND_ROBIN" | "LONGEST_IDLE";
        MenuAction: "RING_GROUP" | "USER" | "FORWARD" | "VOICEMAIL" | "SUBMENU" | "REPEAT" | "HANGUP";
        Weekday: "MONDAY" | "TUESDAY" | "WEDNESDAY" | "THURSDAY" | "FRIDAY" | "SATURDAY" | "SUNDAY";
        ReplyOutcome: "OPTED_OUT" | "OPTED_IN" | "HELP_SENT" | "RECEIVED";
        ProblemCode: "malformed_json" | "validation_error" | "invalid_phone_number" | "invalid_email" | "invalid_timezone" | "invalid_date_range" | "idempotency_key_invalid" | "idempotency_key_conflict" | "credentials_missing" | "credentials_invalid" | "credentials_revoked" | "quota_exceeded" | "merchant_scope_denied" | "tenant_mismatch" | "merchant_inactive" | "route_not_found" | "merchant_not_found" | "message_not_found" | "call_not_found" | "batch_not_found" | "brand_not_found" | "campaign_not_found" | "number_not_found" | "sip_user_not_found" | "method_not_allowed" | "not_acceptable" | "idempotency_in_progress" | "number_already_registered" | "campaign_reference_conflict" | "illegal_transition" | "payload_too_large" | "unsupported_media_type" | "consent_required" | "consent_opted_out" | "idempotency_key_reused" | "campaign_number_limit" | "number_not_sms_capable" | "reply_not_supported" | "all_recipients_refused" | "rate_limited" | "internal_error" | "unavailable";
        Problem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            instance: string;
            code: components["schemas"]["ProblemCode"] | (string & {});
            requestId: string;
            errors?: components["schemas"]["FieldProblem"][];
            channel?: components["schemas"]["Channel"] | (string & {});
            available?: number | bigint;
            required?: number | bigint;
        };
        FieldProblem: {
            pointer: string;
            code: string;
            detail: string;
        };
        V1MerchantUpsertRequest: {
            merchantId: components["schemas"]["MerchantId"];
            displayName: string;
            active?: boolean;
            smsLimit?: number | bigint;
            voiceMinutesLimit?: number | bigint;
            emailLimit?: number | bigint;
            smsCredits?: number | bigint;
            voiceMinutesCredits?: number | bigint;
            emailCredits?: number | bigint;
        };
        MerchantView: {
            merchantId: components["schemas"]["MerchantId"];
            displayName: string;
            active: boolean;
            limits: {
                smsLimit: number | bigint;
                voiceMinutesLimit: number | bigint;
                emailLimit: number | bigint;
            };
            credits: {
                smsCredits: number | bigint;
                voiceMinutesCredits: number | bigint;
                emailCredits: number | bigint;
            };
            usage: {
                smsUsed: number | bigint;
                voiceUsed: number | bigint;
                emailUsed: number | bigint;
                periodStart: string;
            };
        };
        V1MerchantConsentRequest: {
            merchantId: components["schemas"]["MerchantId"];
            channel: components["schemas"]["Channel"];
            contact: string;
            status: components["schemas"]["ConsentStatus"];
            source?: string;
        };
        ConsentView: {
            merchantId: components["schemas"]["MerchantId"];
            channel: components["schemas"]["Channel"] | (string & {});
            contact: string;
            status: components["schemas"]["ConsentStatus"] | (string & {});
            source: string | null;
            updatedAt: string;
        };
        V1OmniSmsSendRequest: {
            merchantId: components["schemas"]["MerchantId"];
            to: components["schemas"]["PhoneNumber"];
            message: string;
            type: components["schemas"]["MessageType"];
        };
        V1OmniVoiceSendRequest: {
            merchantId: components["schemas"]["MerchantId"];
            to: components["schemas"]["PhoneNumber"];
            text: string;
            type: components["schemas"]["MessageType"];
            record?: boolean;
            timeoutSeconds?: number;
        };
        V1OmniEmailSendRequest: {
            merchantId: components["schemas"]["MerchantId"];
            to: components["schemas"]["EmailAddress"];
            subject: string;
            body: string;
            type: components["schemas"]["MessageType"];
        };
        DispatchResponse: {
            merchantId: components["schemas"]["MerchantId"];
            channel: components["schemas"]["Channel"] | (string & {});
            messageId: components["schemas"]["MessageId"];
            status: components["schemas"]["MessageStatus"] | (string & {});
        };
        V1SmsSendRequest: {
            to: components["schemas"]["PhoneNumber"];
            message: string;
        };
        V1EmailSendRequest: {
            to: components["schemas"]["EmailAddress"];
            subject?: string;
            body: string;
        };
        V1MessageResponse: {
            messageId: components["schemas"]["MessageId"];
            status: components["schemas"]["MessageStatus"] | (string & {});
        };
        V1VoiceTtsCallRequest: {
            merchantId: components["schemas"]["MerchantId"];
            messageText: string;
            useCase: string;
            platformAccountId?: string;
            tenantId?: string;
            sourceSystem?: string;
            campaignId?: string;
            campaignName?: string;
            toNumber?: components["schemas"]["PhoneNumber"];
            toNumbers?: components["schemas"]["PhoneNumber"][];
            language?: string;
            voiceProfile?: string;
            customerTimezone?: string;
            priority?: components["schemas"]["TtsPriority"];
            callbackUrl?: string;
            idempotencyKey?: components["schemas"]["IdempotencyKey"];
        };
        VoiceTtsSubmissionView: {
            batchId: string;
            requestId: string | null;
            status: components["schemas"]["TtsBatchStatus"] | (string & {});
            executionType: components["schemas"]["ExecutionType"] | (string & {});
            scheduledAt: string | null;
            policyReason: components["schemas"]["PolicyReason"] | (string & {}) | null;
            merchantId: components["schemas"]["MerchantId"];
            platformAccountId: string | null;
            tenantId: string;
            sourceSystem: string | null;
            useCase: string;
            campaignId: string | null;
            campaignName: string | null;
            toNumber: string | null;
            language: string;
            voiceProfile: string;
            totalCalls: number;
            successCount: number;
            failedCount: number;
            partialCount: number;
            pendingCount: number;
            scheduledCount: number;
            estimatedTtsCharacters: number;
            estimatedTtsCost: components["schemas"]["UsdAmount"];
            estimatedCallCost: components["schemas"]["UsdAmount"];
            totalEstimatedCost: components["schemas"]["UsdAmount"];
        };
        VoiceTtsCallView: {
            requestId: string;
            batchId: string;
            status: components["schemas"]["TtsCallStatus"] | (string & {});
            callStatus: components["schemas"]["CallStatus"] | (string & {});
            playbackStatus: components["schemas"]["PlaybackStatus"] | (string & {});
            finalStatus: components["schemas"]["FinalStatus"] | (string & {});
            merchantId: components["schemas"]["MerchantId"];
            platformAccountId: string | null;
            tenantId: string;
            sourceSystem: string | null;
            useCase: string;
            campaignId: string | null;
            campaignName: string | null;
            toNumber: string;
            language: string;
            voiceProfile: string;
            provider: string | null;
            model: string | null;
            ttsCacheStatus: components["schemas"]["TtsCacheStatus"] | (string & {});
            billingState: components["schemas"]["BillingState"] | (string & {});
            providerCallId: string | null;
            executionType: components["schemas"]["ExecutionType"] | (string & {});
            executionTimezone: string | null;
            scheduledAt: string | null;
            executedAt: string | null;
            policyReason: components["schemas"]["PolicyReason"] | (string & {}) | null;
            requestedPriority: components["schemas"]["TtsPriority"] | (string & {});
            createdAt: string;
            updatedAt: string;
            completedAt: string | null;
            error: string | null;
            deliveryReason: components["schemas"]["DeliveryReason"] | (string & {}) | null;
            ttsAssetId: number | bigint | null;
            callSessionId: number | bigint | null;
            callDurationSeconds: number | null;
            attemptCount: number;
            estimatedTtsCharacters: number;
            actualTtsCharacters: number | null;
            estimatedTtsCost: components["schemas"]["UsdAmount"];
            estimatedCallCost: components["schemas"]["UsdAmount"];
            actualTtsCost: number | null;
            actualCallCost: number | null;
            projectedTotalCost: components["schemas"]["UsdAmount"];
            usage: components["schemas"]["VoiceTtsUsageView"][];
        };
        VoiceTtsUsageView: {
            usageType: components["schemas"]["UsageType"] | (string & {});
            unit: components["schemas"]["UsageUnit"] | (string & {});
            provider: string;
            providerModel: string | null;
            eventTime: string;
            quantity: number;
            baseCost: components["schemas"]["UsdAmount"];
            markupCost: components["schemas"]["UsdAmount"];
            finalCost: components["schemas"]["UsdAmount"];
        };
        VoiceTtsBatchSummaryView: {
            batchId: string;
            status: components["schemas"]["TtsBatchStatus"] | (string & {});
            merchantId: components["schemas"]["MerchantId"];
            platformAccountId: string | null;
            tenantId: string;
            sourceSystem: string | null;
            useCase: string;
            campaignId: string | null;
            campaignName: string | null;
            createdAt: string;
            updatedAt: string;
            completedAt: string | null;
            totalCalls: number;
            success: number;
            failed: number;
            partial: number;
            pending: number;
            scheduled: number;
            finalizedCount: number;
            provisionalCount: number;
            ttsCacheHits: number;
            ttsCacheMisses: number;
            ttsCacheHitRatio: number;
            provisionalCost: components["schemas"]["UsdAmount"];
            finalizedCost: components["schemas"]["UsdAmount"];
            totalTtsCost: components["schemas"]["UsdAmount"];
            totalCallCost: components["schemas"]["UsdAmount"];
            totalCost: components["schemas"]["UsdAmount"];
        };
        VoiceTtsBatchNumberView: {
            requestId: string;
            toNumber: string;
            callStatus: components["schemas"]["CallStatus"] | (string & {});
            playbackStatus: components["schemas"]["PlaybackStatus"] | (string & {});
            finalStatus: components["schemas"]["FinalStatus"] | (string & {});
            executionType: components["schemas"]["ExecutionType"] | (string & {});
            executionTimezone: string | null;
            scheduledAt: string | null;
            executedAt: string | null;
            ttsCacheStatus: components["schemas"]["TtsCacheStatus"] | (string & {});
            billingState: components["schemas"]["BillingState"] | (string & {});
            deliveryReason: components["schemas"]["DeliveryReason"] | (string & {}) | null;
            requestedPriority: components["schemas"]["TtsPriority"] | (string & {});
            completedAt: string | null;
            durationSeconds: number | null;
            ttsCharacters: number | null;
            ttsAssetId: number | bigint | null;
            ttsCost: number | null;
            callCost: number | null;
            totalCost: number | null;
            projectedTotalCost: components["schemas"]["UsdAmount"];
        };
        VoiceTtsCallUpdatedEvent: {
            type: "voice.tts_call.updated";
            timestamp: string;
            data: components["schemas"]["VoiceTtsCallView"];
        };
        VoiceTtsCallFinalizedEvent: {
            type: "voice.tts_call.finalized";
            timestamp: string;
            data: components["schemas"]["VoiceTtsCallView"];
        };
        VoiceTtsBatchFinalizedEvent: {
            type: "voice.tts_batch.finalized";
            timestamp: string;
            data: components["schemas"]["VoiceTtsBatchSummaryView"];
        };
        V1MerchantUpgradeRequest: {
            merchantId: components["schemas"]["MerchantId"];
            channel: components["schemas"]["Channel"];
            units?: number | bigint;
            amountCents?: number | bigint;
            paymentMethodId?: (number | bigint) | string;
            currency?: components["schemas"]["Currency"];
            note?: string;
            referenceId?: string;
        };
        MerchantUpgradeView: {
            merchantId: components["schemas"]["MerchantId"];
            channel: components["schemas"]["Channel"] | (string & {});
            unitsRequested: number | bigint;
            amountCents: number | bigint;
            currency: components["schemas"]["Currency"] | (string & {});
            paymentId: string;
            paymentStatus: components["schemas"]["PaymentStatus"] | (string & {});
            fulfilled: boolean;
            remainingCredits: number | bigint;
        };
        AlertView: {
            merchantId: components["schemas"]["MerchantId"];
            channel: components["schemas"]["Channel"] | (string & {});
            alertType: components["schemas"]["AlertType"] | (string & {});
            severity: components["schemas"]["AlertSeverity"] | (string & {});
            message: string;
            thresholdPercent: number | null;
            createdAt: string;
        };
        V1UsageReportResponse: {
            from: string;
            to: string;
            totalSmsCount: number | bigint;
            totalEmailCount: number | bigint;
            providerCost: components["schemas"]["UsdAmount"];
            hqMarkup: components["schemas"]["UsdAmount"];
            finalCharges: components["schemas"]["UsdAmount"];
            freshnessState: components["schemas"]["FreshnessState"] | (string & {});
            freshnessReason: components["schemas"]["FreshnessReason"] | (string & {});
        };
        V1MerchantMessagingBrandRequest: {
            legalBusinessName: string;
            provider?: string;
            providerBrandId?: string;
            externalBrandRef?: string;
            businessType?: components["schemas"]["BusinessType"];
            websiteUrl?: string;
            street?: string;
            city?: string;
            state?: string;
            postalCode?: string;
            country?: string;
            contactFirstName?: string;
            contactLastName?: string;
            contactEmail?: components["schemas"]["EmailAddress"];
            contactPhone?: components["schemas"]["PhoneNumber"];
            status?: components["schemas"]["BrandStatus"];
            verificationStatus?: components["schemas"]["BrandVerificationStatus"];
            rawProviderPayload?: string;
        };
        BrandView: {
            merchantId: components["schemas"]["MerchantId"];
            provider: string;
            providerBrandId: string | null;
            externalBrandRef: string | null;
            legalBusinessName: string;
            businessType: components["schemas"]["BusinessType"] | (string & {}) | null;
            websiteUrl: string | null;
            street: string | null;
            city: string | null;
            state: string | null;
            postalCode: string | null;
            country: string | null;
            contactFirstName: string | null;
            contactLastName: string | null;
            contactEmail: string | null;
            contactPhone: string | null;
            status: components["schemas"]["BrandStatus"] | (string & {});
            verificationStatus: components["schemas"]["BrandVerificationStatus"] | (string & {});
            id: number | bigint;
            updatedAt: string;
        };
        V1MerchantMessagingCampaignRequest: {
            useCase: components["schemas"]["CampaignUseCase"];
            description: string;
            messageFlow: string;
            sampleMessages: string[];
            optInKeywords: string[];
            optOutKeywords: string[];
            helpKeywords: string[];
            optInMessage: string;
            optOutMessage: string;
            helpMessage: string;
            provider?: string;
            providerCampaignId?: string;
            campaignReference?: string;
            vertical?: string;
            privacyPolicyLink?: string;
            termsAndConditionsLink?: string;
            status?: components["schemas"]["CampaignStatus"];
            reviewStatus?: components["schemas"]["CampaignReviewStatus"];
            reviewFailureCode?: string;
            reviewFailureReason?: string;
            rawProviderPayload?: string;
            subUseCases?: components["schemas"]["CampaignUseCase"][];
        };
        CampaignView: {
            merchantId: components["schemas"]["MerchantId"];
            provider: string;
            providerCampaignId: string | null;
            campaignReference: string | null;
            useCase: components["schemas"]["CampaignUseCase"] | (string & {});
            vertical: string | null;
            description: string;
            messageFlow: string;
            optInMessage: string;
            optOutMessage: string;
            helpMessage: string;
            privacyPolicyLink: string | null;
            termsAndConditionsLink: string | null;
            status: components["schemas"]["CampaignStatus"] | (string & {});
            reviewStatus: components["schemas"]["CampaignReviewStatus"] | (string & {});
            reviewFailureCode: string | null;
            reviewFailureReason: string | null;
            id: number | bigint;
            brandId: number | bigint;
            sampleMessages: string[];
            optInKeywords: string[];
            optOutKeywords: string[];
            helpKeywords: string[];
            subUseCases: (components["schemas"]["CampaignUseCase"] | (string & {}))[];
            updatedAt: string;
        };
        V1MerchantPhoneNumberRequest: {
            phoneNumber: components["schemas"]["PhoneNumber"];
            provider?: string;
            providerNumberId?: string;
            numberType?: string;
            countryCode?: string;
            assignmentStatus?: components["schemas"]["NumberAssignmentStatus"];
            status?: components["schemas"]["NumberStatus"];
            capabilities?: components["schemas"]["NumberCapability"][];
            campaignId?: number | bigint;
        };
        V1MerchantPhoneNumberAssignRequest: {
            campaignId: number | bigint;
        };
        PhoneNumberView: {
            merchantId: components["schemas"]["MerchantId"];
            provider: string;
            providerNumberId: string | null;
            phoneNumber: string;
            numberType: string | null;
            countryCode: string | null;
            assignmentStatus: components["schemas"]["NumberAssignmentStatus"] | (string & {});
            status: components["schemas"]["NumberStatus"] | (string & {});
            id: number | bigint;
            capabilities: (components["schemas"]["NumberCapability"] | (string & {}))[];
            campaignId: number | bigint | null;
            updatedAt: string;
        };
        MerchantSmsRegistrationStatusView: {
            merchantId: components["schemas"]["MerchantId"];
            readyToSend: boolean;
            blockingReason: components["schemas"]["RegistrationBlockingReason"] | (string & {}) | null;
            brands: components["schemas"]["BrandView"][];
            campaigns: components["schemas"]["CampaignView"][];
            numbers: components["schemas"]["PhoneNumberView"][];
        };
        V1VoiceProvisioningResponse: {
            tenantId: number | bigint;
            sipHost: string | null;
            sipDomain: string | null;
            wssUrl: string | null;
            udpPort: number | null;
            tlsPort: number | null;
            wsPort: number | null;
            sipUsers: {
                userId: number | bigint;
                email: string;
                extension: string;
                sipUsername: string;
                password: string | null;
                agentStatus: components["schemas"]["AgentStatus"] | (string & {});
                voiceEnabled: boolean;
                browserEnabled: boolean;
                forwardNumber: string | null;
            }[];
            phoneNumbers: {
                id: number | bigint;
                provider: string;
                providerNumberId: string | null;
                e164Number: string;
                label: string | null;
                status: components["schemas"]["NumberStatus"] | (string & {});
                capabilities: (components["schemas"]["NumberCapability"] | (string & {}))[];
                primary: boolean;
            }[];
            ringGroups: {
                id: number | bigint;
                name: string;
                routingStrategy: components["schemas"]["RoutingStrategy"] | (string & {});
                timeoutSeconds: number;
                voicemailEnabled: boolean;
                members: {
                    userId: number | bigint;
                    email: string;
                    priority: number;
                    enabled: boolean;
                    agentStatus: components["schemas"]["AgentStatus"] | (string & {});
                    forwardNumber: string | null;
                    browserEnabled: boolean;
                    browserClientIdentity: string | null;
                    browserActive: boolean;
                }[];
            }[];
            menus: {
                id: number | bigint;
                menuName: string;
                greetingText: string | null;
                greetingUrl: string | null;
                ttsVoice: string | null;
                ttsLanguage: string | null;
                voicemailGreetingText: string | null;
                fallbackAction: components["schemas"]["MenuAction"] | (string & {}) | null;
                fallbackValue: string | null;
                businessTimeZone: string | null;
                businessOpenLocal: string | null;
                businessCloseLocal: string | null;
                afterHoursGreetingText: string | null;
                afterHoursAction: components["schemas"]["MenuAction"] | (string & {}) | null;
                afterHoursValue: string | null;
                primary: boolean;
                businessHoursEnabled: boolean;
                maxRetries: number;
                timeoutSeconds: number;
                businessDays: (components["schemas"]["Weekday"] | (string & {}))[];
                options: {
                    id: number | bigint;
                    digit: string;
                    label: string | null;
                    actionType: components["schemas"]["MenuAction"] | (string & {});
                    targetValue: string | null;
                    ringGroupId: number | bigint | null;
                    userId: number | bigint | null;
                    sortOrder: number;
                }[];
            }[];
        };
        V1VoiceSipPresenceRequest: {
            sipUsername: string;
            registered: boolean;
        };
        V1SimulatorReplyRequest: {
            tenantId: string;
            messageId: string;
            replyBody: string;
        };
        V1SimulatorReplyResponse: {
            status: components["schemas"]["ReplyOutcome"] | (string & {});
            message: string;
        };
    };
    responses: {
        InvalidInput: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        InvalidBody: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        InvalidPhoneNumber: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        InvalidEmail: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        InvalidContact: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
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
        QuotaExceeded: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        ScopeDenied: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        ScopeDeniedOrInactive: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        MerchantNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        MerchantInPathNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        BatchNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
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
        NotAcceptable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
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
        PayloadTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        IdempotencyKeyReused: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        ConsentRefused: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        AssignmentRefused: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
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
        InternalError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
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
    };
    parameters: {
        IdempotencyKey: components["schemas"]["IdempotencyKey"];
        MerchantIdInPath: components["schemas"]["MerchantId"];
        MerchantIdFilter: components["schemas"]["MerchantId"];
        BatchId: number | bigint;
        WebhookId: string;
        WebhookTimestamp: number | bigint;
        WebhookSignature: string;
    };
    requestBodies: never;
    headers: {
        "X-Request-Id": string;
        "Idempotent-Replayed": boolean;
        "Retry-After": number;
        RateLimit: string;
        "RateLimit-Policy": string;
        Allow: string;
        "WWW-Authenticate": string;
        "Cache-Control": string;
    };
    pathItems: never;
}
interface operations {
    listMerchants: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    upsertMerchant: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
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
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMerchant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                merchantId: components["parameters"]["MerchantIdInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listConsents: {
        parameters: {
            query?: {
                merchantId?: components["parameters"]["MerchantIdFilter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    recordConsent: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
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
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    sendSms: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
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
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ConsentRefused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    sendVoice: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
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
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ConsentRefused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    sendEmail: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
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
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ConsentRefused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    sendDirectSms: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
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
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
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
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    sendDirectEmail: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
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
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listTtsCalls: {
        parameters: {
            query?: {
                merchantId?: components["parameters"]["MerchantIdFilter"];
                tenantId?: string;
                sourceSystem?: string;
                useCase?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createTtsCalls: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
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
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
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
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTtsCall: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                requestId: number | bigint;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTtsBatchSummary: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                batchId: components["parameters"]["BatchId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listTtsBatchNumbers: {
        parameters: {
            query?: {
                status?: components["schemas"]["FinalStatus"];
            };
            header?: never;
            path: {
                batchId: components["parameters"]["BatchId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    requestUpgrade: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
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
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAlerts: {
        parameters: {
            query?: {
                merchantId?: components["parameters"]["MerchantIdFilter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getUsageReport: {
        parameters: {
            query?: {
                from?: string;
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    registerBrand: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
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
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    registerCampaign: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
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
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    registerNumber: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
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
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    assignNumber: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                merchantId: components["parameters"]["MerchantIdInPath"];
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
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRegistrationStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                merchantId: components["parameters"]["MerchantIdInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
            429: components["responses"]["RateLimited"];
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
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDirectoryEntry: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                identifier: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/xml": string;
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
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
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    reportSipPresence: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
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
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    simulateReply: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
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
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
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
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    onTtsCallUpdated: {
        parameters: {
            query?: never;
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
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
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
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
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
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
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
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
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
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
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
type Schemas = components["schemas"];
type MerchantId = Schemas["MerchantId"];
type PhoneNumber = Schemas["PhoneNumber"];
type EmailAddress = Schemas["EmailAddress"];
type IdempotencyKey = Schemas["IdempotencyKey"];
type MessageId = Schemas["MessageId"];
type UsdAmount = Schemas["UsdAmount"];
type Channel = Schemas["Channel"];
type ConsentStatus = Schemas["ConsentStatus"];
type MessageType = Schemas["MessageType"];
type MessageStatus = Schemas["MessageStatus"];
type Currency = Schemas["Currency"];
type PaymentStatus = Schemas["PaymentStatus"];
type AlertType = Schemas["AlertType"];
type AlertSeverity = Schemas["AlertSeverity"];
type FreshnessState = Schemas["FreshnessState"];
type FreshnessReason = Schemas["FreshnessReason"];
type TtsBatchStatus = Schemas["TtsBatchStatus"];
type TtsCallStatus = Schemas["TtsCallStatus"];
type CallStatus = Schemas["CallStatus"];
type PlaybackStatus = Schemas["PlaybackStatus"];
type FinalStatus = Schemas["FinalStatus"];
type BillingState = Schemas["BillingState"];
type TtsCacheStatus = Schemas["TtsCacheStatus"];
type ExecutionType = Schemas["ExecutionType"];
type TtsPriority = Schemas["TtsPriority"];
type PolicyReason = Schemas["PolicyReason"];
type DeliveryReason = Schemas["DeliveryReason"];
type UsageType = Schemas["UsageType"];
type UsageUnit = Schemas["UsageUnit"];
type BusinessType = Schemas["BusinessType"];
type BrandStatus = Schemas["BrandStatus"];
type BrandVerificationStatus = Schemas["BrandVerificationStatus"];
type CampaignUseCase = Schemas["CampaignUseCase"];
type CampaignStatus = Schemas["CampaignStatus"];
type CampaignReviewStatus = Schemas["CampaignReviewStatus"];
type NumberStatus = Schemas["NumberStatus"];
type NumberAssignmentStatus = Schemas["NumberAssignmentStatus"];
type NumberCapability = Schemas["NumberCapability"];
type RegistrationBlockingReason = Schemas["RegistrationBlockingReason"];
type AgentStatus = Schemas["AgentStatus"];
type RoutingStrategy = Schemas["RoutingStrategy"];
type MenuAction = Schemas["MenuAction"];
type Weekday = Schemas["Weekday"];
type ReplyOutcome = Schemas["ReplyOutcome"];
type ProblemCode = Schemas["ProblemCode"];
type Problem = Schemas["Problem"];
type FieldProblem = Schemas["FieldProblem"];
type V1MerchantUpsertRequest = Schemas["V1MerchantUpsertRequest"];
type MerchantView = Schemas["MerchantView"];
type V1MerchantConsentRequest = Schemas["V1MerchantConsentRequest"];
type ConsentView = Schemas["ConsentView"];
type V1OmniSmsSendRequest = Schemas["V1OmniSmsSendRequest"];
type V1OmniVoiceSendRequest = Schemas["V1OmniVoiceSendRequest"];
type V1OmniEmailSendRequest = Schemas["V1OmniEmailSendRequest"];
type DispatchResponse = Schemas["DispatchResponse"];
type V1SmsSendRequest = Schemas["V1SmsSendRequest"];
type V1EmailSendRequest = Schemas["V1EmailSendRequest"];
type V1MessageResponse = Schemas["V1MessageResponse"];
type V1VoiceTtsCallRequest = Schemas["V1VoiceTtsCallRequest"];
type VoiceTtsSubmissionView = Schemas["VoiceTtsSubmissionView"];
type VoiceTtsCallView = Schemas["VoiceTtsCallView"];
type VoiceTtsUsageView = Schemas["VoiceTtsUsageView"];
type VoiceTtsBatchSummaryView = Schemas["VoiceTtsBatchSummaryView"];
type VoiceTtsBatchNumberView = Schemas["VoiceTtsBatchNumberView"];
type VoiceTtsCallUpdatedEvent = Schemas["VoiceTtsCallUpdatedEvent"];
type VoiceTtsCallFinalizedEvent = Schemas["VoiceTtsCallFinalizedEvent"];
type VoiceTtsBatchFinalizedEvent = Schemas["VoiceTtsBatchFinalizedEvent"];
type V1MerchantUpgradeRequest = Schemas["V1MerchantUpgradeRequest"];
type MerchantUpgradeView = Schemas["MerchantUpgradeView"];
type AlertView = Schemas["AlertView"];
type V1UsageReportResponse = Schemas["V1UsageReportResponse"];
type V1MerchantMessagingBrandRequest = Schemas["V1MerchantMessagingBrandRequest"];
type BrandView = Schemas["BrandView"];
type V1MerchantMessagingCampaignRequest = Schemas["V1MerchantMessagingCampaignRequest"];
type CampaignView = Schemas["CampaignView"];
type V1MerchantPhoneNumberRequest = Schemas["V1MerchantPhoneNumberRequest"];
type V1MerchantPhoneNumberAssignRequest = Schemas["V1MerchantPhoneNumberAssignRequest"];
type PhoneNumberView = Schemas["PhoneNumberView"];
type MerchantSmsRegistrationStatusView = Schemas["MerchantSmsRegistrationStatusView"];
type V1VoiceProvisioningResponse = Schemas["V1VoiceProvisioningResponse"];
type V1VoiceSipPresenceRequest = Schemas["V1VoiceSipPresenceRequest"];
type V1SimulatorReplyRequest = Schemas["V1SimulatorReplyRequest"];
type V1SimulatorReplyResponse = Schemas["V1SimulatorReplyResponse"];
type ListConsentsQuery = NonNullable<paths["/api/v1/consents"]["get"]["parameters"]["query"]>;
type ListTtsCallsQuery = NonNullable<paths["/api/v1/voice/tts-calls"]["get"]["parameters"]["query"]>;
type ListTtsBatchNumbersQuery = NonNullable<paths["/api/v1/voice/tts-calls/batches/{batchId}/numbers"]["get"]["parameters"]["query"]>;
type ListAlertsQuery = NonNullable<paths["/api/v1/alerts"]["get"]["parameters"]["query"]>;
type GetUsageReportQuery = NonNullable<paths["/api/v1/reports/usage"]["get"]["parameters"]["query"]>;
type ErrorCode = ProblemCode | (string & {});
type ErrorBody = Partial<Problem> | string;
interface ErrorDetails {
    idempotencyKey?: string | undefined;
    attempts?: number;
}
interface ApiErrorDetails extends ErrorDetails {
    status: number;
    code?: ErrorCode | undefined;
    errors: readonly FieldProblem[];
    requestId?: string | undefined;
    retryAfterMs?: number | undefined;
    body?: ErrorBody | undefined;
}
declare class MessagingError extends Error {
    readonly idempotencyKey?: string;
    readonly attempts?: number;
    name: string;
    constructor(message: string, details?: ErrorDetails, cause?: unknown);
}
declare class UsageError extends MessagingError {
    name: string;
}
declare class ConnectionError extends MessagingError {
    name: string;
}
declare class TimeoutError extends ConnectionError {
    name: string;
}
declare class AbortedError extends MessagingError {
    name: string;
}
declare class ApiError extends MessagingError {
    readonly status: number;
    readonly code?: ErrorCode;
    readonly errors: readonly FieldProblem[];
    readonly requestId?: string;
    readonly retryAfterMs?: number;
    readonly body?: ErrorBody;
    name: string;
    constructor(message: string, details: ApiErrorDetails);
}
declare class ValidationError extends ApiError {
    name: string;
}
declare class AuthenticationError extends ApiError {
    name: string;
}
declare class PermissionError extends ApiError {
    name: string;
}
declare class NotFoundError extends ApiError {
    name: string;
}
declare class ConflictError extends ApiError {
    name: string;
}
declare class QuotaExceededError extends ApiError {
    name: string;
}
declare class ConsentError extends ApiError {
    name: string;
}
declare class IdempotencyError extends ApiError {
    name: string;
}
declare class RateLimitError extends ApiError {
    name: string;
}
declare class ServerError extends ApiError {
    name: string;
}
export { type CampaignStatus as $, type AlertView as A, type BrandView as B, type ConsentView as C, type DispatchResponse as D, type V1VoiceSipPresenceRequest as E, type V1SimulatorReplyRequest as F, type GetUsageReportQuery as G, type V1SimulatorReplyResponse as H, type Channel as I, type paths as J, AbortedError as K, type ListAlertsQuery as L, MessagingError as M, type AgentStatus as N, type AlertSeverity as O, type PhoneNumberView as P, type AlertType as Q, ApiError as R, type ApiErrorDetails as S, AuthenticationError as T, type BillingState as U, type V1MerchantUpgradeRequest as V, type BrandStatus as W, type BrandVerificationStatus as X, type BusinessType as Y, type CallStatus as Z, type CampaignReviewStatus as _, type MerchantUpgradeView as a, type CampaignUseCase as a0, ConflictError as a1, ConnectionError as a2, ConsentError as a3, type ConsentStatus as a4, type Currency as a5, type DeliveryReason as a6, type EmailAddress as a7, type ErrorBody as a8, type ErrorCode as a9, type RegistrationBlockingReason as aA, type ReplyOutcome as aB, type RoutingStrategy as aC, ServerError as aD, TimeoutError as aE, type TtsBatchStatus as aF, type TtsCacheStatus as aG, type TtsCallStatus as aH, type TtsPriority as aI, UsageError as aJ, type UsageType as aK, type UsageUnit as aL, type UsdAmount as aM, ValidationError as aN, type VoiceTtsBatchFinalizedEvent as aO, type VoiceTtsCallFinalizedEvent as aP, type VoiceTtsCallUpdatedEvent as aQ, type VoiceTtsUsageView as aR, type Weekday as aS, type webhooks as aT, type ErrorDetails as aa, type ExecutionType as ab, type FieldProblem as ac, type FinalStatus as ad, type FreshnessReason as ae, type FreshnessState as af, IdempotencyError as ag, type IdempotencyKey as ah, type MenuAction as ai, type MerchantId as aj, type MessageId as ak, type MessageStatus as al, type MessageType as am, NotFoundError as an, type NumberAssignmentStatus as ao, type NumberCapability as ap, type NumberStatus as aq, type PaymentStatus as ar, PermissionError as as, type PhoneNumber as at, type PlaybackStatus as au, type PolicyReason as av, type Problem as aw, type ProblemCode as ax, QuotaExceededError as ay, RateLimitError as az, type V1MerchantConsentRequest as b, type ListConsentsQuery as c, type V1OmniSmsSendRequest as d, type V1OmniVoiceSendRequest as e, type V1OmniEmailSendRequest as f, type V1SmsSendRequest as g, type V1MessageResponse as h, type V1EmailSendRequest as i, type V1MerchantUpsertRequest as j, type MerchantView as k, type V1VoiceTtsCallRequest as l, type VoiceTtsSubmissionView as m, type ListTtsCallsQuery as n, type VoiceTtsCallView as o, type VoiceTtsBatchSummaryView as p, type ListTtsBatchNumbersQuery as q, type VoiceTtsBatchNumberView as r, type V1UsageReportResponse as s, type V1MerchantMessagingBrandRequest as t, type V1MerchantMessagingCampaignRequest as u, type CampaignView as v, type V1MerchantPhoneNumberRequest as w, type V1MerchantPhoneNumberAssignRequest as x, type MerchantSmsRegistrationStatusView as y, type V1VoiceProvisioningResponse as z };
