import { downloadCsv, formatCsv } from "../../elements/csv.ts";
import { Icon } from "../../shell/icon.tsx";
import type { MessageRow } from "./message-list.ts";

const headings = ["accepted", "status", "reason", "channel", "type", "to", "merchant", "subject", "excerpt", "id"];

/** A button that downloads the rows of the list as a CSV file. */
export function Export({ rows }: { readonly rows: readonly MessageRow[] }) {
  const save = () => {
    const cells = rows.map(
      ({ createdAt, status, reason, channel, type, to, merchantId, subject, excerpt, messageId }) => [
        ...[createdAt, status, reason, channel, type, to, merchantId, subject, excerpt, messageId],
      ],
    );
    downloadCsv("messages.csv", formatCsv(headings, cells));
  };
  return (
    <button type="button" aria-disabled={rows.length === 0} onClick={() => rows.length > 0 && save()}>
      <Icon name="download" />
      Export {rows.length.toLocaleString()} rows
    </button>
  );
}
