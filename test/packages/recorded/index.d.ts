// Recorded from the built package by npm run record:types. Do not edit.

import { M as MessagingError, L as ListAlertsQuery, R as ReplyData, A as AlertView, V as V1MerchantUpgradeRequest, a as MerchantUpgradeView, b as V1MerchantConsentRequest, C as ConsentView, c as ListConsentsQuery, d as V1OmniSmsSendRequest, D as DispatchResponse, e as V1OmniVoiceSendRequest, f as V1OmniEmailSendRequest, g as V1SmsSendRequest, h as V1MessageResponse, i as V1EmailSendRequest, j as V1MerchantUpsertRequest, k as MerchantView, l as V1VoiceTtsCallRequest, m as VoiceTtsSubmissionView, n as ListTtsCallsQuery, o as VoiceTtsCallView, p as VoiceTtsBatchSummaryView, q as ListTtsBatchNumbersQuery, r as VoiceTtsBatchNumberView, G as GetUsageReportQuery, s as V1UsageReportResponse, t as V1MerchantMessagingBrandRequest, B as BrandView, u as V1MerchantMessagingCampaignRequest, v as CampaignView, w as V1MerchantPhoneNumberRequest, P as PhoneNumberView, x as V1MerchantPhoneNumberAssignRequest, y as MerchantSmsRegistrationStatusView, z as V1VoiceProvisioningResponse, E as V1VoiceSipPresenceRequest, F as V1SimulatorReplyRequest, H as V1SimulatorReplyResponse, I as Channel, J as paths, K as Exact } from "./shared.js";
export { N as AbortedError, O as AgentStatus, Q as AlertSeverity, S as AlertType, T as ApiError, U as ApiErrorDetails, W as AuthenticationError, X as BillingState, Y as BrandStatus, Z as BrandVerificationStatus, _ as BusinessType, $ as CallStatus, a0 as CampaignReviewStatus, a1 as CampaignStatus, a2 as CampaignUseCase, a3 as ConflictError, a4 as ConnectionError, a5 as ConsentError, a6 as ConsentStatus, a7 as Currency, a8 as DeliveryReason, a9 as EmailAddress, aa as ErrorBody, ab as ErrorCode, ac as ErrorDetails, ad as ExecutionType, ae as FieldProblem, af as FinalStatus, ag as FreeswitchDirectory, ah as FreshnessReason, ai as FreshnessState, aj as IdempotencyError, ak as IdempotencyKey, al as MenuAction, am as MerchantId, an as MessageId, ao as MessageStatus, ap as MessageType, aq as NotFoundError, ar as NumberAssignmentStatus, as as NumberCapability, at as NumberStatus, au as PaymentStatus, av as PermissionError, aw as PhoneNumber, ax as PlaybackStatus, ay as PolicyReason, az as Problem, aA as ProblemCode, aB as QuotaExceededError, aC as RateLimitError, aD as RegistrationBlockingReason, aE as ReplyOutcome, aF as ReplyTooLargeError, aG as RoutingStrategy, aH as ServerError, aI as TimeoutError, aJ as TtsBatchStatus, aK as TtsCacheStatus, aL as TtsCallStatus, aM as TtsPriority, aN as UnexpectedReplyDetails, aO as UnexpectedReplyError, aP as UnsafeIntegerDetails, aQ as UnsafeIntegerError, aR as UsageError, aS as UsageType, aT as UsageUnit, aU as UsdAmount, aV as ValidationError, aW as VoiceTtsBatchFinalizedEvent, aX as VoiceTtsCallFinalizedEvent, aY as VoiceTtsCallUpdatedEvent, aZ as VoiceTtsUsageView, a_ as Weekday } from "./shared.js";
import { Client } from 'openapi-fetch';
interface WatchedCall {
    readonly method: string;
    readonly route: string;
    readonly url: string;
    readonly idempotencyKey: string | undefined;
}
interface RequestEvent {
    readonly call: WatchedCall;
    readonly attempt: number;
    readonly headers: Readonly<Record<string, string>>;
}
interface ResponseEvent {
    readonly call: WatchedCall;
    readonly attempt: number;
    readonly status: number;
    readonly headers: Headers;
    readonly durationMs: number;
}
interface RetryEvent {
    readonly call: WatchedCall;
    readonly attempt: number;
    readonly delayMs: number;
    readonly status: number | undefined;
    readonly error: MessagingError | undefined;
}
interface ErrorEvent {
    readonly call: WatchedCall;
    readonly error: MessagingError;
}
interface Hooks {
    onRequest?: ((event: RequestEvent) => Record<string, string> | void) | undefined;
    onResponse?: ((event: ResponseEvent) => void) | undefined;
    onRetry?: ((event: RetryEvent) => void) | undefined;
    onError?: ((event: ErrorEvent) => void) | undefined;
}
declare function parseJson(text: string): unknown;
declare function stringifyJson(value: unknown): string;
type LogLevel = "off" | "error" | "warn" | "info" | "debug";
type Logger = {
    readonly [Level in Exclude<LogLevel, "off">]: (line: string) => void;
};
interface FetchInit {
    method: string;
    headers: Record<string, string>;
    body?: string;
    readonly signal: AbortSignal;
    redirect: "manual";
}
type Fetch = (url: string, init: FetchInit) => Promise<Response>;
interface ClientOptions {
    apiKey?: string | undefined;
    apiSecret?: string | undefined;
    baseUrl?: string | undefined;
    fetch?: Fetch | undefined;
    fetchOptions?: object | undefined;
    headers?: Record<string, string> | undefined;
    hooks?: Hooks | undefined;
    logLevel?: LogLevel | undefined;
    logger?: Logger | undefined;
    timeoutMs?: number | undefined;
    totalTimeoutMs?: number | undefined;
    maxRetries?: number | undefined;
    maxReplyBytes?: number | undefined;
}
interface CallOptions<E extends boolean = false> {
    signal?: AbortSignal | undefined;
    timeoutMs?: number | undefined;
    totalTimeoutMs?: number | undefined;
    maxRetries?: number | undefined;
    maxReplyBytes?: number | undefined;
    headers?: Record<string, string> | undefined;
    exactIntegers?: E | undefined;
}
interface WriteOptions<E extends boolean = false> extends CallOptions<E> {
    idempotencyKey?: string | undefined;
}
type Identity = readonly string[] | readonly [
    readonly string[]
] | string | null;
interface CallMeta {
    attempts: number;
    idempotencyKey: string | undefined;
}
interface ResponseMeta extends CallMeta {
    status: number;
    headers: Headers;
    requestId: string | undefined;
    replayed: boolean;
}
type FailureMeta = CallMeta & Partial<ResponseMeta>;
interface Success<T> {
    ok: true;
    data: T;
    meta: ResponseMeta;
}
interface Failure {
    ok: false;
    error: MessagingError;
    meta: FailureMeta;
}
type Outcome<T> = Success<T> | Failure;
interface ApiCall<T> extends Promise<T> {
    withResponse(): Promise<{
        data: T;
        meta: ResponseMeta;
    }>;
    safe(): Promise<Outcome<T>>;
}
declare function endedCall<T>(outcome: T | Promise<T>, meta?: Partial<ResponseMeta>): ApiCall<T>;
type RowKey<Row> = (row: Row, index: number) => string;
type Rows<Row> = Iterable<Row> | AsyncIterable<Row>;
interface BulkOptions<Row, E extends boolean = false> extends CallOptions<E> {
    concurrency?: number | undefined;
    keyPrefix?: string | undefined;
    idempotencyKey?: RowKey<Row> | undefined;
    signal?: AbortSignal | undefined;
}
interface OutcomeOf<Row> {
    index: number;
    row: Row;
}
type BulkOutcome<Row, T> = (OutcomeOf<Row> & {
    idempotencyKey: string;
} & Success<T>) | (OutcomeOf<Row> & {
    idempotencyKey: string | undefined;
} & Failure);
interface BulkRun<Row, T> extends AsyncIterable<BulkOutcome<Row, T>> {
    readonly keyPrefix: string | undefined;
    readonly then: (onFulfilled: never, onRejected: never) => Promise<never>;
}
type PathValue = string | number | bigint;
interface RequestArgs {
    path?: Record<string, PathValue> | undefined;
    query?: object | undefined;
    body?: unknown;
    accept?: string | undefined;
    identity?: Identity | undefined;
}
declare class CoreClient {
    #private;
    constructor(options?: ClientOptions);
    request<T = unknown>(method: string, path: string, args?: RequestArgs, options?: WriteOptions<boolean>): ApiCall<T>;
}
declare class MerchantsResource {
    #private;
    constructor(client: CoreClient);
    upsert<E extends boolean = false>(body: V1MerchantUpsertRequest, options?: WriteOptions<E>): ApiCall<ReplyData<MerchantView, E>>;
    list<E extends boolean = false>(options?: CallOptions<E>): ApiCall<ReplyData<MerchantView[], E>>;
    get<E extends boolean = false>(merchantId: string, options?: CallOptions<E>): ApiCall<ReplyData<MerchantView, E>>;
}
declare class ConsentResource {
    #private;
    constructor(client: CoreClient);
    record<E extends boolean = false>(body: V1MerchantConsentRequest, options?: WriteOptions<E>): ApiCall<ReplyData<ConsentView, E>>;
    list<E extends boolean = false>(query?: ListConsentsQuery, options?: CallOptions<E>): ApiCall<ReplyData<ConsentView[], E>>;
}
declare class SendResource {
    #private;
    constructor(client: CoreClient);
    sms<E extends boolean = false>(body: V1OmniSmsSendRequest, options?: WriteOptions<E>): ApiCall<ReplyData<DispatchResponse, E>>;
    voice<E extends boolean = false>(body: V1OmniVoiceSendRequest, options?: WriteOptions<E>): ApiCall<ReplyData<DispatchResponse, E>>;
    email<E extends boolean = false>(body: V1OmniEmailSendRequest, options?: WriteOptions<E>): ApiCall<ReplyData<DispatchResponse, E>>;
    directSms<E extends boolean = false>(body: V1SmsSendRequest, options?: WriteOptions<E>): ApiCall<ReplyData<V1MessageResponse, E>>;
    directEmail<E extends boolean = false>(body: V1EmailSendRequest, options?: WriteOptions<E>): ApiCall<ReplyData<V1MessageResponse, E>>;
}
declare class TtsResource {
    #private;
    constructor(client: CoreClient);
    create<E extends boolean = false>(body: V1VoiceTtsCallRequest, options?: WriteOptions<E>): ApiCall<ReplyData<VoiceTtsSubmissionView, E>>;
    list<E extends boolean = false>(query?: ListTtsCallsQuery, options?: CallOptions<E>): ApiCall<ReplyData<VoiceTtsCallView[], E>>;
    get<E extends boolean = false>(requestId: PathValue, options?: CallOptions<E>): ApiCall<ReplyData<VoiceTtsCallView, E>>;
    summary<E extends boolean = false>(batchId: PathValue, options?: CallOptions<E>): ApiCall<ReplyData<VoiceTtsBatchSummaryView, E>>;
    numbers<E extends boolean = false>(batchId: PathValue, query?: ListTtsBatchNumbersQuery, options?: CallOptions<E>): ApiCall<ReplyData<VoiceTtsBatchNumberView[], E>>;
}
declare class BillingResource {
    #private;
    constructor(client: CoreClient);
    upgrade<E extends boolean = false>(body: V1MerchantUpgradeRequest, options?: WriteOptions<E>): ApiCall<ReplyData<MerchantUpgradeView, E>>;
}
declare class AlertsResource {
    #private;
    constructor(client: CoreClient);
    list<E extends boolean = false>(query?: ListAlertsQuery, options?: CallOptions<E>): ApiCall<ReplyData<AlertView[], E>>;
}
declare class ReportsResource {
    #private;
    constructor(client: CoreClient);
    usage<E extends boolean = false>(query?: GetUsageReportQuery, options?: CallOptions<E>): ApiCall<ReplyData<V1UsageReportResponse, E>>;
}
declare class RegistrationResource {
    #private;
    constructor(client: CoreClient);
    brand<E extends boolean = false>(merchantId: string, body: V1MerchantMessagingBrandRequest, options?: WriteOptions<E>): ApiCall<ReplyData<BrandView, E>>;
    campaign<E extends boolean = false>(merchantId: string, body: V1MerchantMessagingCampaignRequest, options?: WriteOptions<E>): ApiCall<ReplyData<CampaignView, E>>;
    number<E extends boolean = false>(merchantId: string, body: V1MerchantPhoneNumberRequest, options?: WriteOptions<E>): ApiCall<ReplyData<PhoneNumberView, E>>;
    assign<E extends boolean = false>(merchantId: string, numberId: PathValue, body: V1MerchantPhoneNumberAssignRequest, options?: WriteOptions<E>): ApiCall<ReplyData<PhoneNumberView, E>>;
    status<E extends boolean = false>(merchantId: string, options?: CallOptions<E>): ApiCall<ReplyData<MerchantSmsRegistrationStatusView, E>>;
}
declare class ProvisioningResource {
    #private;
    constructor(client: CoreClient);
    show<E extends boolean = false>(options?: CallOptions<E>): ApiCall<ReplyData<V1VoiceProvisioningResponse, E>>;
    directory(identifier: string, options?: CallOptions): ApiCall<string>;
    presence(body: V1VoiceSipPresenceRequest, options?: WriteOptions): ApiCall<undefined>;
}
declare class SimulatorResource {
    #private;
    constructor(client: CoreClient);
    reply<E extends boolean = false>(body: V1SimulatorReplyRequest, options?: WriteOptions<E>): ApiCall<ReplyData<V1SimulatorReplyResponse, E>>;
}
declare class ResourceClient extends CoreClient {
    readonly merchants: MerchantsResource;
    readonly consent: ConsentResource;
    readonly send: SendResource;
    readonly tts: TtsResource;
    readonly billing: BillingResource;
    readonly alerts: AlertsResource;
    readonly reports: ReportsResource;
    readonly registration: RegistrationResource;
    readonly provisioning: ProvisioningResource;
    readonly simulator: SimulatorResource;
}
type RecordManyOptions<E extends boolean = false> = Omit<BulkOptions<V1MerchantConsentRequest, E>, "keyPrefix">;
declare class BulkConsentResource extends ConsentResource {
    recordMany<E extends boolean = false>(rows: Rows<V1MerchantConsentRequest>, options?: RecordManyOptions<E>): BulkRun<V1MerchantConsentRequest, ReplyData<ConsentView, E>>;
}
declare function canonicalBody(json: string): unknown;
declare function rowText(operation: string, body: unknown): string;
declare function rowId(digest: string, ordinal: number): string;
interface SendRows {
    SMS: V1OmniSmsSendRequest;
    VOICE: V1OmniVoiceSendRequest;
    EMAIL: V1OmniEmailSendRequest;
}
interface SendManyOptions<By extends Channel, E extends boolean = false> extends BulkOptions<SendRows[By], E> {
    channel: By;
}
declare class BulkSendResource extends SendResource {
    many<By extends Channel, E extends boolean = false>(rows: Rows<SendRows[By]>, options: SendManyOptions<By, E>): BulkRun<SendRows[By], ReplyData<DispatchResponse, E>>;
}
type ExactPaths = {
    [Path in keyof paths]: {
        [Method in keyof paths[Path]]: paths[Path][Method] extends {
            responses: infer Responses;
        } ? Omit<paths[Path][Method], "responses"> & {
            responses: ExactResponses<Responses>;
        } : paths[Path][Method];
    };
};
type ExactResponses<Responses> = {
    [Status in keyof Responses]: Responses[Status] extends {
        content: infer Content;
    } ? Omit<Responses[Status], "content"> & {
        content: Exact<Content>;
    } : Responses[Status];
};
type RawClient = Client<ExactPaths>;
interface WaitForBatchOptions<E extends boolean = false> {
    signal?: AbortSignal | undefined;
    onProgress?: ((summary: ReplyData<VoiceTtsBatchSummaryView, E>) => void) | undefined;
    timeoutMs?: number | undefined;
    pollMs?: number | undefined;
    exactIntegers?: E | undefined;
}
declare class WaitingTtsResource extends TtsResource {
    waitForBatch<E extends boolean = false>(batchId: PathValue, options?: WaitForBatchOptions<E>): Promise<ReplyData<VoiceTtsBatchSummaryView, E>>;
}
declare class MessagingClient extends ResourceClient {
    #private;
    readonly consent: BulkConsentResource;
    readonly send: BulkSendResource;
    readonly tts: WaitingTtsResource;
    get raw(): RawClient;
}
export { AlertView, AlertsResource, type ApiCall, BillingResource, BrandView, BulkConsentResource, type BulkOptions, type BulkOutcome, type BulkRun, BulkSendResource, type CallMeta, type CallOptions, CampaignView, Channel, type ClientOptions, ConsentResource, ConsentView, CoreClient, DispatchResponse, type ErrorEvent, Exact, type Failure, type FailureMeta, type Fetch, type FetchInit, GetUsageReportQuery, type Hooks, type Identity, ListAlertsQuery, ListConsentsQuery, ListTtsBatchNumbersQuery, ListTtsCallsQuery, type LogLevel, type Logger, MerchantSmsRegistrationStatusView, MerchantUpgradeView, MerchantView, MerchantsResource, MessagingClient, MessagingError, type Outcome, type PathValue, PhoneNumberView, ProvisioningResource, type RawClient, type RecordManyOptions, RegistrationResource, ReplyData, ReportsResource, type RequestArgs, type RequestEvent, ResourceClient, type ResponseEvent, type ResponseMeta, type RetryEvent, type RowKey, type Rows, type SendManyOptions, SendResource, type SendRows, SimulatorResource, type Success, TtsResource, V1EmailSendRequest, V1MerchantConsentRequest, V1MerchantMessagingBrandRequest, V1MerchantMessagingCampaignRequest, V1MerchantPhoneNumberAssignRequest, V1MerchantPhoneNumberRequest, V1MerchantUpgradeRequest, V1MerchantUpsertRequest, V1MessageResponse, V1OmniEmailSendRequest, V1OmniSmsSendRequest, V1OmniVoiceSendRequest, V1SimulatorReplyRequest, V1SimulatorReplyResponse, V1SmsSendRequest, V1UsageReportResponse, V1VoiceProvisioningResponse, V1VoiceSipPresenceRequest, V1VoiceTtsCallRequest, VoiceTtsBatchNumberView, VoiceTtsBatchSummaryView, VoiceTtsCallView, VoiceTtsSubmissionView, type WaitForBatchOptions, WaitingTtsResource, type WatchedCall, type WriteOptions, canonicalBody, endedCall, parseJson, rowId, rowText, stringifyJson };
