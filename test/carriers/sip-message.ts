// The part of SIP messages (RFC 3261) that a phone needs.

export interface SipMessage {
  /** `INVITE`; for a response, `SIP/2.0`. */
  readonly method: string;
  /** The request URI; for a response, its status. */
  readonly target: string;
  /** The value of the first header with this name; empty if there is none. */
  header(name: string): string;
  headers(name: string): readonly string[];
}

export function readSipMessage(text: string): SipMessage {
  const [head = ""] = text.split("\r\n\r\n", 1);
  const [start = "", ...lines] = head.split("\r\n");
  const [method = "", target = ""] = start.split(" ");
  const fields = lines.map((line) => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()] as const;
  });
  const headers = (name: string) => fields.flatMap(([given, value]) => (given === name.toLowerCase() ? [value] : []));
  return { method, target, headers, header: (name) => headers(name)[0] ?? "" };
}

/** Writes a message from its first line, headers and body. */
export function writeSipMessage(start: string, headers: readonly string[], body = ""): string {
  const type = body === "" ? [] : ["Content-Type: application/sdp"];
  return [start, ...headers, ...type, `Content-Length: ${Buffer.byteLength(body)}`, "", body].join("\r\n");
}

/** Writes the response to a request, with the sender's tag. */
export function writeSipResponse(
  request: SipMessage,
  { status, tag, contact, body }: { status: number; tag: string; contact: string; body?: string | undefined },
): string {
  const to = request.header("To");
  const headers = [
    ...request.headers("Via").map((via) => `Via: ${via}`),
    `From: ${request.header("From")}`,
    `To: ${to.includes(";tag=") ? to : `${to};tag=${tag}`}`,
    `Call-ID: ${request.header("Call-ID")}`,
    `CSeq: ${request.header("CSeq")}`,
    `Contact: <${contact}>`,
  ];
  return writeSipMessage(`SIP/2.0 ${status} ${phrases[status] ?? "Refused"}`, headers, body);
}

const phrases: Readonly<Record<number, string>> = { 180: "Ringing", 200: "OK", 487: "Request Terminated" };
