/**
 * Sends a request through a proxy: a file of its own in the bundle, since most calls have none. An http address is asked
 * of the proxy; to an https address it makes a tunnel (CONNECT), which Node's own client parses.
 */
import http, { type IncomingMessage, type RequestOptions } from "node:http";
import https from "node:https";
import { isIP, type Socket } from "node:net";
import type { Duplex } from "node:stream";

/** A proxy to go through. */
export interface ProxyAt {
  url: URL;
  /** The variable that names it. */
  variable: string;
}

/** How to send a request: where to and with which options, and what an error or a reply of the proxy means. */
export interface Route {
  to: URL;
  options: RequestOptions;
  explain(error: Error): Error;
  /** Returns an error for a reply that is the proxy's own. */
  judge(reply: IncomingMessage): Error | undefined;
}

/** The route to `target` through a proxy, for a request with these options. */
export function routeThrough(proxy: ProxyAt, target: URL, options: RequestOptions): Route {
  const { url } = proxy;
  if (target.protocol === "https:") {
    const agent = kept(url.href, () => new TunnelAgent(proxy));
    // an agent is not given the request's signal, and would wait for the proxy though the request has ended
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

/** Agents are kept between requests, so that a list of thousands of rows needs few connections. */
function kept(key: string, make: () => http.Agent): http.Agent {
  const agent = agents.get(key) ?? make();
  agents.set(key, agent);
  return agent;
}

/** Never the global one, which newer versions of Node let use a proxy by itself. */
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
    openTunnel(this.#proxy, options).then(
      (socket) => {
        const through: TunnelOptions & { socket: Socket } = { ...options, socket };
        connected(null, super.createConnection(through) ?? undefined);
      },
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

/** The name that a proxy's certificate has to be for: Node would take the one in the Host header. */
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
  ECONNREFUSED: "nothing listens there",
  ENOTFOUND: "there is no such host",
  EAI_AGAIN: "its name cannot be looked up at present",
};
/** Codes of connections that were not made, TLS of the proxy included. */
const NOT_CONNECTED = /^(?:EHOST|ENET|ETIMEDOUT|EPROTO|ERR_SSL|ERR_TLS)|CERT|ISSUER|VERIFY/;

/** @param isTunnel - Whether nothing was sent whatever the error: the tunnel was not made. */
function unreached(proxy: ProxyAt, target: URL, error: Error, isTunnel = false): Error {
  const code = "code" in error ? String(error.code) : "";
  const isOfProxy = isTunnel || code in REASONS || NOT_CONNECTED.test(code);
  if (error.name === "AbortError" || !isOfProxy) return error;
  const reason = REASONS[code] ?? (code === "ECONNRESET" ? "it closed the connection" : code || "no HTTP");
  return failure(`the proxy ${show(proxy)} cannot be used: ${reason}`, correct(proxy, target));
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
      `Write them into ${variable}, as ${form} (%40 for an @), or name ${target.hostname} in NO_PROXY to go without a proxy.`,
    );
  }
  return failure(
    `the proxy ${show(proxy)} does not connect to ${target.host} (HTTP ${status})`,
    `Check the address; if it is right, ask whoever runs the proxy to let it through, or name ${target.hostname} in NO_PROXY to go without a proxy.`,
  );
}

function correct({ variable }: ProxyAt, { hostname }: URL): string {
  return `Correct ${variable}, or name ${hostname} in NO_PROXY to go without a proxy.`;
}

/** Never the user name and password. */
function show({ url: { protocol, host }, variable }: ProxyAt): string {
  return `${protocol}//${host} (${variable})`;
}

/** An error for which the proxy is to blame: connection-faults.ts knows it by its code. */
function failure(message: string, hint: string): Error {
  return Object.assign(new Error(message), { code: "EPROXY", hint });
}
