/** Explains connection errors and their remedies, for all commands including doctor. */
import { readErrorCode, readMessage } from "../failures/thrown.ts";
import { isLoopback } from "../flags/base-url.ts";

export interface ConnectionFault {
  /** The part that is at fault. */
  part: "address" | "proxy" | "tls";
  message: string;
  hint: string;
  /** Set if the request may have been carried out despite the error. */
  mayBeDone?: true;
}

type Describe = (url: URL, error: unknown) => readonly [message: string, hint: string];

const adviseTell = ({ host }: URL) => `contact the operator of ${host}.`;
const adviseTrust = (url: URL) =>
  `If you trust it, set NODE_EXTRA_CA_CERTS to its certificate file (SSL_CERT_FILE is not used); if not, ${adviseTell(url)}`;

const unknownAuthority: Describe = (url) => [
  `the certificate of ${url.host} is issued by an authority that this machine does not trust`,
  adviseTrust(url),
];

/** Explanations of invalid certificates, by error code of OpenSSL or node:tls. */
const CERTIFICATE: Readonly<Record<string, Describe>> = {
  CERT_HAS_EXPIRED: (url) => [
    `the certificate of ${url.host} has expired`,
    `Check the clock of this machine; if it is right, ${adviseTell(url)}`,
  ],
  CERT_NOT_YET_VALID: (url) => [
    `the certificate of ${url.host} is not valid yet`,
    `Check the clock of this machine; if it is right, ${adviseTell(url)}`,
  ],
  DEPTH_ZERO_SELF_SIGNED_CERT: (url) => [`the certificate of ${url.host} is self-signed`, adviseTrust(url)],
  ERR_TLS_CERT_ALTNAME_INVALID: (url, error) => [
    `the certificate of ${url.host} is not for ${url.hostname}${listNames(error)}`,
    `Check the address; if it is right, ${adviseTell(url)}`,
  ],
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
};

function listNames(error: unknown): string {
  const { cert } = Object(error) as { cert?: { subjectaltname?: string } };
  const names = cert?.subjectaltname?.replace(/\b(?:DNS|IP Address):/g, "").slice(0, 200);
  return names ? `, but for ${names}` : "";
}

/** Matches the code or message of an error about bytes that are not TLS. The code differs between versions of Node. */
const NOT_TLS = /wrong[ _]version[ _]number|packet[ _]length[ _]too[ _]long|http[ _]request/i;
const OTHER_TLS = /^(?:EPROTO|ERR_SSL|ERR_TLS)|CERT|ISSUER|VERIFY/;

/** System errors from looking up a name or connecting. After them the request cannot have been carried out. */
const UNREACHED: Readonly<Record<string, (url: URL) => string>> = {
  ECONNREFUSED: ({ origin }) => `nothing is listening at ${origin}`,
  ENOTFOUND: ({ hostname }) => `there is no host ${hostname}`,
  EAI_AGAIN: ({ hostname }) => `the host name ${hostname} cannot be looked up at the moment`,
  EHOSTUNREACH: ({ origin }) => `there is no route to ${origin}`,
  ENETUNREACH: ({ origin }) => `the network of ${origin} is unreachable`,
  ETIMEDOUT: ({ origin }) => `${origin} does not answer`,
};

/** Explains why the service was not reached. Returns undefined if the error does not say why. */
export function explainConnection(error: unknown, address: Address): ConnectionFault | undefined {
  const code = readErrorCode(error) ?? "";
  const { hint, reason } = Object(error) as { hint?: string; reason?: string };
  const url = new URL(address.baseUrl);
  const { host, origin } = url;
  // through-proxy.ts creates these errors
  if (code === "EPROXY") return { part: "proxy", message: readMessage(error), hint: hint ?? "" };
  const described = CERTIFICATE[code]?.(url, error);
  if (described !== undefined) return { part: "tls", message: described[0], hint: described[1] };
  if (url.protocol === "https:" && NOT_TLS.test(code + readMessage(error)))
    return { part: "tls", message: `${origin} does not speak https`, hint: `Is it http://${host}?` };
  if (OTHER_TLS.test(code)) {
    const message = `the TLS handshake with ${host} failed: ${reason ?? code}`;
    const hint = `Check the port, and any firewall or proxy in between; if they are right, ${adviseTell(url)}`;
    // in TLS 1.3 the server may refuse the client after it has received the request
    return { part: "tls", message, hint, mayBeDone: true };
  }
  if (/before secure TLS/.test(readMessage(error))) {
    const message = `${host} closed the connection during the TLS handshake`;
    return { part: "tls", message, hint: "Check the port, and any firewall or proxy in between." };
  }
  if (/^HPE_/.test(code)) return { part: "address", message: `${origin} does not speak http`, hint: adviseHttps(url) };
  const unreached = isOfConnecting(error) ? UNREACHED[code]?.(url) : undefined;
  return unreached === undefined ? undefined : { part: "address", message: unreached, hint: adviseReach(address) };
}

/** Whether the error occurred before a connection existed. For a host with several addresses, Node throws an AggregateError. */
function isOfConnecting(error: unknown): boolean {
  const { syscall, errors } = Object(error) as { syscall?: string; errors?: unknown[] };
  return errors?.every(isOfConnecting) ?? /^(?:connect|getaddrinfo)/.test(syscall ?? "");
}

interface Address {
  baseUrl: string;
  isDemo?: true | undefined;
  proxy?: object | undefined;
}

/** Advises what to check if nothing answers. */
export function adviseReach({ baseUrl, isDemo, proxy }: Address): string {
  if (isDemo) return "The demo server is not running: run `npm start` in this folder, and leave it running.";
  if (isLoopback(baseUrl)) return `Is a server running at ${baseUrl}? \`npm start\` starts the demo server.`;
  const check = `Check the address (${baseUrl}) and the network`;
  if (proxy !== undefined) return `${check}.`;
  return `${check}, or set a proxy with ${baseUrl.startsWith("https:") ? "HTTPS" : "HTTP"}_PROXY.`;
}

/** Advises what to check if the connection is closed without a response, as some https servers do on a plain http request. */
export function adviseClosed({ baseUrl }: Address): string {
  const url = new URL(baseUrl);
  return url.protocol === "http:" ? adviseHttps(url) : `Check the address (${baseUrl}) and the network.`;
}

function adviseHttps({ host }: URL): string {
  return `Does it speak https? Then the address is https://${host}.`;
}
