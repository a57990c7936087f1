// Maps addresses to pages. The address contains everything that selects a view, so any view can be shared as a link.

export type Route =
  /** `open`: the message that is open beside the list, or empty for none. */
  | { readonly page: "messages"; readonly query: string; readonly open: string }
  | { readonly page: "overview" }
  | CallsRoute
  /** `status`: the outcome of the numbers listed, or empty for all. */
  | { readonly page: "batch"; readonly batchId: string; readonly status: string }
  | { readonly page: "call"; readonly requestId: string }
  /** `merchantId`: empty for the first one. */
  | { readonly page: "registration"; readonly merchantId: string }
  | { readonly page: "voice" }
  | { readonly page: "users" }
  | { readonly page: "keys" }
  | AuditRoute
  | { readonly page: "message"; readonly messageId: string }
  | { readonly page: "recipients" }
  | { readonly page: "recipient"; readonly contact: string }
  | { readonly page: "merchants" }
  | { readonly page: "merchant"; readonly merchantId: string }
  /** `requestId`: the only request shown, or empty for all. */
  | { readonly page: "requests"; readonly failedOnly: boolean; readonly requestId: string }
  /** `before`: the last callback of the previous page, or empty for the newest callbacks. */
  | { readonly page: "callbacks"; readonly status: CallbackFilter; readonly before: string }
  | { readonly page: "callback"; readonly webhookId: string }
  | { readonly page: "health" }
  | { readonly page: "installation" }
  | { readonly page: "carriers" }
  | { readonly page: "account" }
  | { readonly page: "simulator" }
  | { readonly page: "operations" }
  /** `operationId`: the one in the address. There may be no such operation. */
  | OperationRoute
  /** The link's secret is after the `#`, a part that browsers send to no server, so no log has it. */
  | { readonly page: "password" }
  | { readonly page: "nothing" };

/** The state of the callbacks to show; empty for all. */
export type CallbackFilter = "" | "PENDING" | "DELIVERED" | "FAILED";

const callbackFilters: readonly string[] = ["PENDING", "DELIVERED", "FAILED"] satisfies CallbackFilter[];

/** The filter of the list of calls: parameters of the contract. An empty field filters nothing. */
export interface CallsRoute {
  readonly page: "calls";
  readonly merchantId: string;
  readonly useCase: string;
  readonly sourceSystem: string;
  /** The label of a sub-tenant. */
  readonly tenantId: string;
}

/** The form of an operation. */
export interface OperationRoute {
  readonly page: "operation";
  /** The id in the address, which may name no operation. */
  readonly operationId: string;
  /** Initial values of the form's fields, by name. */
  readonly values: Readonly<Record<string, string>>;
}

/** Entries of the audit. An empty field filters nothing. */
export interface AuditRoute {
  readonly page: "audit";
  /** A recipient. */
  readonly about: string;
  /** The address of a user. */
  readonly who: string;
  /** An operation. */
  readonly deed: string;
  /** The first day, as in 2026-11-29. */
  readonly from: string;
  /** The last day. */
  readonly to: string;
}

export const allEntries: AuditRoute = { page: "audit", about: "", who: "", deed: "", from: "", to: "" };
export const allMessages = { page: "messages", query: "", open: "" } satisfies Route;
export const allRequests = { page: "requests", failedOnly: false, requestId: "" } satisfies Route;
export const allCalls: CallsRoute = { page: "calls", merchantId: "", useCase: "", sourceSystem: "", tenantId: "" };

const BASE = "/dashboard";

export function readRoute({ pathname, search }: Pick<URL, "pathname" | "search">): Route {
  const [first = "", second, third, ...more] = pathname.slice(BASE.length).split("/").filter(Boolean).map(decode);
  const values = new URLSearchParams(search);
  if (first === "calls" && second === "batches" && third !== undefined && more.length === 0) {
    return { page: "batch", batchId: third, status: values.get("status") ?? "" };
  }
  if (third !== undefined) return { page: "nothing" };
  if (first === "" || (first === "messages" && second === undefined)) {
    return { page: "messages", query: values.get("q") ?? "", open: values.get("open") ?? "" };
  }
  if (first === "messages" && second !== undefined) return { page: "message", messageId: second };
  if (first === "recipients") {
    return second === undefined ? { page: "recipients" } : { page: "recipient", contact: second };
  }
  if (first === "merchants") {
    return second === undefined ? { page: "merchants" } : { page: "merchant", merchantId: second };
  }
  if (first === "requests" && second === undefined) {
    return { page: "requests", failedOnly: values.get("outcome") === "failed", requestId: values.get("id") ?? "" };
  }
  if (first === "callbacks" && second === undefined) {
    return { page: "callbacks", status: readFilter(values.get("status")), before: values.get("before") ?? "" };
  }
  if (first === "callbacks" && second !== undefined) return { page: "callback", webhookId: second };
  if (first === "health" && second === undefined) return { page: "health" };
  if (first === "installation" && second === undefined) return { page: "installation" };
  if (first === "carriers" && second === undefined) return { page: "carriers" };
  if (first === "account" && second === undefined) return { page: "account" };
  if (first === "calls" && second === undefined) {
    const read = (name: string) => values.get(name) ?? "";
    return {
      page: "calls",
      merchantId: read("merchant"),
      useCase: read("useCase"),
      sourceSystem: read("sourceSystem"),
      tenantId: read("tenantId"),
    };
  }
  if (first === "calls" && second !== undefined && second !== "batches") return { page: "call", requestId: second };
  if (first === "registration" && second === undefined) {
    return { page: "registration", merchantId: values.get("merchant") ?? "" };
  }
  if (first === "voice" && second === undefined) return { page: "voice" };
  if (first === "users" && second === undefined) return { page: "users" };
  if (first === "keys" && second === undefined) return { page: "keys" };
  if (first === "overview" && second === undefined) return { page: "overview" };
  if (first === "audit" && second === undefined) {
    const read = (name: string) => values.get(name) ?? "";
    return {
      page: "audit",
      about: read("about"),
      who: read("who"),
      deed: read("deed"),
      from: read("from"),
      to: read("to"),
    };
  }
  if (first === "password" && second === undefined) return { page: "password" };
  if (first === "operations") {
    return second === undefined
      ? { page: "operations" }
      : { page: "operation", operationId: second, values: Object.fromEntries(values) };
  }
  if (first === "simulator" && second === undefined) return { page: "simulator" };
  return { page: "nothing" };
}

/** The address of a page. */
export function addressOf(route: Route): string {
  switch (route.page) {
    case "messages":
      return `${BASE}/messages${searchOf({ q: route.query, open: route.open })}`;
    case "message":
      return `${BASE}/messages/${encodeURIComponent(route.messageId)}`;
    case "recipients":
      return `${BASE}/recipients`;
    case "merchants":
      return `${BASE}/merchants`;
    case "merchant":
      return `${BASE}/merchants/${encodeURIComponent(route.merchantId)}`;
    case "recipient":
      return `${BASE}/recipients/${encodeURIComponent(route.contact)}`;
    case "requests":
      return `${BASE}/requests${searchOf({ outcome: route.failedOnly ? "failed" : "", id: route.requestId })}`;
    case "callbacks":
      return `${BASE}/callbacks${searchOf({ status: route.status, before: route.before })}`;
    case "callback":
      return `${BASE}/callbacks/${encodeURIComponent(route.webhookId)}`;
    case "carriers":
      return `${BASE}/carriers`;
    case "account":
      return `${BASE}/account`;
    case "health":
      return `${BASE}/health`;
    case "installation":
      return `${BASE}/installation`;
    case "simulator":
      return `${BASE}/simulator`;
    case "operations":
      return `${BASE}/operations`;
    case "operation":
      return `${BASE}/operations/${encodeURIComponent(route.operationId)}${searchOf(route.values)}`;
    case "audit":
      return `${BASE}/audit${searchOf({ about: route.about, who: route.who, deed: route.deed, from: route.from, to: route.to })}`;
    case "calls": {
      const { merchantId: merchant, useCase, sourceSystem, tenantId } = route;
      return `${BASE}/calls${searchOf({ merchant, useCase, sourceSystem, tenantId })}`;
    }
    case "batch":
      return `${BASE}/calls/batches/${encodeURIComponent(route.batchId)}${searchOf({ status: route.status })}`;
    case "call":
      return `${BASE}/calls/${encodeURIComponent(route.requestId)}`;
    case "registration":
      return `${BASE}/registration${searchOf({ merchant: route.merchantId })}`;
    case "voice":
      return `${BASE}/voice`;
    case "users":
      return `${BASE}/users`;
    case "keys":
      return `${BASE}/keys`;
    case "overview":
      return `${BASE}/overview`;
    case "password":
      return `${BASE}/password`;
    case "nothing":
      return BASE;
  }
}

/** Builds a query string of the values that are not empty. */
function searchOf(values: Readonly<Record<string, string>>): string {
  const search = new URLSearchParams(Object.entries(values).filter(([, value]) => value !== ""));
  return search.size === 0 ? "" : `?${search}`;
}

/** Reads a filter. An unknown value filters nothing. */
function readFilter(status: string | null): CallbackFilter {
  return status !== null && callbackFilters.includes(status) ? (status as CallbackFilter) : "";
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
