// The pages of the documentation, which the build puts beside the program.

import { readFile } from "node:fs/promises";

export interface DocPage {
  /** `msgctl://docs/send/sms` */
  readonly uri: string;
  readonly title: string;
  readonly description: string;
  /** Its file within the folder. */
  readonly file: string;
}

/** Reads the list of pages. @param folder the address of the folder, with a slash at its end */
export async function readPages(folder: URL): Promise<readonly DocPage[]> {
  return JSON.parse(await readFile(new URL("pages.json", folder), "utf8"));
}

/** Reads the text of a page, in Markdown. */
export function readPage(folder: URL, { file }: DocPage): Promise<string> {
  return readFile(new URL(file, folder), "utf8");
}
