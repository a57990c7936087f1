// JSON laid out for reading. Its numbers stay as they were written: to parse them would round the large ones.

const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s{}[\]:,"]+/g;

/** The same JSON, an entry a line. What is no JSON stays as it is. */
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
