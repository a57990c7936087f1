/** Converts the text of `msgctl help <topic>` to data. */
import { type Block, toBlocks } from "../help/blocks.ts";
import type { Row } from "../help/flags.ts";
import type { Page } from "../help/page.ts";
import { topicHelp, topicSummaries } from "../help/topics.ts";

/** A help topic: a text that applies to all commands. */
export interface TopicFacts {
  /** The name of the topic, as `msgctl help` takes it. */
  name: string;
  /** One line. */
  summary: string;
  /** The text before the first section. */
  introduction: readonly TopicPart[];
  sections: readonly { title: string; parts: readonly TopicPart[] }[];
}

export type TopicPart =
  | { kind: "blocks"; blocks: readonly Block[] }
  | { kind: "definitions"; rows: readonly Row[] }
  /** Lines for a shell. */
  | { kind: "lines"; lines: readonly string[] };

/** Returns every topic, with its text in parts. */
export function readTopics(): TopicFacts[] {
  return topicSummaries.map(([name, summary]) => ({ name, summary, ...readParts(topicHelp(name, partsPage) ?? "") }));
}

/** A page that renders each heading and each part as a line of JSON. */
const partsPage: Page = {
  isColoured: false,
  heading: (title) => toLine({ kind: "heading", title }),
  paragraphs: (text) => toLine({ kind: "blocks", blocks: toBlocks(text) }),
  indented: (text) => toLine({ kind: "blocks", blocks: toBlocks(text) }),
  definitions: (rows) => toLine({ kind: "definitions", rows }),
  verbatim: (lines) => toLine({ kind: "lines", lines: lines.slice(lines.findIndex((line) => line !== "")) }),
  dim: (text) => text,
};

type Line = TopicPart | { kind: "heading"; title: string };

function toLine(line: Line): string {
  return `${JSON.stringify(line)}\n`;
}

function readParts(page: string): Pick<TopicFacts, "introduction" | "sections"> {
  const introduction: TopicPart[] = [];
  const sections: { title: string; parts: TopicPart[] }[] = [];
  for (const text of page.split("\n")) {
    if (text === "") continue;
    const line: Line = JSON.parse(text);
    if (line.kind === "heading") sections.push({ title: line.title, parts: [] });
    else (sections.at(-1)?.parts ?? introduction).push(line);
  }
  return { introduction, sections };
}
