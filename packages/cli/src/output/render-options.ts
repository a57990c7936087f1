import type { Format } from "./format.ts";
import type { Query } from "./query/query.ts";
import type { Layout } from "./table/table.ts";

/** Options of rendering an answer. */
export interface RenderOptions extends Layout {
  format: Format;
  /** Columns requested; undefined: those of the record. */
  columns: readonly string[] | undefined;
  /** Applied to the masked answer before it is rendered; undefined: none. */
  query?: Query | undefined;
  showSecrets: boolean;
  /** Whether it goes to a terminal, which would obey control characters. */
  isTerminal?: boolean;
}
