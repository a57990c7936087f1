// Maps addresses to pages. The address contains everything that selects a view, so any view can be shared as a link.

export type Route =
  /** `open`: the message that is open beside the list, or empty for none. */
  | { readonly page: "messages"; readonly query: string; readonly open: string }
  | CallsRoute
  /** `status`: the outcome of the numbers listed, or empty for all. */
  | { readonly page: "batch"; readonly batchId: string; readonly status: string }
  | { readonly page: "call"; readonly requestId: string }
  /** `merchantId`: empty for the first one. */
  | { readonly page: "registration"; readonly merchantId: string }
  | AuditRoute
  | { readonly page: "message"; readonly messageId: string }
  | { readonly page: "recipient"; readonly contact: string }
  | { readonly page: "merchant"; readonly merchantId: string }
  /** `requestId`: the only request shown, or empty for all. */
  | { readonly page: "requests"; readonly failedOnly: boolean; readonly requestId: string }
  /** `before`: the last callback of the previous page, or empty for the newest callbacks. */
  | { readonly page: "callbacks"; readonly status: CallbackFilter; readonly before: string }
  | { readonly page: "callback"; readonly webhookId: string }
  /** `operationId`: the one in the address. There may be no such operation. */
  | OperationRoute
  | { readonly page: PlainPage }
  | { readonly page: "nothing" };

/** Pages without parameters. Each is named as in its address. */
const plainPages = [
  ...(["account", "carriers", "health", "installation", "keys", "merchants", "operations", "overview"] as const),
  // the link's secret is after the `#`, a part that browsers send to no server, so no log has it
  "password",
  ...(["recipients", "simulator", "users", "voice"] as const),
] as const;

type PlainPage = (typeof plainPages)[number];

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
export const allCallbacks = { page: "callbacks", status: "", before: "" } satisfies Route;
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
  const plain = plainPages.find((page) => page === first);
  if (plain !== undefined && second === undefined) return { page: plain };
  if (first === "recipients" && second !== undefined) return { page: "recipient", contact: second };
  if (first === "merchants" && second !== undefined) return { page: "merchant", merchantId: second };
  if (first === "requests" && second === undefined) {
    return { page: "requests", failedOnly: values.get("outcome") === "failed", requestId: values.get("id") ?? "" };
  }
  if (first === "callbacks" && second === undefined) {
    return { page: "callbacks", status: readFilter(values.get("status")), before: values.get("before") ?? "" };
  }
  if (first === "callbacks" && second !== undefined) return { page: "callback", webhookId: second };
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
  if (first === "operations" && second !== undefined) {
    return { page: "operation", operationId: second, values: Object.fromEntries(values) };
  }
  return { page: "nothing" };
}

/** The address of a page. */
export function addressOf(route: Route): string {
  switch (route.page) {
    case "messages":
      return `${BASE}/messages${searchOf({ q: route.query, open: route.open })}`;
    case "message":
      return `${BASE}/messages/${encodeURIComponent(route.messageId)}`;
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
    case "nothing":
      return BASE;
    default:
      return `${BASE}/${route.page}`;
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
