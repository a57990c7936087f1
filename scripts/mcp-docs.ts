// The documentation that @msgctl/mcp gives to agents: the pages of operations and errors, and the how-to guides.

import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { readContract } from "../packages/codegen/src/document/contract.ts";
import { type Resource, renderResources } from "../packages/codegen/src/pages/contract/as-resources.ts";

const GUIDES = "docs/how-to";

/** Creates the folder, with a file for each page and `pages.json`, which lists them. */
export async function buildMcpDocs(folder: string): Promise<void> {
  const contract = readContract(await readFile("openapi.yaml", "utf8"), "openapi.yaml");
  const resources = [...renderResources(contract), ...(await readGuides())];
  const pages = resources.map(({ text: _, ...page }) => ({ ...page, file: fileOf(page) }));
  for (const { text, ...page } of resources) {
    const path = join(folder, fileOf(page));
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  await writeFile(join(folder, "pages.json"), JSON.stringify(pages));
}

function fileOf({ uri }: Pick<Resource, "uri">): string {
  return `${uri.slice("msgctl://docs/".length)}.md`;
}

async function readGuides(): Promise<Resource[]> {
  const files = (await readdir(GUIDES)).filter((name) => name.endsWith(".md")).sort();
  return Promise.all(
    files.map(async (file) => {
      const text = withAddresses(await readFile(join(GUIDES, file), "utf8"));
      const title = /^# (.+)$/m.exec(text)?.[1] ?? file;
      return { uri: `msgctl://docs/how-to/${file.replace(/\.md$/, "")}`, title, description: `How to: ${title}`, text };
    }),
  );
}

/** Links to pages that are resources too get their addresses; of the others only the words stay. */
function withAddresses(text: string): string {
  return text.replace(/(?<!!)\[([^\]]+)\]\((?!https?:)([^)\s]+)\)/g, (_, words: string, target: string) => {
    const [, folder = "how-to", name] = /^(?:\.\.\/(errors)\/)?([\w-]+)\.md(?:#.*)?$/.exec(target) ?? [];
    return name === undefined || name === "README" ? words : `[${words}](msgctl://docs/${folder}/${name})`;
  });
}
