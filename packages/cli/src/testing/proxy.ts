/** A proxy on the loopback interface that connects to one server, whichever host is requested. */
import { createServer, type IncomingMessage, request } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { type AddressInfo, connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import type { Certificate } from "./certificates.ts";

export interface ProxyOptions {
  /** Address of the server to which the proxy connects. */
  to: string;
  /** Answers CONNECT with this status instead of opening a tunnel; 0: never answers. */
  connectStatus?: number;
  /** Answers requests for http addresses with this status. */
  status?: number;
  /** Certificate of the proxy, if clients reach the proxy itself over TLS. */
  certificate?: Certificate;
}

export interface TestProxy {
  host: string;
  /** Requested targets: `CONNECT api.example:443`, `GET http://api.example/x`. */
  asked: string[];
  /** The decoded user name and password of each request; undefined for none. */
  credentials: (string | undefined)[];
  /** The open connections. */
  open: ReadonlySet<Socket>;
}

export async function startProxy({ to, connectStatus = 200, status, certificate }: ProxyOptions): Promise<TestProxy> {
  const asked: string[] = [];
  const credentials: (string | undefined)[] = [];
  const open = new Set<Socket>();
  const note = ({ method, url, headers }: IncomingMessage) => {
    asked.push(`${method} ${url}`);
    const [, coded] = headers["proxy-authorization"]?.split(" ") ?? [];
    credentials.push(coded && Buffer.from(coded, "base64").toString());
  };
  const { hostname, port } = new URL(to);
  const server = certificate === undefined ? createServer() : createSecureServer(certificate);
  server.on("connection", (socket: Socket) => {
    open.add(socket);
    socket.on("close", () => open.delete(socket));
  });
  server.on("connect", (incoming: IncomingMessage, socket: Socket) => {
    note(incoming);
    socket.on("error", () => {});
    if (connectStatus === 0) return void socket.on("end", () => socket.end()).resume();
    if (connectStatus !== 200) return void socket.end(`HTTP/1.1 ${connectStatus} No\r\ncontent-length: 0\r\n\r\n`);
    const onward = connect({ host: hostname, port: Number(port) }, () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      onward.pipe(socket).pipe(onward);
    });
    onward.on("error", () => {});
  });
  server.on("request", (incoming, response) => {
    note(incoming);
    if (status !== undefined) return void response.writeHead(status).end();
    const { method, url = "", headers } = incoming;
    const { pathname, search } = new URL(url);
    const onward = request({ host: hostname, port, method, headers, path: pathname + search }, (reply) => {
      response.writeHead(reply.statusCode ?? 0, reply.headers);
      reply.pipe(response);
    });
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, asked, credentials, open };
}
