// Shows an email as its recipient sees it, in a sandboxed frame, or its source.

import { useState } from "preact/hooks";
import { toVisible } from "../../elements/visible-text.ts";
import { Failure } from "../../shell/failure.tsx";
import { useAnswer } from "../use-answer.ts";

export interface MailProps {
  readonly messageId: string;
  readonly content: string;
}

export function Mail({ messageId, content }: MailProps) {
  const [isSource, setSource] = useState(false);
  const [pictures, setPictures] = useState<"none" | "all">("none");
  return (
    <section aria-label="Mail">
      <p>
        <button type="button" aria-pressed={isSource} onClick={() => setSource(!isSource)}>
          Source
        </button>{" "}
        {!isSource && hasPictures(content) && (
          <button type="button" aria-pressed={pictures === "all"} onClick={() => setPictures("all")}>
            Load pictures from other hosts
          </button>
        )}
      </p>
      {isSource ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll this box
        <pre class="content" tabIndex={0}>
          {toVisible(content)}
        </pre>
      ) : (
        <Frame key={pictures} messageId={messageId} pictures={pictures} />
      )}
    </section>
  );
}

function Frame({ messageId, pictures }: { readonly messageId: string; readonly pictures: "none" | "all" }) {
  const { answer, error, again } = useAnswer("getMailFrame", { path: { messageId }, query: { pictures } });
  if (error !== undefined) return <Failure error={error} again={again} />;
  if (answer === undefined) return null;
  return (
    <iframe
      class="mail"
      title="The email as its recipient sees it"
      sandbox=""
      referrerpolicy="no-referrer"
      src={answer.path}
    />
  );
}

/** Whether the mail is an HTML document and not plain text. */
export function isDocument(content: string): boolean {
  return /<(?:!doctype|html|body|p|div|table|br|h\d|span|a|b|img)\b[^>]*>/i.test(content);
}

function hasPictures(content: string): boolean {
  return /(?:src|background|url)\s*[=(]\s*["']?\s*(?:https?:)?\/\//i.test(content);
}
