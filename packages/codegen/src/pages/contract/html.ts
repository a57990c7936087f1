// HTML templates that escape every value, except HTML made by `html`.
import type { Language, Prose } from "./page.ts";

/** A piece of finished HTML. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = Html | string | number | undefined | readonly Part[];

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

/** Template tag that escapes values; lists are joined, undefined is omitted. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(strings.reduce((text, string, index) => text + textOf(parts[index - 1]) + string));
}

function textOf(part: Part): string {
  if (part === undefined) return "";
  if (part instanceof Html) return part.text;
  return typeof part === "string" || typeof part === "number" ? escapeHtml(String(part)) : part.map(textOf).join("");
}

/** Renders paragraphs. */
export function prose(text: Prose): Html {
  const paragraphs = text
    .trim()
    .split(/\n{2,}/)
    .filter(Boolean);
  return html`${paragraphs.map((paragraph) => html`<p>${inline(paragraph)}</p>`)}`;
}

/** Its groups are, in order: code, the text of a link, the target of the link, strong words, emphasised words. */
const MARKS = /`([^`]+)`|\[([^\]]+)\]\((\/[^)\s]*)\)|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*/g;

/** Renders the content of one paragraph, without the surrounding `<p>`. */
export function inline(text: Prose): Html {
  return replace(text, MARKS, ([, code, words = "", href, strong, emphasis = ""]) => {
    if (code !== undefined) return html`<code>${code}</code>`;
    if (href !== undefined) return html`<a href="${href}">${inline(words)}</a>`;
    return strong === undefined ? html`<em>${emphasis}</em>` : html`<strong>${inline(strong)}</strong>`;
  });
}

/** Matches strings, keywords and flags of each language. `classes` has the CSS class of each capture group, in order. */
const TOKENS: Readonly<Record<Language, { readonly tokens: RegExp; readonly classes: readonly string[] }>> = {
  sh: { tokens: /('[^']*'|"[^"]*")|(\s-{1,2}[A-Za-z][\w-]*)|(^(?:curl|msgctl|export)\b)/gm, classes: ["s", "k", "w"] },
  ts: { tokens: /("(?:[^"\\]|\\.)*")|(\b(?:import|from|const|new|await|true|false|null)\b)/g, classes: ["s", "w"] },
  json: {
    tokens: /("(?:[^"\\]|\\.)*"(?=\s*:))|("(?:[^"\\]|\\.)*")|(\b(?:true|false|null|-?\d[\d.eE+-]*)\b)/g,
    classes: ["k", "s", "w"],
  },
  xml: { tokens: /("[^"]*")|(<\/?[\w:-]+)/g, classes: ["s", "k"] },
};

/** Marks the tokens of the text, and leaves the rest of it unchanged. */
export function highlight(text: string, language: Language): Html {
  const { tokens, classes } = TOKENS[language];
  return replace(text, tokens, ([token, ...groups]) => {
    const kind = classes[groups.findIndex((group) => group !== undefined)];
    return html`<span class="${kind}">${token}</span>`;
  });
}

/** Renders each match, and escapes the text between them. */
function replace(text: string, pattern: RegExp, render: (match: RegExpExecArray) => Html): Html {
  const pieces: (Html | string)[] = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    pieces.push(text.slice(end, match.index), render(match));
    end = match.index + match[0].length;
  }
  return html`${[...pieces, text.slice(end)]}`;
}
