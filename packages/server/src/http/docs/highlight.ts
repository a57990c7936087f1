// Syntax highlighting of strings, keywords and flags. Everything else is left as it is.

import { type Html, html } from "./html.ts";

export type Language = "sh" | "ts" | "json" | "xml";

/** The classes are in the order of the groups. */
const patterns: Readonly<Record<Language, { readonly tokens: RegExp; readonly classes: readonly string[] }>> = {
  sh: { tokens: /('[^']*'|"[^"]*")|(\s-{1,2}[A-Za-z][\w-]*)|(^(?:curl|msgctl|export)\b)/gm, classes: ["s", "k", "w"] },
  ts: { tokens: /("(?:[^"\\]|\\.)*")|(\b(?:import|from|const|new|await|true|false|null)\b)/g, classes: ["s", "w"] },
  json: {
    tokens: /("(?:[^"\\]|\\.)*"(?=\s*:))|("(?:[^"\\]|\\.)*")|(\b(?:true|false|null|-?\d[\d.eE+-]*)\b)/g,
    classes: ["k", "s", "w"],
  },
  xml: { tokens: /("[^"]*")|(<\/?[\w:-]+)/g, classes: ["s", "k"] },
};

/** Returns the escaped text with its tokens marked. */
export function highlight(text: string, language: Language): Html {
  const { tokens, classes } = patterns[language];
  const pieces: (Html | string)[] = [];
  let end = 0;
  for (const match of text.matchAll(tokens)) {
    const kind = classes[match.slice(1).findIndex((group) => group !== undefined)];
    pieces.push(text.slice(end, match.index), html`<span class="${kind}">${match[0]}</span>`);
    end = match.index + match[0].length;
  }
  return html`${[...pieces, text.slice(end)]}`;
}
