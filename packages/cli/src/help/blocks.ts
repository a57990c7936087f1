/** One paragraph of a text, or one item of a list in it. */
export interface Block {
  isItem: boolean;
  /** On one line; an item without its dash. */
  text: string;
}

/** Splits a text of the contract into its paragraphs and list items, which begin with a dash or a star. */
export function toBlocks(text: string): Block[] {
  return text
    .trim()
    .split(/\n{2,}|\n(?=\s*[-*] )/)
    .map((block) => {
      const isItem = /^\s*[-*] /.test(block);
      const plain = block.trim().replace(/\s+/g, " ");
      return { isItem, text: isItem ? plain.slice(2) : plain };
    });
}
