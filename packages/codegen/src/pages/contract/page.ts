// The pages of the contract as data: written once, rendered as Markdown for docs/ and as HTML for msgd's /docs.
import type { Operation, Problem } from "../../model.ts";

/** A text with the contract's Markdown: paragraphs, `code`, **strong**, *emphasis*, and [links](/docs) to other pages. */
export type Prose = string;

export interface Page {
  /** Its path on msgd. */
  readonly href: string;
  /** Its file in the repository. The operations of one tag share a file. */
  readonly file: string;
  readonly title: string;
  /** The page above it, or the tag of an operation. */
  readonly above?: Prose;
  /** The route of a request or a reply: `POST` and a path, or a status and a code. */
  readonly route?: { readonly method: string; readonly path: string; readonly also?: Prose };
  readonly intro: readonly Block[];
  /** Examples that are shown next to the sections, or before them. */
  readonly samples?: readonly Section[];
  readonly sections: readonly Section[];
  /** The link to it in the menu. */
  readonly menu?: { readonly group: string; readonly title: string };
  readonly entries: readonly SearchEntry[];
}

export interface Section {
  /** Its anchor on msgd. */
  readonly id: string;
  readonly title: string;
  /** The status of a reply. */
  readonly status?: number;
  readonly blocks: readonly Block[];
}

export type Block =
  | { readonly kind: "text"; readonly text: Prose; readonly look?: "quiet" | "lead" }
  | { readonly kind: "heading"; readonly text: string }
  | { readonly kind: "list"; readonly items: readonly Prose[] }
  | { readonly kind: "code"; readonly language: Language; readonly text: string; readonly label: string }
  /** Variables for a shell; msgd shows its own URL in place of `server`. */
  | { readonly kind: "variables"; readonly text: string; readonly server: string }
  | { readonly kind: "calls"; readonly calls: Calls }
  | { readonly kind: "fields"; readonly fields: readonly Field[]; readonly isRequest: boolean }
  | { readonly kind: "operations"; readonly operations: readonly Operation[] }
  | { readonly kind: "errors"; readonly problems: readonly Problem[] }
  /** A block that the reader has to open. */
  | { readonly kind: "fold"; readonly title: string; readonly block: Block }
  /** A form that sends the operation. Only msgd shows it. */
  | { readonly kind: "form"; readonly operation: Operation };

export type Language = "sh" | "ts" | "json" | "xml";

/** Code that calls an operation with the contract's first example. Base URL and credential come from the environment. */
export interface Calls {
  readonly curl: string;
  readonly msgctl: string;
  /** A whole program for `@msgctl/sdk`. */
  readonly typescript: string;
}

export interface Field {
  readonly name: string;
  readonly isRequired: boolean;
  /** The type in words, such as `text`, `list of objects` or `whole number or null`. */
  readonly type: string;
  readonly isList: boolean;
  readonly limits: readonly string[];
  /** The regular expression that a value must match. */
  readonly pattern?: string;
  /** The known values; complete unless `isOpen`. */
  readonly values: readonly string[];
  /** Whether more values may be added to the contract. */
  readonly isOpen: boolean;
  readonly isSecret: boolean;
  readonly description: Prose;
  readonly fields: readonly Field[];
}

/** An entry in the search of msgd's /docs. */
export interface SearchEntry {
  readonly title: string;
  /** Shown under the title. */
  readonly detail: string;
  readonly href: string;
  /** Other terms by which the search finds the entry. */
  readonly terms: readonly string[];
}
