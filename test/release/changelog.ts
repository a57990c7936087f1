// Sections of CHANGELOG.md.

const UNRELEASED = "## Unreleased";
const HEADING = /^## (?:Unreleased|(\d[\w.-]*) - (\d{4}-\d{2}-\d{2}))$/;

export interface Section {
  /** When the version was released; undefined for the changes that are not released yet. */
  readonly date: string | undefined;
  readonly notes: string;
}

/**
 * The sections of a changelog, newest first, by version; the key of unreleased changes is "".
 *
 * @throws {Error} If a heading of the second level is neither `Unreleased` nor a version and its date, or occurs twice.
 */
export function sectionsOf(changelog: string): ReadonlyMap<string, Section> {
  const sections = new Map<string, Section>();
  const [, ...parts] = changelog.split(/^(?=## )/m);
  for (const part of parts) {
    const [heading = ""] = part.split("\n", 1);
    const match = HEADING.exec(heading);
    if (match === null) {
      throw new Error(
        `CHANGELOG.md has the heading "${heading}". Write ${UNRELEASED} or "## <version> - <YYYY-MM-DD>".`,
      );
    }
    const [, version = "", date] = match;
    if (sections.has(version))
      throw new Error(`CHANGELOG.md has the heading "${heading}" twice. Join the two sections.`);
    sections.set(version, { date, notes: part.slice(heading.length).trim() });
  }
  return sections;
}

/**
 * Turns the unreleased changes into the section of a version, below an empty section for the next changes.
 *
 * @throws {Error} If nothing is unreleased, or the version has a section.
 */
export function withRelease(changelog: string, version: string, date: string): string {
  const sections = sectionsOf(changelog);
  if (sections.has(version)) throw new Error(`CHANGELOG.md already has a section ${version}.`);
  if (!sections.get("")?.notes) {
    throw new Error(`CHANGELOG.md has nothing under ${UNRELEASED}. Write there what users notice of ${version}.`);
  }
  return changelog.replace(/^## Unreleased$/m, `${UNRELEASED}\n\n## ${version} - ${date}`);
}
