import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Setting } from "./setting.ts";

/** A checkbox for a setting. */
export function Switch({ setting, children }: { readonly setting: Setting; readonly children: ComponentChildren }) {
  const [isOn, setOn] = useState(setting.isOn);
  return (
    <label class="switch">
      <input
        type="checkbox"
        checked={isOn}
        onChange={({ currentTarget: { checked } }) => {
          setting.set(checked);
          setOn(checked);
        }}
      />{" "}
      {children}
    </label>
  );
}
