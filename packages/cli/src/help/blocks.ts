/** A paragraph or a list item of a text. */
export interface Block {
  isItem: boolean;
  /** The text on one line, without the dash of a list item. */
  text: string;
}

/** Splits a text of the contract into paragraphs and list items. An item begins with a dash or an asterisk. */
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
