// Settings that this browser remembers. Without storage, they hold until the page is reloaded.

export interface Setting {
  readonly isOn: () => boolean;
  readonly set: (isOn: boolean) => void;
}

/** Creates a setting that is on or off, and calls `apply` with its value now and at every change. */
function createSetting(name: string, initially: boolean, apply: (isOn: boolean) => void = () => {}): Setting {
  let isOn = read(name) ?? initially;
  apply(isOn);
  return {
    isOn: () => isOn,
    set(next) {
      isOn = next;
      apply(next);
      try {
        localStorage.setItem(name, next ? "on" : "off");
      } catch {
        // see above
      }
    },
  };
}

function read(name: string): boolean | undefined {
  try {
    const kept = localStorage.getItem(name);
    return kept === null ? undefined : kept === "on";
  } catch {
    return undefined;
  }
}

/** Whether single-character keys act. */
export const characterKeys = createSetting("msgd.keys", true);

/** Whether tables have low rows. */
export const compactRows = createSetting("msgd.compact-rows", false, (isOn) => {
  document.documentElement.dataset.rows = isOn ? "compact" : "";
  // tables measure their rows again
  dispatchEvent(new Event("resize"));
});
