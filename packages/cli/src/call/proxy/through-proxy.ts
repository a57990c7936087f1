/**
 * Routes requests through a proxy: http requests in absolute form, https requests through a tunnel (CONNECT). The bundle has
 * this as a separate file, since most calls use no proxy.
 */
import http, { type IncomingMessage, type RequestOptions } from "node:http";
import https from "node:https";
import { isIP, type Socket } from "node:net";
import type { Duplex } from "node:stream";

/** The URL of a proxy and the variable that names it. */
export interface ProxyAt {
  url: URL;
  variable: string;
}

/** Where and how to send a request, and how to interpret errors and replies of the proxy. */
export interface Route {
  to: URL;
  options: RequestOptions;
  explain(error: Error): Error;
  /** Returns an error if the reply comes from the proxy itself. */
  judge(reply: IncomingMessage): Error | undefined;
}

/** Returns the route of a request to `target` through the proxy. */
export function routeThrough(proxy: ProxyAt, target: URL, options: RequestOptions): Route {
  const { url } = proxy;
  if (target.protocol === "https:") {
    const agent = kept(url.href, () => new TunnelAgent(proxy));
    // Node passes no signal to an agent: without this the agent would still wait for the proxy after the request was aborted
    const tunnelled: TunnelOptions = { ...options, agent, endsWith: options.signal };
    return { to: target, options: tunnelled, explain: (error) => error, judge: () => undefined };
  }
  const headers = { ...options.headers, host: target.host, ...authorization(url) };
  return {
    to: new URL(url.origin),
    options: { ...options, ...nameFor(url), path: target.href, headers, agent: agentFor(url) },
    explain: (error) => unreached(proxy, target, error),
    judge: ({ statusCode = 0 }) => (statusCode === 407 ? refused(proxy, target, statusCode) : undefined),
  };
}

const agents = new Map<string, http.Agent>();

/** Reuses agents between requests, so that a list of thousands of rows needs few connections. */
function kept(key: string, make: () => http.Agent): http.Agent {
  const agent = agents.get(key) ?? make();
  agents.set(key, agent);
  return agent;
}

/** Returns a separate agent, since in newer versions of Node the global agent may apply a proxy of its own. */
function agentFor({ protocol }: URL): http.Agent {
  return kept(protocol, () => new (protocol === "https:" ? https : http).Agent({ keepAlive: true }));
}

type TunnelOptions = RequestOptions & { endsWith?: AbortSignal | undefined; servername?: string };
type Connected = (error: Error | null, socket?: Duplex) => void;

class TunnelAgent extends https.Agent {
  readonly #proxy: ProxyAt;

  constructor(proxy: ProxyAt) {
    super({ keepAlive: true });
    this.#proxy = proxy;
  }

  override createConnection(options: TunnelOptions, connected: Connected): undefined {
    const wrap = (socket: Socket) => {
      const through: TunnelOptions & { socket: Socket } = { ...options, socket };
      return super.createConnection(through) ?? undefined;
    };
    openTunnel(this.#proxy, options)
      .then(wrap)
      .then(
        (socket) => connected(null, socket),
        (error: Error) => connected(error),
      );
  }
}

function openTunnel(proxy: ProxyAt, { host, port, endsWith }: TunnelOptions): Promise<Socket> {
  const { url } = proxy;
  const authority = `${host?.includes(":") ? `[${host}]` : host}:${port}`;
  const target = new URL(`https://${authority}`);
  const { request } = url.protocol === "https:" ? https : http;
  return new Promise((resolve, reject) => {
    const headers = { host: authority, ...authorization(url) };
    const options = { ...nameFor(url), method: "CONNECT", path: authority, headers, agent: false } as const;
    const connecting = request(url.origin, endsWith === undefined ? options : { ...options, signal: endsWith });
    connecting.once("connect", ({ statusCode = 0 }, socket, head) => {
      if (statusCode >= 200 && statusCode < 300) {
        if (head.length > 0) socket.unshift(head);
        resolve(socket as Socket);
      } else {
        socket.destroy();
        reject(refused(proxy, target, statusCode));
      }
    });
    connecting.once("error", (error: Error) => reject(unreached(proxy, target, error, true)));
    connecting.end();
  });
}

/** Sets the name that the proxy's certificate must have. Node would otherwise use the name in the Host header. */
function nameFor({ hostname }: URL): { servername: string } {
  return { servername: isIP(hostname.replace(/^\[|\]$/g, "")) > 0 ? "" : hostname };
}

function authorization({ username, password }: URL): Record<string, string> {
  if (username + password === "") return {};
  const words = [username, password].map(decode).join(":");
  return { "proxy-authorization": `Basic ${Buffer.from(words).toString("base64")}` };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing is listening there",
  ENOTFOUND: "there is no such host",
  EAI_AGAIN: "its host name cannot be looked up at the moment",
};
/** Matches the code or message of a failed TLS handshake with the proxy. */
const NO_TLS = /CERT|ISSUER|VERIFY|wrong[ _]version[ _]number/i;

/** Turns a connection error into one about the proxy. @param isTunnel - Whether every error comes from the proxy. */
function unreached(proxy: ProxyAt, target: URL, error: Error, isTunnel = false): Error {
  const code = "code" in error ? String(error.code) : "";
  const isOfProxy = isTunnel || isOfConnecting(error) || NO_TLS.test(code + error.message);
  if (error.name === "AbortError" || !isOfProxy) return error;
  const reason =
    REASONS[code] ?? (code === "ECONNRESET" ? "it closed the connection" : code || "it does not speak HTTP");
  return failure(`the proxy ${show(proxy)} cannot be used: ${reason}`, correct(proxy, target));
}

/** Whether the error occurred before a connection existed. If not, the request may have been carried out. */
function isOfConnecting(error: Error & { syscall?: string; errors?: Error[] }): boolean {
  return error.errors?.every(isOfConnecting) ?? /^(?:connect|getaddrinfo)/.test(error.syscall ?? "");
}

function refused(proxy: ProxyAt, target: URL, status: number): Error {
  const { url, variable } = proxy;
  if (status === 407) {
    const isKnown = url.username !== "";
    const form = `${url.protocol}//<user>:<password>@${url.host}`;
    return failure(
      isKnown
        ? `the proxy ${show(proxy)} refuses the user name and password`
        : `the proxy ${show(proxy)} asks for a user name and a password`,
      `Add them to ${variable}, as ${form} (write @ as %40), or name ${target.hostname} in NO_PROXY to go without a proxy.`,
    );
  }
  return failure(
    `the proxy ${show(proxy)} does not connect to ${target.host} (HTTP ${status})`,
    `Check the address; if it is right, ask the operator of the proxy to allow it, or name ${target.hostname} in NO_PROXY to go without a proxy.`,
  );
}

function correct({ variable }: ProxyAt, { hostname }: URL): string {
  return `Correct ${variable}, or name ${hostname} in NO_PROXY to go without a proxy.`;
}

/** Formats the proxy without its user name and password. */
function show({ url: { protocol, host }, variable }: ProxyAt): string {
  return `${protocol}//${host} (${variable})`;
}

/** Creates an error about the proxy. connection-faults.ts recognises its code. */
function failure(message: string, hint: string): Error {
  return Object.assign(new Error(message), { code: "EPROXY", hint });
}
