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
        ProblemCode: "malformed_http" | "malformed_json" | "validation_error" | "invalid_phone_number" | "invalid_email" | "invalid_timezone" | "invalid_date_range" | "idempotency_key_invalid" | "idempotency_key_conflict" | "credentials_missing" | "credentials_invalid" | "credentials_revoked" | "quota_exceeded" | "merchant_scope_denied" | "tenant_mismatch" | "merchant_inactive" | "route_not_found" | "merchant_not_found" | "message_not_found" | "call_not_found" | "batch_not_found" | "brand_not_found" | "campaign_not_found" | "number_not_found" | "sip_user_not_found" | "method_not_allowed" | "not_acceptable" | "request_timeout" | "idempotency_in_progress" | "number_already_registered" | "campaign_reference_conflict" | "illegal_transition" | "payload_too_large" | "unsupported_media_type" | "consent_required" | "consent_opted_out" | "idempotency_key_reused" | "registration_limit" | "campaign_number_limit" | "number_not_sms_capable" | "reply_not_supported" | "all_recipients_refused" | "rate_limited" | "headers_too_large" | "internal_error" | "outcome_unknown" | "unavailable";
        Problem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            instance: string;
            code: components["schemas"]["ProblemCode"] | (string & {});
            requestId: string;
            errors?: components["schemas"]["FieldProblem"][];
            moreFaults?: number;
            channel?: components["schemas"]["Channel"] | (string & {});
            available?: number;
            required?: number;
            suggestedLimit?: number;
            merchantId?: string;
            displayName?: string;
        };
        FieldProblem: {
            pointer: string;
            code: string;
            detail: string;
        };
        V1MerchantUpsertRequest: {
            merchantId: components["schemas"]["MerchantId"];
            displayName: string;
            active?: boolean | undefined;
            smsLimit?: number | bigint | undefined;
            voiceMinutesLimit?: number | bigint | undefined;
            emailLimit?: number | bigint | undefined;
            smsCredits?: number | bigint | undefined;
            voiceMinutesCredits?: number | bigint | undefined;
            emailCredits?: number | bigint | undefined;
        };
        MerchantView: {
            merchantId: components["schemas"]["MerchantId"];
            displayName: string;
            active: boolean;
            limits: {
                smsLimit: number;
                voiceMinutesLimit: number;
                emailLimit: number;
            };
            credits: {
                smsCredits: number;
                voiceMinutesCredits: number;
                emailCredits: number;
            };
            usage: {
                smsUsed: number;
                voiceUsed: number;
                emailUsed: number;
                periodStart: string;
            };
        };
        V1MerchantConsentRequest: {
            merchantId: components["schemas"]["MerchantId"];
            channel: components["schemas"]["Channel"];
            contact: string;
            status: components["schemas"]["ConsentStatus"];
            source?: string | undefined;
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
            record?: boolean | undefined;
            timeoutSeconds?: number | undefined;
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
            subject?: string | undefined;
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
            platformAccountId?: string | undefined;
            tenantId?: string | undefined;
            sourceSystem?: string | undefined;
            campaignId?: string | undefined;
            campaignName?: string | undefined;
            toNumber?: components["schemas"]["PhoneNumber"] | undefined;
            toNumbers?: components["schemas"]["PhoneNumber"][] | undefined;
            language?: string | undefined;
            voiceProfile?: string | undefined;
            customerTimezone?: string | undefined;
            priority?: components["schemas"]["TtsPriority"] | undefined;
            callbackUrl?: string | undefined;
            idempotencyKey?: components["schemas"]["IdempotencyKey"] | undefined;
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
            ttsAssetId: number | null;
            callSessionId: number | null;
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
            ttsAssetId: number | null;
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
            units?: number | bigint | undefined;
            amountCents?: number | bigint | undefined;
            paymentMethodId?: number | bigint | string | undefined;
            currency?: components["schemas"]["Currency"] | undefined;
            note?: string | undefined;
            referenceId?: string | undefined;
        };
        MerchantUpgradeView: {
            merchantId: components["schemas"]["MerchantId"];
            channel: components["schemas"]["Channel"] | (string & {});
            unitsRequested: number;
            amountCents: number;
            currency: components["schemas"]["Currency"] | (string & {});
            paymentId: string;
            paymentStatus: components["schemas"]["PaymentStatus"] | (string & {});
            fulfilled: boolean;
            remainingCredits: number;
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
            totalSmsCount: number;
            totalEmailCount: number;
            providerCost: components["schemas"]["UsdAmount"];
            hqMarkup: components["schemas"]["UsdAmount"];
            finalCharges: components["schemas"]["UsdAmount"];
            freshnessState: components["schemas"]["FreshnessState"] | (string & {});
            freshnessReason: components["schemas"]["FreshnessReason"] | (string & {});
        };
        V1MerchantMessagingBrandRequest: {
            legalBusinessName: string;
            provider?: string | undefined;
            providerBrandId?: string | undefined;
            externalBrandRef?: string | undefined;
            businessType?: components["schemas"]["BusinessType"] | undefined;
            websiteUrl?: string | undefined;
            street?: string | undefined;
            city?: string | undefined;
            state?: string | undefined;
            postalCode?: string | undefined;
            country?: string | undefined;
            contactFirstName?: string | undefined;
            contactLastName?: string | undefined;
            contactEmail?: components["schemas"]["EmailAddress"] | undefined;
            contactPhone?: components["schemas"]["PhoneNumber"] | undefined;
            status?: components["schemas"]["BrandStatus"] | undefined;
            verificationStatus?: components["schemas"]["BrandVerificationStatus"] | undefined;
            rawProviderPayload?: string | undefined;
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
            id: number;
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
            provider?: string | undefined;
            providerCampaignId?: string | undefined;
            campaignReference?: string | undefined;
            vertical?: string | undefined;
            privacyPolicyLink?: string | undefined;
            termsAndConditionsLink?: string | undefined;
            status?: components["schemas"]["CampaignStatus"] | undefined;
            reviewStatus?: components["schemas"]["CampaignReviewStatus"] | undefined;
            reviewFailureCode?: string | undefined;
            reviewFailureReason?: string | undefined;
            rawProviderPayload?: string | undefined;
            subUseCases?: components["schemas"]["CampaignUseCase"][] | undefined;
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
            id: number;
            brandId: number;
            sampleMessages: string[];
            optInKeywords: string[];
            optOutKeywords: string[];
            helpKeywords: string[];
            subUseCases: (components["schemas"]["CampaignUseCase"] | (string & {}))[];
            updatedAt: string;
        };
        V1MerchantPhoneNumberRequest: {
            phoneNumber: components["schemas"]["PhoneNumber"];
            provider?: string | undefined;
            providerNumberId?: string | undefined;
            numberType?: string | undefined;
            countryCode?: string | undefined;
            assignmentStatus?: components["schemas"]["NumberAssignmentStatus"] | undefined;
            status?: components["schemas"]["NumberStatus"] | undefined;
            capabilities?: components["schemas"]["NumberCapability"][] | undefined;
            campaignId?: number | bigint | undefined;
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
            id: number;
            capabilities: (components["schemas"]["NumberCapability"] | (string & {}))[];
            campaignId: number | null;
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
            tenantId: number;
            sipHost: string | null;
            sipDomain: string | null;
            wssUrl: string | null;
            udpPort: number | null;
            tlsPort: number | null;
            wsPort: number | null;
            sipUsers: {
                userId: number;
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
                id: number;
                provider: string;
                providerNumberId: string | null;
                e164Number: string;
                label: string | null;
                status: components["schemas"]["NumberStatus"] | (string & {});
                capabilities: (components["schemas"]["NumberCapability"] | (string & {}))[];
                primary: boolean;
            }[];
            ringGroups: {
                id: number;
                name: string;
                routingStrategy: components["schemas"]["RoutingStrategy"] | (string & {});
                timeoutSeconds: number;
                voicemailEnabled: boolean;
                members: {
                    userId: number;
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
                id: number;
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
                    id: number;
                    digit: string;
                    label: string | null;
                    actionType: components["schemas"]["MenuAction"] | (string & {});
                    targetValue: string | null;
                    ringGroupId: number | null;
                    userId: number | null;
                    sortOrder: number;
                }[];
            }[];
        };
        V1VoiceSipPresenceRequest: {
            sipUsername: string;
            registered: boolean;
        };
        FreeswitchDirectory: string;
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
        MalformedHttp: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
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
        RequestTimeout: {
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
        RegistrationRefused: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        NumberRefused: {
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
        HeadersTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
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
        IdempotencyKeyHeader: components["schemas"]["IdempotencyKey"];
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
                merchantId?: components["parameters"]["MerchantIdFilter"] | undefined;
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
                merchantId?: components["parameters"]["MerchantIdFilter"] | undefined;
                tenantId?: string | undefined;
                sourceSystem?: string | undefined;
                useCase?: string | undefined;
                limit?: number | undefined;
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
            408: components["responses"]["RequestTimeout"];
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
                status?: components["schemas"]["FinalStatus"] | undefined;
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
                merchantId?: components["parameters"]["MerchantIdFilter"] | undefined;
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
                from?: string | undefined;
                to?: string | undefined;
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
                "Idempotency-Key"?: components["parameters"]["IdempotencyKeyHeader"] | undefined;
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
            408: components["responses"]["RequestTimeout"];
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
                "Idempotency-Key"?: components["parameters"]["IdempotencyKeyHeader"] | undefined;
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
            408: components["responses"]["RequestTimeout"];
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
                "Idempotency-Key"?: components["parameters"]["IdempotencyKeyHeader"] | undefined;
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
            408: components["responses"]["RequestTimeout"];
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
                "Idempotency-Key"?: components["parameters"]["IdempotencyKeyHeader"] | undefined;
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
            408: components["responses"]["RequestTimeout"];
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
                    "application/xml": components["schemas"]["FreeswitchDirectory"];
                };
            };
            400: components["responses"]["MalformedHttp"];
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
            408: components["responses"]["RequestTimeout"];
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
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["UnavailableOrUnknown"];
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
declare const Channel: {
    readonly SMS: "SMS";
    readonly VOICE: "VOICE";
    readonly EMAIL: "EMAIL";
};
type ConsentStatus = Schemas["ConsentStatus"];
declare const ConsentStatus: {
    readonly OPT_IN: "OPT_IN";
    readonly OPT_OUT: "OPT_OUT";
};
type MessageType = Schemas["MessageType"];
declare const MessageType: {
    readonly OTP: "OTP";
    readonly REMINDER: "REMINDER";
    readonly MARKETING: "MARKETING";
    readonly TRANSACTIONAL: "TRANSACTIONAL";
};
type MessageStatus = Schemas["MessageStatus"];
declare const MessageStatus: {
    readonly QUEUED: "QUEUED";
    readonly SENDING: "SENDING";
    readonly SENT: "SENT";
    readonly DELIVERED: "DELIVERED";
    readonly UNDELIVERED: "UNDELIVERED";
    readonly FAILED: "FAILED";
    readonly EXPIRED: "EXPIRED";
    readonly CANCELED: "CANCELED";
    readonly UNKNOWN: "UNKNOWN";
};
type Currency = Schemas["Currency"];
declare const Currency: {
    readonly USD: "USD";
};
type PaymentStatus = Schemas["PaymentStatus"];
declare const PaymentStatus: {
    readonly PENDING: "PENDING";
    readonly REQUIRES_ACTION: "REQUIRES_ACTION";
    readonly PROCESSING: "PROCESSING";
    readonly SUCCEEDED: "SUCCEEDED";
    readonly FAILED: "FAILED";
    readonly CANCELED: "CANCELED";
};
type AlertType = Schemas["AlertType"];
declare const AlertType: {
    readonly USAGE_THRESHOLD: "USAGE_THRESHOLD";
    readonly PROVIDER_FAILURE: "PROVIDER_FAILURE";
};
type AlertSeverity = Schemas["AlertSeverity"];
declare const AlertSeverity: {
    readonly INFO: "INFO";
    readonly WARNING: "WARNING";
    readonly CRITICAL: "CRITICAL";
};
type FreshnessState = Schemas["FreshnessState"];
declare const FreshnessState: {
    readonly PROVISIONAL: "PROVISIONAL";
    readonly FINAL: "FINAL";
};
type FreshnessReason = Schemas["FreshnessReason"];
declare const FreshnessReason: {
    readonly PROVIDER_FINALIZATION_PENDING: "PROVIDER_FINALIZATION_PENDING";
    readonly PERIOD_OPEN: "PERIOD_OPEN";
    readonly SETTLED: "SETTLED";
    readonly NO_USAGE: "NO_USAGE";
};
type TtsBatchStatus = Schemas["TtsBatchStatus"];
declare const TtsBatchStatus: {
    readonly QUEUED: "QUEUED";
    readonly SCHEDULED: "SCHEDULED";
    readonly IN_PROGRESS: "IN_PROGRESS";
    readonly COMPLETED: "COMPLETED";
    readonly COMPLETED_WITH_ERRORS: "COMPLETED_WITH_ERRORS";
    readonly FAILED: "FAILED";
};
type TtsCallStatus = Schemas["TtsCallStatus"];
declare const TtsCallStatus: {
    readonly QUEUED: "QUEUED";
    readonly SCHEDULED: "SCHEDULED";
    readonly SYNTHESIZING: "SYNTHESIZING";
    readonly DIALING: "DIALING";
    readonly IN_PROGRESS: "IN_PROGRESS";
    readonly COMPLETED: "COMPLETED";
    readonly FAILED: "FAILED";
    readonly REJECTED: "REJECTED";
    readonly CANCELED: "CANCELED";
};
type CallStatus = Schemas["CallStatus"];
declare const CallStatus: {
    readonly QUEUED: "QUEUED";
    readonly INITIATED: "INITIATED";
    readonly RINGING: "RINGING";
    readonly IN_PROGRESS: "IN_PROGRESS";
    readonly COMPLETED: "COMPLETED";
    readonly BUSY: "BUSY";
    readonly NO_ANSWER: "NO_ANSWER";
    readonly FAILED: "FAILED";
    readonly CANCELED: "CANCELED";
};
type PlaybackStatus = Schemas["PlaybackStatus"];
declare const PlaybackStatus: {
    readonly NOT_STARTED: "NOT_STARTED";
    readonly PLAYING: "PLAYING";
    readonly COMPLETED: "COMPLETED";
    readonly PARTIAL: "PARTIAL";
    readonly FAILED: "FAILED";
};
type FinalStatus = Schemas["FinalStatus"];
declare const FinalStatus: {
    readonly PENDING: "PENDING";
    readonly SCHEDULED: "SCHEDULED";
    readonly SUCCESS: "SUCCESS";
    readonly PARTIAL: "PARTIAL";
    readonly FAILED: "FAILED";
};
type BillingState = Schemas["BillingState"];
declare const BillingState: {
    readonly PROVISIONAL: "PROVISIONAL";
    readonly FINALIZED: "FINALIZED";
};
type TtsCacheStatus = Schemas["TtsCacheStatus"];
declare const TtsCacheStatus: {
    readonly PENDING: "PENDING";
    readonly HIT: "HIT";
    readonly MISS: "MISS";
};
type ExecutionType = Schemas["ExecutionType"];
declare const ExecutionType: {
    readonly IMMEDIATE: "IMMEDIATE";
    readonly SCHEDULED: "SCHEDULED";
};
type TtsPriority = Schemas["TtsPriority"];
declare const TtsPriority: {
    readonly LOW: "LOW";
    readonly NORMAL: "NORMAL";
    readonly HIGH: "HIGH";
};
type PolicyReason = Schemas["PolicyReason"];
declare const PolicyReason: {
    readonly QUIET_HOURS: "QUIET_HOURS";
    readonly TIMEZONE_INFERRED: "TIMEZONE_INFERRED";
    readonly CONSENT_REQUIRED: "CONSENT_REQUIRED";
    readonly CONSENT_OPTED_OUT: "CONSENT_OPTED_OUT";
    readonly QUOTA_EXCEEDED: "QUOTA_EXCEEDED";
};
type DeliveryReason = Schemas["DeliveryReason"];
declare const DeliveryReason: {
    readonly UNREACHABLE: "UNREACHABLE";
    readonly BLOCKED: "BLOCKED";
    readonly UNKNOWN_HANDSET: "UNKNOWN_HANDSET";
    readonly LANDLINE: "LANDLINE";
    readonly CARRIER_FILTERED: "CARRIER_FILTERED";
    readonly CARRIER_UNKNOWN: "CARRIER_UNKNOWN";
    readonly UNREGISTERED_SENDER: "UNREGISTERED_SENDER";
    readonly TTL_EXPIRED: "TTL_EXPIRED";
    readonly OPTED_OUT: "OPTED_OUT";
    readonly BUSY: "BUSY";
    readonly NO_ANSWER: "NO_ANSWER";
    readonly VOICEMAIL: "VOICEMAIL";
    readonly HANGUP: "HANGUP";
    readonly FAX: "FAX";
    readonly INVALID_NUMBER: "INVALID_NUMBER";
    readonly TTS_FAILED: "TTS_FAILED";
};
type UsageType = Schemas["UsageType"];
declare const UsageType: {
    readonly TTS: "TTS";
    readonly CALL: "CALL";
};
type UsageUnit = Schemas["UsageUnit"];
declare const UsageUnit: {
    readonly CHARACTER: "CHARACTER";
    readonly MINUTE: "MINUTE";
};
type BusinessType = Schemas["BusinessType"];
declare const BusinessType: {
    readonly PRIVATE_PROFIT: "PRIVATE_PROFIT";
    readonly PUBLIC_PROFIT: "PUBLIC_PROFIT";
    readonly NON_PROFIT: "NON_PROFIT";
    readonly GOVERNMENT: "GOVERNMENT";
    readonly SOLE_PROPRIETOR: "SOLE_PROPRIETOR";
};
type BrandStatus = Schemas["BrandStatus"];
declare const BrandStatus: {
    readonly DRAFT: "DRAFT";
    readonly PENDING: "PENDING";
    readonly IN_REVIEW: "IN_REVIEW";
    readonly APPROVED: "APPROVED";
    readonly FAILED: "FAILED";
    readonly SUSPENDED: "SUSPENDED";
};
type BrandVerificationStatus = Schemas["BrandVerificationStatus"];
declare const BrandVerificationStatus: {
    readonly SELF_DECLARED: "SELF_DECLARED";
    readonly UNVERIFIED: "UNVERIFIED";
    readonly VERIFIED: "VERIFIED";
    readonly VETTED_VERIFIED: "VETTED_VERIFIED";
};
type CampaignUseCase = Schemas["CampaignUseCase"];
declare const CampaignUseCase: {
    readonly "2FA": "2FA";
    readonly ACCOUNT_NOTIFICATION: "ACCOUNT_NOTIFICATION";
    readonly CUSTOMER_CARE: "CUSTOMER_CARE";
    readonly DELIVERY_NOTIFICATION: "DELIVERY_NOTIFICATION";
    readonly FRAUD_ALERT: "FRAUD_ALERT";
    readonly HIGHER_EDUCATION: "HIGHER_EDUCATION";
    readonly LOW_VOLUME: "LOW_VOLUME";
    readonly M2M: "M2M";
    readonly MARKETING: "MARKETING";
    readonly MIXED: "MIXED";
    readonly POLLING_VOTING: "POLLING_VOTING";
    readonly PUBLIC_SERVICE_ANNOUNCEMENT: "PUBLIC_SERVICE_ANNOUNCEMENT";
    readonly SECURITY_ALERT: "SECURITY_ALERT";
    readonly AGENTS_FRANCHISES: "AGENTS_FRANCHISES";
    readonly CARRIER_EXEMPT: "CARRIER_EXEMPT";
    readonly CHARITY: "CHARITY";
    readonly EMERGENCY: "EMERGENCY";
    readonly K12_EDUCATION: "K12_EDUCATION";
    readonly POLITICAL: "POLITICAL";
    readonly PROXY: "PROXY";
    readonly SOCIAL: "SOCIAL";
    readonly SOLE_PROPRIETOR: "SOLE_PROPRIETOR";
    readonly SWEEPSTAKE: "SWEEPSTAKE";
};
type CampaignStatus = Schemas["CampaignStatus"];
declare const CampaignStatus: {
    readonly PENDING: "PENDING";
    readonly ACTIVE: "ACTIVE";
    readonly EXPIRED: "EXPIRED";
    readonly SUSPENDED: "SUSPENDED";
    readonly FAILED: "FAILED";
};
type CampaignReviewStatus = Schemas["CampaignReviewStatus"];
declare const CampaignReviewStatus: {
    readonly TCR_PENDING: "TCR_PENDING";
    readonly TCR_ACCEPTED: "TCR_ACCEPTED";
    readonly TCR_FAILED: "TCR_FAILED";
    readonly TCR_SUSPENDED: "TCR_SUSPENDED";
    readonly TCR_EXPIRED: "TCR_EXPIRED";
    readonly PROVIDER_ACCEPTED: "PROVIDER_ACCEPTED";
    readonly PROVIDER_FAILED: "PROVIDER_FAILED";
    readonly MNO_PENDING: "MNO_PENDING";
    readonly MNO_ACCEPTED: "MNO_ACCEPTED";
    readonly MNO_REJECTED: "MNO_REJECTED";
    readonly MNO_PROVISIONED: "MNO_PROVISIONED";
    readonly MNO_PROVISIONING_FAILED: "MNO_PROVISIONING_FAILED";
};
type NumberStatus = Schemas["NumberStatus"];
declare const NumberStatus: {
    readonly PENDING: "PENDING";
    readonly ACTIVE: "ACTIVE";
    readonly SUSPENDED: "SUSPENDED";
    readonly RELEASED: "RELEASED";
};
type NumberAssignmentStatus = Schemas["NumberAssignmentStatus"];
declare const NumberAssignmentStatus: {
    readonly UNASSIGNED: "UNASSIGNED";
    readonly PENDING_ASSIGNMENT: "PENDING_ASSIGNMENT";
    readonly ASSIGNED: "ASSIGNED";
    readonly FAILED_ASSIGNMENT: "FAILED_ASSIGNMENT";
    readonly PENDING_UNASSIGNMENT: "PENDING_UNASSIGNMENT";
    readonly FAILED_UNASSIGNMENT: "FAILED_UNASSIGNMENT";
};
type NumberCapability = Schemas["NumberCapability"];
declare const NumberCapability: {
    readonly SMS: "SMS";
    readonly MMS: "MMS";
    readonly VOICE: "VOICE";
    readonly FAX: "FAX";
};
type RegistrationBlockingReason = Schemas["RegistrationBlockingReason"];
declare const RegistrationBlockingReason: {
    readonly MERCHANT_INACTIVE: "MERCHANT_INACTIVE";
    readonly BRAND_MISSING: "BRAND_MISSING";
    readonly BRAND_FAILED: "BRAND_FAILED";
    readonly BRAND_SUSPENDED: "BRAND_SUSPENDED";
    readonly BRAND_PENDING: "BRAND_PENDING";
    readonly BRAND_UNVERIFIED: "BRAND_UNVERIFIED";
    readonly CAMPAIGN_MISSING: "CAMPAIGN_MISSING";
    readonly CAMPAIGN_REJECTED: "CAMPAIGN_REJECTED";
    readonly CAMPAIGN_SUSPENDED: "CAMPAIGN_SUSPENDED";
    readonly CAMPAIGN_EXPIRED: "CAMPAIGN_EXPIRED";
    readonly CAMPAIGN_PENDING: "CAMPAIGN_PENDING";
    readonly NUMBER_MISSING: "NUMBER_MISSING";
    readonly NUMBER_INACTIVE: "NUMBER_INACTIVE";
    readonly NUMBER_NOT_SMS_CAPABLE: "NUMBER_NOT_SMS_CAPABLE";
    readonly NUMBER_UNASSIGNED: "NUMBER_UNASSIGNED";
    readonly NUMBER_ASSIGNMENT_FAILED: "NUMBER_ASSIGNMENT_FAILED";
    readonly NUMBER_ASSIGNMENT_PENDING: "NUMBER_ASSIGNMENT_PENDING";
};
type AgentStatus = Schemas["AgentStatus"];
declare const AgentStatus: {
    readonly OFFLINE: "OFFLINE";
    readonly AVAILABLE: "AVAILABLE";
    readonly ON_BREAK: "ON_BREAK";
    readonly BUSY: "BUSY";
};
type RoutingStrategy = Schemas["RoutingStrategy"];
declare const RoutingStrategy: {
    readonly RING_ALL: "RING_ALL";
    readonly SEQUENTIAL: "SEQUENTIAL";
    readonly ROUND_ROBIN: "ROUND_ROBIN";
    readonly LONGEST_IDLE: "LONGEST_IDLE";
};
type MenuAction = Schemas["MenuAction"];
declare const MenuAction: {
    readonly RING_GROUP: "RING_GROUP";
    readonly USER: "USER";
    readonly FORWARD: "FORWARD";
    readonly VOICEMAIL: "VOICEMAIL";
    readonly SUBMENU: "SUBMENU";
    readonly REPEAT: "REPEAT";
    readonly HANGUP: "HANGUP";
};
type Weekday = Schemas["Weekday"];
declare const Weekday: {
    readonly MONDAY: "MONDAY";
    readonly TUESDAY: "TUESDAY";
    readonly WEDNESDAY: "WEDNESDAY";
    readonly THURSDAY: "THURSDAY";
    readonly FRIDAY: "FRIDAY";
    readonly SATURDAY: "SATURDAY";
    readonly SUNDAY: "SUNDAY";
};
type ReplyOutcome = Schemas["ReplyOutcome"];
declare const ReplyOutcome: {
    readonly OPTED_OUT: "OPTED_OUT";
    readonly OPTED_IN: "OPTED_IN";
    readonly HELP_SENT: "HELP_SENT";
    readonly RECEIVED: "RECEIVED";
};
type ProblemCode = Schemas["ProblemCode"];
declare const ProblemCode: {
    readonly malformed_http: "malformed_http";
    readonly malformed_json: "malformed_json";
    readonly validation_error: "validation_error";
    readonly invalid_phone_number: "invalid_phone_number";
    readonly invalid_email: "invalid_email";
    readonly invalid_timezone: "invalid_timezone";
    readonly invalid_date_range: "invalid_date_range";
    readonly idempotency_key_invalid: "idempotency_key_invalid";
    readonly idempotency_key_conflict: "idempotency_key_conflict";
    readonly credentials_missing: "credentials_missing";
    readonly credentials_invalid: "credentials_invalid";
    readonly credentials_revoked: "credentials_revoked";
    readonly quota_exceeded: "quota_exceeded";
    readonly merchant_scope_denied: "merchant_scope_denied";
    readonly tenant_mismatch: "tenant_mismatch";
    readonly merchant_inactive: "merchant_inactive";
    readonly route_not_found: "route_not_found";
    readonly merchant_not_found: "merchant_not_found";
    readonly message_not_found: "message_not_found";
    readonly call_not_found: "call_not_found";
    readonly batch_not_found: "batch_not_found";
    readonly brand_not_found: "brand_not_found";
    readonly campaign_not_found: "campaign_not_found";
    readonly number_not_found: "number_not_found";
    readonly sip_user_not_found: "sip_user_not_found";
    readonly method_not_allowed: "method_not_allowed";
    readonly not_acceptable: "not_acceptable";
    readonly request_timeout: "request_timeout";
    readonly idempotency_in_progress: "idempotency_in_progress";
    readonly number_already_registered: "number_already_registered";
    readonly campaign_reference_conflict: "campaign_reference_conflict";
    readonly illegal_transition: "illegal_transition";
    readonly payload_too_large: "payload_too_large";
    readonly unsupported_media_type: "unsupported_media_type";
    readonly consent_required: "consent_required";
    readonly consent_opted_out: "consent_opted_out";
    readonly idempotency_key_reused: "idempotency_key_reused";
    readonly registration_limit: "registration_limit";
    readonly campaign_number_limit: "campaign_number_limit";
    readonly number_not_sms_capable: "number_not_sms_capable";
    readonly reply_not_supported: "reply_not_supported";
    readonly all_recipients_refused: "all_recipients_refused";
    readonly rate_limited: "rate_limited";
    readonly headers_too_large: "headers_too_large";
    readonly internal_error: "internal_error";
    readonly outcome_unknown: "outcome_unknown";
    readonly unavailable: "unavailable";
};
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
type FreeswitchDirectory = Schemas["FreeswitchDirectory"];
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
    attempts?: number | undefined;
}
interface UnsafeIntegerDetails extends ErrorDetails {
    pointer: string;
    digits: string;
    data: unknown;
    requestId?: string | undefined;
}
interface UnexpectedReplyDetails extends ErrorDetails {
    status: number;
    requestId?: string | undefined;
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
    static readonly msgctlKind: string;
    readonly idempotencyKey?: string;
    readonly attempts?: number;
    constructor(message: string, details?: ErrorDetails, cause?: unknown);
    static [Symbol.hasInstance](value: unknown): boolean;
}
declare class UsageError extends MessagingError {
    static readonly msgctlKind: string;
}
declare class ConnectionError extends MessagingError {
    static readonly msgctlKind: string;
}
declare class UnexpectedReplyError extends ConnectionError {
    readonly status: number;
    readonly requestId?: string;
    static readonly msgctlKind: string;
    constructor(message: string, details: UnexpectedReplyDetails);
}
declare class TimeoutError extends ConnectionError {
    static readonly msgctlKind: string;
}
declare class AbortedError extends MessagingError {
    static readonly msgctlKind: string;
}
declare class UnsafeIntegerError extends MessagingError {
    readonly pointer: string;
    readonly digits: string;
    readonly data: unknown;
    readonly requestId?: string;
    static readonly msgctlKind: string;
    constructor(details: UnsafeIntegerDetails);
}
declare class ReplyTooLargeError extends MessagingError {
    static readonly msgctlKind: string;
}
declare class ApiError extends MessagingError {
    readonly status: number;
    readonly code?: ErrorCode;
    readonly errors: readonly FieldProblem[];
    readonly requestId?: string;
    readonly retryAfterMs?: number;
    readonly body?: ErrorBody;
    static readonly msgctlKind: string;
    constructor(message: string, details: ApiErrorDetails);
}
declare class ValidationError extends ApiError {
    static readonly msgctlKind: string;
}
declare class AuthenticationError extends ApiError {
    static readonly msgctlKind: string;
}
declare class PermissionError extends ApiError {
    static readonly msgctlKind: string;
}
declare class NotFoundError extends ApiError {
    static readonly msgctlKind: string;
}
declare class ConflictError extends ApiError {
    static readonly msgctlKind: string;
}
declare class QuotaExceededError extends ApiError {
    static readonly msgctlKind: string;
}
declare class ConsentError extends ApiError {
    static readonly msgctlKind: string;
}
declare class IdempotencyError extends ApiError {
    static readonly msgctlKind: string;
}
declare class RateLimitError extends ApiError {
    static readonly msgctlKind: string;
}
declare class ServerError extends ApiError {
    static readonly msgctlKind: string;
}
type Exact<T> = T extends number ? number extends T ? number | bigint : T : T extends string ? T : T extends object ? {
    [Name in keyof T]: Exact<T[Name]>;
} : T;
type ReplyData<T, E extends boolean = false> = E extends true ? Exact<T> : T;
export { CallStatus as $, type AlertView as A, type BrandView as B, type ConsentView as C, type DispatchResponse as D, type V1VoiceSipPresenceRequest as E, type V1SimulatorReplyRequest as F, type GetUsageReportQuery as G, type V1SimulatorReplyResponse as H, Channel as I, type paths as J, type Exact as K, type ListAlertsQuery as L, MessagingError as M, AbortedError as N, AgentStatus as O, type PhoneNumberView as P, AlertSeverity as Q, type ReplyData as R, AlertType as S, ApiError as T, type ApiErrorDetails as U, type V1MerchantUpgradeRequest as V, AuthenticationError as W, BillingState as X, BrandStatus as Y, BrandVerificationStatus as Z, BusinessType as _, type MerchantUpgradeView as a, type components as a$, CampaignReviewStatus as a0, CampaignStatus as a1, CampaignUseCase as a2, ConflictError as a3, ConnectionError as a4, ConsentError as a5, ConsentStatus as a6, Currency as a7, DeliveryReason as a8, type EmailAddress as a9, ProblemCode as aA, QuotaExceededError as aB, RateLimitError as aC, RegistrationBlockingReason as aD, ReplyOutcome as aE, ReplyTooLargeError as aF, RoutingStrategy as aG, ServerError as aH, TimeoutError as aI, TtsBatchStatus as aJ, TtsCacheStatus as aK, TtsCallStatus as aL, TtsPriority as aM, type UnexpectedReplyDetails as aN, UnexpectedReplyError as aO, type UnsafeIntegerDetails as aP, UnsafeIntegerError as aQ, UsageError as aR, UsageType as aS, UsageUnit as aT, type UsdAmount as aU, ValidationError as aV, type VoiceTtsBatchFinalizedEvent as aW, type VoiceTtsCallFinalizedEvent as aX, type VoiceTtsCallUpdatedEvent as aY, type VoiceTtsUsageView as aZ, Weekday as a_, type ErrorBody as aa, type ErrorCode as ab, type ErrorDetails as ac, ExecutionType as ad, type FieldProblem as ae, FinalStatus as af, type FreeswitchDirectory as ag, FreshnessReason as ah, FreshnessState as ai, IdempotencyError as aj, type IdempotencyKey as ak, MenuAction as al, type MerchantId as am, type MessageId as an, MessageStatus as ao, MessageType as ap, NotFoundError as aq, NumberAssignmentStatus as ar, NumberCapability as as, NumberStatus as at, PaymentStatus as au, PermissionError as av, type PhoneNumber as aw, PlaybackStatus as ax, PolicyReason as ay, type Problem as az, type V1MerchantConsentRequest as b, type webhooks as b0, type ListConsentsQuery as c, type V1OmniSmsSendRequest as d, type V1OmniVoiceSendRequest as e, type V1OmniEmailSendRequest as f, type V1SmsSendRequest as g, type V1MessageResponse as h, type V1EmailSendRequest as i, type V1MerchantUpsertRequest as j, type MerchantView as k, type V1VoiceTtsCallRequest as l, type VoiceTtsSubmissionView as m, type ListTtsCallsQuery as n, type VoiceTtsCallView as o, type VoiceTtsBatchSummaryView as p, type ListTtsBatchNumbersQuery as q, type VoiceTtsBatchNumberView as r, type V1UsageReportResponse as s, type V1MerchantMessagingBrandRequest as t, type V1MerchantMessagingCampaignRequest as u, type CampaignView as v, type V1MerchantPhoneNumberRequest as w, type V1MerchantPhoneNumberAssignRequest as x, type MerchantSmsRegistrationStatusView as y, type V1VoiceProvisioningResponse as z };
