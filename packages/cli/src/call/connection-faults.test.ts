/** Tests against servers with faulty connections, on the loopback interface. Each fault has its own message and remedy. */
import https from "node:https";
import { createServer } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Certificate, makeCertificate } from "../testing/certificates.ts";
import { msgctl, reply, service } from "../testing/world.ts";
import { explainConnection } from "./connection-faults.ts";

const DAY_MS = 86_400_000;
const SEND = ["parcels", "send", "north", "--kind", "BOX", "--phone", "+12025550100", "--retries", "0"];

/** Lets Node.js trust a certificate during a test, as NODE_EXTRA_CA_CERTS does for a process. */
function trust({ cert }: Certificate): void {
  https.globalAgent.options.ca = [cert];
  onTestFinished(() => {
    https.globalAgent.options.ca = undefined;
    https.globalAgent.destroy();
  });
}

async function sendTo(certificate: Certificate) {
  const { env, baseUrl } = await service((response) => reply(response, 200, { parcelId: 1 }), certificate);
  const ended = await msgctl([...SEND, "-o", "json"], { env });
  return { ...ended, host: new URL(baseUrl).host };
}

describe("a certificate", () => {
  it.each([
    ["that has expired", { validFromMs: -2 * DAY_MS }, "has expired", /^Check the clock .*, contact the operator of/],
    [
      "that is not valid yet",
      { validFromMs: DAY_MS },
      "is not valid yet",
      /^Check the clock .*, contact the operator of/,
    ],
    [
      "for another name",
      { address: [127, 0, 0, 2] as const },
      "is not for 127.0.0.1, but for 127.0.0.2",
      /^Check the address; if it is right, contact the operator of/,
    ],
  ])("%s is reported, and the remedy is named", async (_, wanted, words, cure) => {
    const certificate = makeCertificate(wanted);
    trust(certificate);
    const { exitCode, stderr } = await sendTo(certificate);
    const told = JSON.parse(stderr);
    expect([exitCode, told.code, told.message]).toEqual([6, "tls_failed", expect.stringContaining(words)]);
    expect(told.hints).toEqual([expect.stringMatching(cure)]);
  });

  it.each([
    ["that is self-signed", {}, "is self-signed"],
    ["of an unknown authority", { isIssued: true }, "is issued by an authority that this machine does not trust"],
  ])("%s is reported, and the hint says how to trust it", async (_, wanted, words) => {
    const { exitCode, stderr, host } = await sendTo(makeCertificate(wanted));
    const told = JSON.parse(stderr);
    expect([exitCode, told.code, told.message]).toEqual([6, "tls_failed", `the certificate of ${host} ${words}`]);
    expect(told.hints).toEqual([
      expect.stringMatching(/NODE_EXTRA_CA_CERTS to its certificate file \(SSL_CERT_FILE is not used\)/),
    ]);
  });

  it("that is trusted is accepted", async () => {
    const certificate = makeCertificate();
    trust(certificate);
    expect((await sendTo(certificate)).exitCode).toBe(0);
  });
});

it("suggests https if an http address closes the connection, and says how to repeat the write", async () => {
  const { env, baseUrl } = await service(() => {}, makeCertificate());
  const { host } = new URL(baseUrl);
  const ended = await msgctl(SEND, { env: { ...env, MSGCTL_BASE_URL: `http://${host}` } });
  expect(ended.exitCode).toBe(6);
  expect(ended.stderr).toContain(`error: http://${host} closed the connection without a response\n`);
  expect(ended.stderr).toContain(`hint: Does it speak https? Then the address is https://${host}.\n`);
  expect(ended.stderr).toContain("--idempotency-key");
});

it("recognises an https server that answers a plain http request with a text", async () => {
  const { env } = await service((response) => {
    response.writeHead(400, { "content-type": "text/html" }).end("The plain HTTP request was sent to HTTPS port");
  });
  const { exitCode, stderr } = await msgctl(["parcels", "list"], { env });
  expect([exitCode, stderr]).toEqual([6, expect.stringMatching(/does not speak http .*\nhint: Does it speak https\?/)]);
});

it("reports a server that speaks neither http nor https", async () => {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.end("220 mail.example ESMTP\r\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  const { env } = await service(() => {});
  const at = (scheme: string) => ({ ...env, MSGCTL_BASE_URL: `${scheme}://127.0.0.1:${port}` });
  const line = ["parcels", "list", "--retries", "0"];
  expect((await msgctl(line, { env: at("http") })).stderr).toMatch(/does not speak http\nhint: Does it speak https\?/);
  expect((await msgctl(line, { env: at("https") })).stderr).toMatch(/does not speak https\nhint: Is it http:/);
});

it("says where a redirect leads, and that the response is not from the service", async () => {
  const { env } = await service((response) => {
    response.writeHead(302, { location: "https://login.hotel.example/" }).end();
  });
  const { exitCode, stderr } = await msgctl(SEND, { env });
  expect(exitCode).toBe(6);
  expect(stderr).toMatch(
    /^error: .*redirects to https:\/\/login\.hotel\.example\/.*\nhint: If it leads to a sign-in page/,
  );
});

it.each([
  ["ERR_SSL_WRONG_VERSION_NUMBER", "", "https://api.example does not speak https"],
  [
    "EPROTO",
    "write EPROTO 80EC:error:0A00010B:SSL routines:wrong version number",
    "https://api.example does not speak https",
  ],
  ["ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE", "", "the TLS handshake with api.example failed: handshake failure"],
  ["CERT_REVOKED", "", "the TLS handshake with api.example failed: handshake failure"],
  [
    "ECONNRESET",
    "Client network socket disconnected before secure TLS connection was established",
    "api.example closed the connection during the TLS handshake",
  ],
])("explains the error %s %s", (code, message, words) => {
  const error = Object.assign(new Error(message), { code, reason: "handshake failure" });
  expect(explainConnection(error, { baseUrl: "https://api.example" })).toMatchObject({ part: "tls", message: words });
});
