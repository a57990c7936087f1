// HTML templates that escape every value, except HTML made by `html`.

/** A piece of finished HTML. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = Html | string | number | null | undefined | readonly Part[];

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes text for HTML content or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? "");
}

/** Template tag that escapes values; lists are joined, null and undefined are omitted. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(strings.reduce((text, string, index) => text + textOf(parts[index - 1]) + string));
}

function textOf(part: Part): string {
  if (part === null || part === undefined) return "";
  if (part instanceof Html) return part.text;
  return typeof part === "string" || typeof part === "number" ? escapeHtml(String(part)) : part.map(textOf).join("");
}

/** Renders the subset of Markdown in the contract's descriptions: paragraphs, `code`, **strong** and *emphasis*. */
export function prose(text: string | undefined): Html {
  const paragraphs = (text ?? "")
    .trim()
    .split(/\n{2,}/)
    .filter(Boolean);
  return new Html(paragraphs.map((paragraph) => `<p>${inline(paragraph)}</p>`).join(""));
}

function inline(text: string): string {
  return text
    .split(/(`[^`]+`)/)
    .map((piece) =>
      piece.startsWith("`") && piece.length > 2
        ? `<code>${escapeHtml(piece.slice(1, -1))}</code>`
        : escapeHtml(piece)
            .replaceAll(/\*\*([^*]+)\*\*/g, "<strong>$1</strong>")
            .replaceAll(/\*([^*\s][^*]*)\*/g, "<em>$1</em>"),
    )
    .join("");
}
