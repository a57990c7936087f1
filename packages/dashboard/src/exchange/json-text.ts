// Formats JSON for reading. Numbers stay as written: parsing would round large ones.

const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s{}[\]:,"]+/g;

/** Formats JSON with one entry per line. Returns text that is not JSON unchanged. */
export function layOut(text: string): string {
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  let depth = 0;
  let last = "";
  const lineBreak = () => `\n${"  ".repeat(depth)}`;
  return [...text.matchAll(TOKENS)]
    .map(([token]) => {
      const opened = last === "{" || last === "[";
      last = token;
      switch (token) {
        case "{":
        case "[": {
          const before = opened ? lineBreak() : "";
          depth += 1;
          return before + token;
        }
        case "}":
        case "]":
          depth -= 1;
          return opened ? token : lineBreak() + token;
        case ",":
          return token + lineBreak();
        case ":":
          return ": ";
        default:
          return opened ? lineBreak() + token : token;
      }
    })
    .join("");
}
