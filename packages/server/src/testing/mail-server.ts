// An SMTP server for tests. It records the mails that it accepts, and answers as the test specifies.

import type { AddressInfo } from "node:net";
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from "smtp-server";

import { makeSelfSignedCertificate } from "./self-signed-certificate.ts";

export interface TakenMail {
  readonly from: string;
  readonly to: string;
  /** ENVID of MAIL FROM and NOTIFY of RCPT TO (RFC 3461). */
  readonly envid: string | undefined;
  readonly notify: readonly string[] | undefined;
  readonly user: string | undefined;
  readonly isSecure: boolean;
  /** The mail as received, without the final dot. */
  readonly source: string;
}

/** A refusal at one stage, such as `550 5.1.1 no such user`. */
export type Refusals = Partial<Record<"greeting" | "auth" | "from" | "to" | "mail", string>>;

export interface MailServer {
  readonly port: number;
  /** Certificate of the authority that signed the server's certificate for 127.0.0.1. */
  readonly ca: string;
  readonly taken: TakenMail[];
  /** The current refusals. A test may replace them. */
  refusals: Refusals;
  /** Called with each connection. */
  onConnect: () => void;
  /** Returns the pause before an answer, in milliseconds. */
  delay: () => number;
  close(): Promise<void>;
}

export async function openMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const taken: TakenMail[] = [];
  const { key, cert } = makeSelfSignedCertificate();
  const answer = (stage: keyof Refusals, done: (error?: Error | null) => void) => {
    const ms = opened.delay();
    const say = () => done(toError(opened.refusals[stage]));
    if (ms > 0) setTimeout(say, ms);
    else say();
  };
  const server = new SMTPServer({
    key,
    cert,
    hideDSN: false,
    authOptional: true,
    disableReverseLookup: true,
    closeTimeout: 100,
    onConnect(_session, done) {
      opened.onConnect();
      answer("greeting", done);
    },
    onAuth: ({ username }, _session, done) => answer("auth", (error) => done(error ?? null, { user: username })),
    onMailFrom: (_address, _session, done) => answer("from", done),
    onRcptTo: (_address, _session, done) => answer("to", done),
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        // the server now has the mail, whether or not its answer arrives
        if (opened.refusals.mail === undefined) taken.push(read(session, Buffer.concat(chunks)));
        answer("mail", (error) => done(error ?? null));
      });
    },
    ...options,
  });
  const opened: { -readonly [K in keyof MailServer]: MailServer[K] } = {
    port: 0,
    ca: cert,
    taken,
    refusals: {},
    onConnect: () => undefined,
    delay: () => 0,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  server.on("error", () => undefined);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  opened.port = (server.server.address() as AddressInfo).port;
  return opened;
}

function toError(refusal: string | undefined): Error | undefined {
  if (refusal === undefined) return undefined;
  const [code, ...words] = refusal.split(" ");
  return Object.assign(new Error(words.join(" ")), { responseCode: Number(code) });
}

function read({ envelope, user, secure }: SMTPServerSession, source: Buffer): TakenMail {
  const { mailFrom, rcptTo, dsn } = envelope;
  const [recipient] = rcptTo;
  return {
    from: mailFrom === false ? "" : mailFrom.address,
    to: recipient?.address ?? "",
    envid: dsn?.envid ?? undefined,
    notify: recipient?.dsn?.notify ?? undefined,
    user: typeof user === "string" ? user : undefined,
    isSecure: secure,
    source: source.toString("latin1"),
  };
}
