import { useState } from "preact/hooks";
import { Fact } from "../elements/page.tsx";
import { Dialog } from "./dialog.tsx";
import { useKeys } from "./keys.ts";
import { characterKeys } from "./setting.ts";
import { Switch } from "./switch.tsx";

const keys: readonly (readonly [keys: readonly string[], meaning: string])[] = [
  [["/"], "goes to the search"],
  [["j", "↓"], "goes to the next row"],
  [["k", "↑"], "goes to the previous row"],
  [["Enter"], "opens the focused row"],
  [["Esc"], "clears the search field; closes the message beside the list, or this help"],
  [["?"], "shows these keys"],
];

/** Help on the keyboard shortcuts. A button and the key `?` open it. */
export function KeysHelp() {
  const [isOpen, setOpen] = useState(false);
  useKeys({ "?": () => setOpen(true) });
  return (
    <>
      <button type="button" class="help" aria-haspopup="dialog" aria-label="? keyboard" onClick={() => setOpen(true)}>
        ?
      </button>
      {isOpen && (
        <Dialog title="Keyboard" close={() => setOpen(false)}>
          <dl class="facts">
            {keys.map(([names, meaning]) => (
              <Fact key={meaning} name={names.map((name) => <kbd key={name}>{name}</kbd>)}>
                {meaning}
              </Fact>
            ))}
          </dl>
          <Switch setting={characterKeys}>Enable the single-character keys: / j k ?</Switch>
        </Dialog>
      )}
    </>
  );
}
