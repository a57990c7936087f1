import type { Format } from "./format.ts";
import type { Query } from "./query/query.ts";
import type { Layout } from "./table/table.ts";

/** How an answer is set. */
export interface RenderOptions extends Layout {
  format: Format;
  /** Columns asked for; undefined: those of the record. */
  columns: readonly string[] | undefined;
  /** What is made of the masked answer before it is set; undefined: nothing. */
  query?: Query | undefined;
  showSecrets: boolean;
  /** Whether a terminal shows it, which would obey control characters. */
  isTerminal?: boolean;
}
