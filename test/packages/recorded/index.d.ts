// Recorded from the built package by npm run record:types. Do not edit.

import { M as MessagingError, L as ListAlertsQuery, A as AlertView, V as V1MerchantUpgradeRequest, a as MerchantUpgradeView, b as V1MerchantConsentRequest, C as ConsentView, c as ListConsentsQuery, d as V1OmniSmsSendRequest, D as DispatchResponse, e as V1OmniVoiceSendRequest, f as V1OmniEmailSendRequest, g as V1SmsSendRequest, h as V1MessageResponse, i as V1EmailSendRequest, j as V1MerchantUpsertRequest, k as MerchantView, l as V1VoiceTtsCallRequest, m as VoiceTtsSubmissionView, n as ListTtsCallsQuery, o as VoiceTtsCallView, p as VoiceTtsBatchSummaryView, q as ListTtsBatchNumbersQuery, r as VoiceTtsBatchNumberView, G as GetUsageReportQuery, s as V1UsageReportResponse, t as V1MerchantMessagingBrandRequest, B as BrandView, u as V1MerchantMessagingCampaignRequest, v as CampaignView, w as V1MerchantPhoneNumberRequest, P as PhoneNumberView, x as V1MerchantPhoneNumberAssignRequest, y as MerchantSmsRegistrationStatusView, z as V1VoiceProvisioningResponse, E as V1VoiceSipPresenceRequest, F as V1SimulatorReplyRequest, H as V1SimulatorReplyResponse, I as Channel, J as paths } from "./shared.js";
export { K as AbortedError, N as AgentStatus, O as AlertSeverity, Q as AlertType, R as ApiError, S as ApiErrorDetails, T as AuthenticationError, U as BillingState, W as BrandStatus, X as BrandVerificationStatus, Y as BusinessType, Z as CallStatus, _ as CampaignReviewStatus, $ as CampaignStatus, a0 as CampaignUseCase, a1 as ConflictError, a2 as ConnectionError, a3 as ConsentError, a4 as ConsentStatus, a5 as Currency, a6 as DeliveryReason, a7 as EmailAddress, a8 as ErrorBody, a9 as ErrorCode, aa as ErrorDetails, ab as ExecutionType, ac as FieldProblem, ad as FinalStatus, ae as FreshnessReason, af as FreshnessState, ag as IdempotencyError, ah as IdempotencyKey, ai as MenuAction, aj as MerchantId, ak as MessageId, al as MessageStatus, am as MessageType, an as NotFoundError, ao as NumberAssignmentStatus, ap as NumberCapability, aq as NumberStatus, ar as PaymentStatus, as as PermissionError, at as PhoneNumber, au as PlaybackStatus, av as PolicyReason, aw as Problem, ax as ProblemCode, ay as QuotaExceededError, az as RateLimitError, aA as RegistrationBlockingReason, aB as ReplyOutcome, aC as RoutingStrategy, aD as ServerError, aE as TimeoutError, aF as TtsBatchStatus, aG as TtsCacheStatus, aH as TtsCallStatus, aI as TtsPriority, aJ as UsageError, aK as UsageType, aL as UsageUnit, aM as UsdAmount, aN as ValidationError, aO as VoiceTtsBatchFinalizedEvent, aP as VoiceTtsCallFinalizedEvent, aQ as VoiceTtsCallUpdatedEvent, aR as VoiceTtsUsageView, aS as Weekday } from "./shared.js";
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
    headers?: Record<string, string> | undefined;
    hooks?: Hooks | undefined;
    timeoutMs?: number | undefined;
    totalTimeoutMs?: number | undefined;
    maxRetries?: number | undefined;
}
interface CallOptions {
    signal?: AbortSignal | undefined;
    timeoutMs?: number | undefined;
    totalTimeoutMs?: number | undefined;
    maxRetries?: number | undefined;
    headers?: Record<string, string> | undefined;
}
interface WriteOptions extends CallOptions {
    idempotencyKey?: string | undefined;
}
type RowKey<Row> = (row: Row, index: number) => string;
type Rows<Row> = Iterable<Row> | AsyncIterable<Row>;
interface BulkOptions<Row> extends CallOptions {
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
}
type PathValue = string | number | bigint;
interface RequestArgs {
    path?: Record<string, PathValue>;
    query?: object | undefined;
    body?: unknown;
    accept?: string;
}
declare class CoreClient {
    #private;
    constructor(options?: ClientOptions);
    request<T = unknown>(method: string, path: string, args?: RequestArgs, options?: WriteOptions): ApiCall<T>;
}
declare class MerchantsResource {
    #private;
    constructor(client: CoreClient);
    upsert(body: V1MerchantUpsertRequest, options?: WriteOptions): ApiCall<MerchantView>;
    list(options?: CallOptions): ApiCall<MerchantView[]>;
    get(merchantId: string, options?: CallOptions): ApiCall<MerchantView>;
}
declare class ConsentResource {
    #private;
    constructor(client: CoreClient);
    record(body: V1MerchantConsentRequest, options?: WriteOptions): ApiCall<ConsentView>;
    list(query?: ListConsentsQuery, options?: CallOptions): ApiCall<ConsentView[]>;
}
declare class SendResource {
    #private;
    constructor(client: CoreClient);
    sms(body: V1OmniSmsSendRequest, options?: WriteOptions): ApiCall<DispatchResponse>;
    voice(body: V1OmniVoiceSendRequest, options?: WriteOptions): ApiCall<DispatchResponse>;
    email(body: V1OmniEmailSendRequest, options?: WriteOptions): ApiCall<DispatchResponse>;
    directSms(body: V1SmsSendRequest, options?: WriteOptions): ApiCall<V1MessageResponse>;
    directEmail(body: V1EmailSendRequest, options?: WriteOptions): ApiCall<V1MessageResponse>;
}
declare class TtsResource {
    #private;
    constructor(client: CoreClient);
    create(body: V1VoiceTtsCallRequest, options?: WriteOptions): ApiCall<VoiceTtsSubmissionView>;
    list(query?: ListTtsCallsQuery, options?: CallOptions): ApiCall<VoiceTtsCallView[]>;
    get(requestId: PathValue, options?: CallOptions): ApiCall<VoiceTtsCallView>;
    summary(batchId: PathValue, options?: CallOptions): ApiCall<VoiceTtsBatchSummaryView>;
    numbers(batchId: PathValue, query?: ListTtsBatchNumbersQuery, options?: CallOptions): ApiCall<VoiceTtsBatchNumberView[]>;
}
declare class BillingResource {
    #private;
    constructor(client: CoreClient);
    upgrade(body: V1MerchantUpgradeRequest, options?: WriteOptions): ApiCall<MerchantUpgradeView>;
}
declare class AlertsResource {
    #private;
    constructor(client: CoreClient);
    list(query?: ListAlertsQuery, options?: CallOptions): ApiCall<AlertView[]>;
}
declare class ReportsResource {
    #private;
    constructor(client: CoreClient);
    usage(query?: GetUsageReportQuery, options?: CallOptions): ApiCall<V1UsageReportResponse>;
}
declare class RegistrationResource {
    #private;
    constructor(client: CoreClient);
    brand(merchantId: string, body: V1MerchantMessagingBrandRequest, options?: WriteOptions): ApiCall<BrandView>;
    campaign(merchantId: string, body: V1MerchantMessagingCampaignRequest, options?: WriteOptions): ApiCall<CampaignView>;
    number(merchantId: string, body: V1MerchantPhoneNumberRequest, options?: WriteOptions): ApiCall<PhoneNumberView>;
    assign(merchantId: string, numberId: PathValue, body: V1MerchantPhoneNumberAssignRequest, options?: WriteOptions): ApiCall<PhoneNumberView>;
    status(merchantId: string, options?: CallOptions): ApiCall<MerchantSmsRegistrationStatusView>;
}
declare class ProvisioningResource {
    #private;
    constructor(client: CoreClient);
    show(options?: CallOptions): ApiCall<V1VoiceProvisioningResponse>;
    directory(identifier: string, options?: CallOptions): ApiCall<string>;
    presence(body: V1VoiceSipPresenceRequest, options?: WriteOptions): ApiCall<undefined>;
}
declare class SimulatorResource {
    #private;
    constructor(client: CoreClient);
    reply(body: V1SimulatorReplyRequest, options?: WriteOptions): ApiCall<V1SimulatorReplyResponse>;
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
declare class BulkConsentResource extends ConsentResource {
    recordMany(rows: Rows<V1MerchantConsentRequest>, options?: BulkOptions<V1MerchantConsentRequest>): BulkRun<V1MerchantConsentRequest, ConsentView>;
}
interface SendRows {
    SMS: V1OmniSmsSendRequest;
    VOICE: V1OmniVoiceSendRequest;
    EMAIL: V1OmniEmailSendRequest;
}
interface SendManyOptions<By extends Channel> extends BulkOptions<SendRows[By]> {
    channel: By;
}
declare class BulkSendResource extends SendResource {
    many<By extends Channel>(rows: Rows<SendRows[By]>, options: SendManyOptions<By>): BulkRun<SendRows[By], DispatchResponse>;
}
type RawClient = Client<paths>;
interface WaitForBatchOptions {
    signal?: AbortSignal | undefined;
    onProgress?: ((summary: VoiceTtsBatchSummaryView) => void) | undefined;
    timeoutMs?: number | undefined;
    pollMs?: number | undefined;
}
declare class WaitingTtsResource extends TtsResource {
    waitForBatch(batchId: PathValue, options?: WaitForBatchOptions): Promise<VoiceTtsBatchSummaryView>;
}
declare class MessagingClient extends ResourceClient {
    #private;
    readonly consent: BulkConsentResource;
    readonly send: BulkSendResource;
    readonly tts: WaitingTtsResource;
    get raw(): RawClient;
}
declare function parseJson(text: string): unknown;
declare function stringifyJson(value: unknown): string;
export { AlertView, AlertsResource, type ApiCall, BillingResource, BrandView, BulkConsentResource, type BulkOptions, type BulkOutcome, type BulkRun, BulkSendResource, type CallMeta, type CallOptions, CampaignView, Channel, type ClientOptions, ConsentResource, ConsentView, CoreClient, DispatchResponse, type ErrorEvent, type Failure, type FailureMeta, type Fetch, type FetchInit, GetUsageReportQuery, type Hooks, ListAlertsQuery, ListConsentsQuery, ListTtsBatchNumbersQuery, ListTtsCallsQuery, MerchantSmsRegistrationStatusView, MerchantUpgradeView, MerchantView, MerchantsResource, MessagingClient, MessagingError, type Outcome, type PathValue, PhoneNumberView, ProvisioningResource, type RawClient, RegistrationResource, ReportsResource, type RequestArgs, type RequestEvent, ResourceClient, type ResponseEvent, type ResponseMeta, type RetryEvent, type RowKey, type Rows, type SendManyOptions, SendResource, type SendRows, SimulatorResource, type Success, TtsResource, V1EmailSendRequest, V1MerchantConsentRequest, V1MerchantMessagingBrandRequest, V1MerchantMessagingCampaignRequest, V1MerchantPhoneNumberAssignRequest, V1MerchantPhoneNumberRequest, V1MerchantUpgradeRequest, V1MerchantUpsertRequest, V1MessageResponse, V1OmniEmailSendRequest, V1OmniSmsSendRequest, V1OmniVoiceSendRequest, V1SimulatorReplyRequest, V1SimulatorReplyResponse, V1SmsSendRequest, V1UsageReportResponse, V1VoiceProvisioningResponse, V1VoiceSipPresenceRequest, V1VoiceTtsCallRequest, VoiceTtsBatchNumberView, VoiceTtsBatchSummaryView, VoiceTtsCallView, VoiceTtsSubmissionView, type WaitForBatchOptions, WaitingTtsResource, type WatchedCall, type WriteOptions, parseJson, stringifyJson };
