import type { Format } from "./format.ts";
import type { Query } from "./query/query.ts";
import type { Layout } from "./table/table.ts";

/** How to render an answer. */
export interface RenderOptions extends Layout {
  format: Format;
  /** The requested columns; undefined: those of the record. */
  columns: readonly string[] | undefined;
  /** The query to apply to the masked answer before rendering; undefined: none. */
  query?: Query | undefined;
  showSecrets: boolean;
  /** Whether the output goes to a terminal, which would interpret control characters. */
  isTerminal?: boolean;
}
