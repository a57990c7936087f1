/** One request without a credential that also records the connection's TLS and the clock. */
import type { IncomingMessage } from "node:http";
import type { TLSSocket } from "node:tls";

export interface Probe {
  status: number;
  /** The Date header in epoch milliseconds; undefined if absent. */
  serviceTimeMs: number | undefined;
  /** This machine's time, halfway between request and answer. */
  ownTimeMs: number;
  tookMs: number;
  /** Undefined without TLS. */
  tls: { protocol: string; expiresMs: number } | undefined;
  body: string;
}

/** @throws {Error} As node:http and node:tls do, with their `code`. */
export async function probe(url: string, signal: AbortSignal): Promise<Probe> {
  const { request } = url.startsWith("https:") ? await import("node:https") : await import("node:http");
  const startMs = Date.now();
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    // A new connection: a reused one says nothing about its certificate.
    const outgoing = request(url, { signal, agent: false, headers: { accept: "application/json" } }, resolve);
    outgoing.on("error", reject).end();
  });
  const endMs = Date.now();
  const tls = readTls(message.socket);
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  const serviceTimeMs = Date.parse(message.headers.date ?? "");
  return {
    status: message.statusCode ?? 0,
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
