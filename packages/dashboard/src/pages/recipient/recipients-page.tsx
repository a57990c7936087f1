// Finds a recipient by a number or address, in any notation.

import { useRef, useState } from "preact/hooks";
import { Card, PageHead } from "../../elements/page.tsx";
import { go } from "../../shell/navigation.tsx";
import { useSession } from "../../shell/session.ts";

export function RecipientsPage() {
  const [text, setText] = useState("");
  const { callingCode } = useSession();
  const input = useRef<HTMLInputElement>(null);
  return (
    <section class="page">
      <PageHead title="Recipients" />
      <Card id="find-recipient" title="Find a recipient">
        <form
          class="fields"
          onSubmit={(event) => {
            event.preventDefault();
            if (text.trim() === "") input.current?.focus();
            else go({ page: "recipient", contact: text.trim() });
          }}
        >
          <label class="wide">
            Phone number or email address
            <input
              ref={input}
              type="search"
              value={text}
              maxLength={254}
              autocomplete="off"
              placeholder={`${callingCode === null ? "+1 202 555 0100" : "(202) 555-0100"} or dana@example.com`}
              onInput={({ currentTarget }) => setText(currentTarget.value)}
            />
          </label>
          <button type="submit" class="main">
            Show
          </button>
        </form>
        <p class="quiet">
          A recipient's page shows what they have decided for each merchant and channel, when and how, and the messages
          sent to them.
        </p>
      </Card>
    </section>
  );
}
