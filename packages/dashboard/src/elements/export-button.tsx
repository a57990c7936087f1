import { Icon } from "../shell/icon.tsx";
import { formatCsv } from "./csv.ts";
import { download } from "./download.ts";

export interface ExportButtonProps<Row> {
  /** The name of the file. */
  readonly file: string;
  readonly headings: readonly string[];
  readonly rows: readonly Row[];
  readonly toCells: (row: Row) => readonly (string | null)[];
}

/** A button that downloads the rows of a table as a CSV file. */
export function ExportButton<Row>({ file, headings, rows, toCells }: ExportButtonProps<Row>) {
  // the mark tells spreadsheets that the file is UTF-8
  const save = () => download(file, ["\ufeff", formatCsv(headings, rows.map(toCells))], "text/csv");
  return (
    <button type="button" aria-disabled={rows.length === 0} onClick={() => rows.length > 0 && save()}>
      <Icon name="download" />
      Export {rows.length.toLocaleString()} rows
    </button>
  );
}
