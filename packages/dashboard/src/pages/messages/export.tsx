import { ExportButton } from "../../elements/export-button.tsx";
import type { MessageRow } from "./message-list.ts";

const headings = ["accepted", "status", "reason", "channel", "type", "to", "merchant", "subject", "excerpt", "id"];

function toCells({
  createdAt,
  status,
  reason,
  channel,
  type,
  to,
  merchantId,
  subject,
  excerpt,
  messageId,
}: MessageRow) {
  return [createdAt, status, reason, channel, type, to, merchantId, subject, excerpt, messageId];
}

/** A button that downloads the rows of the list. */
export function Export({ rows }: { readonly rows: readonly MessageRow[] }) {
  return <ExportButton file="messages.csv" headings={headings} rows={rows} toCells={toCells} />;
}
