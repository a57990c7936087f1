/** Checks from the service's answer: reachability, TLS, clock and contract. */
import { readErrorCode } from "../../failures/thrown.ts";
import { isLoopback } from "../../flags/base-url.ts";
import type { CommandIndex } from "../../model/record.ts";
import { EXIT } from "../../process/exit-codes.ts";
import { type Check, createResults } from "./check.ts";
import type { Probe } from "./probe.ts";

/** Error codes of node:tls and OpenSSL: the host was reached but not trusted. */
const TLS_FAILURE = /CERT|TLS|SSL|EPROTO|VERIFY|ISSUER/;

export function checkReachable(baseUrl: string, result: Probe | Error): Check {
  const { ok, fail } = createResults("address", EXIT.network);
  const { origin } = new URL(baseUrl);
  if (!(result instanceof Error)) return ok(`${origin} answers, in ${result.tookMs} ms`);
  if (isTlsFailure(result)) return ok(`${origin} accepts connections`);
  const advice = isLoopback(baseUrl)
    ? "Start the service there; `npm start` starts the demo server."
    : "Check the address, the network and a firewall between.";
  return fail(`${origin} cannot be reached (${readErrorCode(result) ?? result.name})`, advice);
}

const SOON_MS = 14 * 24 * 3_600_000;

export function checkTls(baseUrl: string, result: Probe | Error): Check {
  const { ok, warn, fail, skip } = createResults("tls", EXIT.network);
  if (!baseUrl.startsWith("https:")) {
    if (isLoopback(baseUrl)) return ok("none, and none is needed on this machine");
    return warn("none: whoever is on the way can read the credential", "Use an address that begins with https://.");
  }
  if (result instanceof Error) {
    if (!isTlsFailure(result)) return skip("not known: the address was not reached");
    const advice =
      "Check the host name and the certificate; NODE_EXTRA_CA_CERTS names the file of an authority of your own.";
    return fail(`the certificate or protocol is not accepted (${readErrorCode(result) ?? result.name})`, advice);
  }
  const { protocol = "TLS", expiresMs = Number.NaN } = result.tls ?? {};
  if (Number.isNaN(expiresMs)) return ok(protocol);
  const until = `${protocol}, certificate until ${new Date(expiresMs).toISOString().slice(0, 10)}`;
  return expiresMs - result.ownTimeMs < SOON_MS ? warn(until, "Renew the certificate of the service.") : ok(until);
}

/** The Date header counts whole seconds; receivers of callbacks accept five minutes. */
const TOLERATED_SECONDS = 60;

export function checkClock(result: Probe | Error): Check {
  const { ok, warn, skip } = createResults("clock", EXIT.internal);
  if (result instanceof Error) return skip("not known: the service did not answer");
  if (result.serviceTimeMs === undefined)
    return warn("the service tells no time", "Something between strips the Date header.");
  const seconds = Math.round((result.ownTimeMs - result.serviceTimeMs) / 1000);
  if (Math.abs(seconds) <= TOLERATED_SECONDS) return ok("agrees with the service's");
  const direction = seconds > 0 ? "ahead of" : "behind";
  return warn(
    `${Math.abs(seconds)} seconds ${direction} the service's`,
    "Set this machine's clock by NTP: signatures of callbacks are refused when they seem old.",
  );
}

export function checkContract(index: CommandIndex, result: Probe | Error): Check {
  const { ok, warn, skip } = createResults("contract", EXIT.internal);
  if (result instanceof Error) return skip("not known: the service did not answer");
  const served = result.status === 200 ? readContract(result.body) : undefined;
  if (served === undefined)
    return warn(
      `the service does not tell its contract (HTTP ${result.status} for /openapi.json)`,
      "Check that the address is the service's own, without /api/v1.",
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
  return warn(drift.join("; "), "Use the msgctl of the service's version; `msgctl api` reaches what has no command.");
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

function isTlsFailure(error: Error): boolean {
  return TLS_FAILURE.test(readErrorCode(error) ?? error.name);
}
