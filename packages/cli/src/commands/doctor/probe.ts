/** Makes one request without a credential, and records the TLS connection and the clocks of both sides. */
import type { IncomingMessage } from "node:http";
import type { TLSSocket } from "node:tls";
import { createSender } from "../../call/node-transport.ts";
import type { NamedProxy } from "../../process/config.ts";

export interface Probe {
  status: number;
  contentType: string | undefined;
  /** Target of a redirect. */
  location: string | undefined;
  /** The Date header in epoch milliseconds; undefined if absent. */
  serviceTimeMs: number | undefined;
  /** This machine's time halfway between request and answer, in epoch milliseconds. */
  ownTimeMs: number;
  tookMs: number;
  /** Undefined without TLS. */
  tls: { protocol: string; expiresMs: number } | undefined;
  body: string;
}

/** @throws {Error} The error of node:http or node:tls, with its `code`; a CliError for a proxy that cannot be used. */
export async function probe(url: string, proxy: NamedProxy | undefined, signal: AbortSignal): Promise<Probe> {
  const send = createSender(proxy);
  const startMs = Date.now();
  // Use a new connection: a reused TLS session does not report its certificate.
  const message = await send(new URL(url), { signal, agent: false, headers: { accept: "application/json" } });
  const endMs = Date.now();
  const tls = readTls(message.socket);
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  const { date = "", location, "content-type": contentType } = message.headers;
  const serviceTimeMs = Date.parse(date);
  return {
    status: message.statusCode ?? 0,
    contentType,
    location,
    serviceTimeMs: Number.isNaN(serviceTimeMs) ? undefined : serviceTimeMs,
    ownTimeMs: (startMs + endMs) / 2,
    tookMs: endMs - startMs,
    tls,
    body: Buffer.concat(chunks).toString("utf8"),
  };
}

function readTls(socket: IncomingMessage["socket"]): Probe["tls"] {
  if (!("getPeerCertificate" in socket)) return undefined;
  const { getPeerCertificate, getProtocol } = socket as TLSSocket;
  const { valid_to: expires } = getPeerCertificate.call(socket);
  return { protocol: getProtocol.call(socket) ?? "TLS", expiresMs: Date.parse(expires) };
}
