// Loads the code of a page when the page is first opened, so that the first load stays small.

import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Failure } from "./failure.tsx";

export function onDemand<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  return function OnDemand(props: Props) {
    const [Loaded, setLoaded] = useState(() => loaded);
    const [error, setError] = useState<unknown>();
    const run = () => {
      setError(undefined);
      load().then((found) => {
        loaded = found;
        setLoaded(() => found);
      }, setError);
    };
    useEffect(() => {
      if (loaded === undefined) run();
    }, []);
    if (error !== undefined) return <Failure error={error} again={run} />;
    if (Loaded === undefined) return <p class="loading">Loading …</p>;
    return <Loaded {...props} />;
  };
}
