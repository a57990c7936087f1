/** An in-process service that answers every request at once with the same small reply. */

export const replyText = JSON.stringify({
  id: "msg_01hzy3v7k2n8",
  messageId: "msg_01hzy3v7k2n8",
  merchantId: "acme-dental",
  status: "QUEUED",
  segments: 1,
  createdAt: "2026-01-31T09:30:00Z",
});

export async function stubFetch(): Promise<Response> {
  return new Response(replyText, { status: 200, headers: { "content-type": "application/json" } });
}
