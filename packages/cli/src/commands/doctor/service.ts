/** Checks of proxy, reachability, TLS, clock and contract, based on the service's answer. */

import { readFileSync } from "node:fs";
import type { Access } from "../../call/access/access.ts";
import { adviseClosed, adviseReach, explainConnection } from "../../call/connection-faults.ts";
import { showProxy } from "../../call/proxy/find-proxy.ts";
import { CliError } from "../../failures/errors.ts";
import { explainRead } from "../../failures/system-faults.ts";
import { readErrorCode } from "../../failures/thrown.ts";
import { isLoopback } from "../../flags/base-url.ts";
import type { CommandIndex } from "../../model/record.ts";
import type { Settings } from "../../process/config.ts";
import { EXIT } from "../../process/exit-codes.ts";
import { type Check, createResults } from "./check.ts";
import { failed } from "./machine.ts";
import type { Probe } from "./probe.ts";

export function checkProxy({ baseUrl, proxy }: Access, { proxies }: Settings, result: Probe | Error): Check {
  const { ok, fail } = createResults("proxy", EXIT.network);
  const { host } = new URL(baseUrl);
  if (proxies === undefined) return ok("none: neither HTTPS_PROXY, HTTP_PROXY nor ALL_PROXY is set");
  if (proxy === undefined) {
    const reason = isLoopback(baseUrl) ? "it is this machine" : "no variable names one for it, or NO_PROXY names it";
    return ok(`none for ${host}: ${reason}`);
  }
  if (result instanceof CliError) return failed(result, fail);
  const fault = result instanceof Error ? explainConnection(result, { baseUrl }) : undefined;
  return fault?.part === "proxy" ? fail(fault.message, fault.hint) : ok(`${showProxy(proxy)} (${proxy.variable})`);
}

/** @param credential - Outcome of an authenticated call. If that succeeded, a web page at the root is not an error. */
export function checkReachable(access: Access, result: Probe | Error, credential: Check): Check {
  const { ok, fail, skip } = createResults("address", EXIT.network);
  const { origin } = new URL(access.baseUrl);
  if (result instanceof Error) {
    const fault = explainConnection(result, access);
    if (fault?.part === "tls") return ok(`${origin} accepts connections`);
    if (fault?.part === "proxy" || result instanceof CliError)
      return skip("not checked: the proxy does not connect to it");
    if (fault !== undefined) return fail(fault.message, fault.hint);
    const code = readErrorCode(result);
    const advice = code === "ECONNRESET" ? adviseClosed(access) : adviseReach(access);
    return fail(`${origin} does not respond (${code ?? result.name})`, advice);
  }
  const foreign =
    credential.status === "fail" && credential.exitCode === EXIT.network ? describeForeign(result) : undefined;
  if (foreign === undefined) return ok(`${origin} responds, in ${result.tookMs} ms`);
  return fail(
    `${origin} ${foreign}: this response is not from the service`,
    "Check the address. If it is right, the network may require a sign-in: open any page in a browser.",
  );
}

/** Describes a reply of a sign-in portal or a web page. Returns undefined if the reply may be the service's. */
function describeForeign({ status, location, contentType = "" }: Probe): string | undefined {
  if (status >= 300 && status < 400) return `redirects to ${location ?? "nowhere"}`;
  return contentType.startsWith("text/html") ? `shows a web page (HTTP ${status})` : undefined;
}

const SOON_MS = 14 * 24 * 3_600_000;

export function checkTls({ baseUrl }: Access, settings: Settings, result: Probe | Error): Check {
  const { ok, warn, fail, skip } = createResults("tls", EXIT.network);
  if (!baseUrl.startsWith("https:")) {
    if (isLoopback(baseUrl)) return ok("none, and none is needed on this machine");
    return warn("none: others on the network can read the credential", "Use an address that begins with https://.");
  }
  const unread = explainAuthorities(settings);
  if (unread !== undefined) return warn(unread, "Correct NODE_EXTRA_CA_CERTS.");
  if (result instanceof Error) {
    const fault = explainConnection(result, { baseUrl });
    return fault?.part === "tls" ? fail(fault.message, fault.hint) : skip("not checked: the address was not reached");
  }
  const { protocol = "TLS", expiresMs = Number.NaN } = result.tls ?? {};
  const used = settings.hasUnusedAuthorities ? "; SSL_CERT_FILE is not used, NODE_EXTRA_CA_CERTS is" : "";
  if (Number.isNaN(expiresMs)) return ok(`${protocol}${used}`);
  const until = `${protocol}, certificate until ${new Date(expiresMs).toISOString().slice(0, 10)}${used}`;
  if (expiresMs - result.ownTimeMs >= SOON_MS) return ok(until);
  return warn(until, `Ask the operator of ${new URL(baseUrl).host} to renew the certificate.`);
}

/** Explains why NODE_EXTRA_CA_CERTS cannot be read. Node.js ignores such a file without an error. */
function explainAuthorities({ extraAuthorities: path }: Settings): string | undefined {
  if (path === undefined) return undefined;
  try {
    readFileSync(path);
    return undefined;
  } catch (error) {
    return `NODE_EXTRA_CA_CERTS names ${path}, which cannot be read: ${explainRead(error)}`;
  }
}

/** Tolerated difference: the Date header has whole seconds, and receivers of callbacks accept five minutes. */
const TOLERATED_SECONDS = 60;

export function checkClock(result: Probe | Error): Check {
  const { ok, warn, skip } = createResults("clock", EXIT.internal);
  if (result instanceof Error) return skip("not checked: the service did not respond");
  if (result.serviceTimeMs === undefined)
    return warn("the service sends no time", "A gateway or proxy may remove the Date header.");
  const seconds = Math.round((result.ownTimeMs - result.serviceTimeMs) / 1000);
  if (Math.abs(seconds) <= TOLERATED_SECONDS) return ok("agrees with the service's");
  const direction = seconds > 0 ? "ahead of" : "behind";
  return warn(
    `${Math.abs(seconds)} seconds ${direction} the service's`,
    "Synchronise this machine's clock (NTP): callback signatures that seem old are refused.",
  );
}

export function checkContract(index: CommandIndex, result: Probe | Error): Check {
  const { ok, warn, skip } = createResults("contract", EXIT.internal);
  if (result instanceof Error) return skip("not checked: the service did not respond");
  const served = result.status === 200 ? readContract(result.body) : undefined;
  if (served === undefined)
    return warn(
      `the service does not serve its contract (HTTP ${result.status} for /openapi.json)`,
      "Check that this is the address of the service.",
    );
  const own = new Set(index.groups.flatMap(({ commands }) => commands.map(({ operationId }) => operationId)));
  const unknown = served.operationIds.filter((id) => !own.has(id));
  const absent = [...own].filter((id) => !served.operationIds.includes(id));
  const drift = [
    ...(served.version === index.contractVersion
      ? []
      : [`the service has ${served.version}, msgctl ${index.contractVersion}`]),
    ...(unknown.length === 0 ? [] : [`without a command here: ${unknown.join(", ")}`]),
    ...(absent.length === 0 ? [] : [`not served: ${absent.join(", ")}`]),
  ];
  if (drift.length === 0) return ok(`version ${served.version} on both sides`);
  return warn(
    drift.join("; "),
    "Install the msgctl of the service's version; until then, `msgctl api` can send any request.",
  );
}

interface Served {
  version: string;
  operationIds: string[];
}

function readContract(text: string): Served | undefined {
  try {
    const document = JSON.parse(text) as {
      info: { version: string };
      paths: Record<string, Record<string, { operationId?: string }>>;
    };
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
    const operationIds = operations.flatMap(({ operationId }) => (operationId === undefined ? [] : [operationId]));
    return { version: String(document.info.version), operationIds };
  } catch {
    return undefined;
  }
}
