import { useEffect, useState } from "preact/hooks";

/** Width from which a row opens beside its list. */
const wide = matchMedia("(width >= 80rem)");

/** Whether the window has room for a page beside a list. */
export function useIsWide(): boolean {
  const [isWide, setWide] = useState(wide.matches);
  useEffect(() => {
    const read = () => setWide(wide.matches);
    wide.addEventListener("change", read);
    return () => wide.removeEventListener("change", read);
  }, []);
  return isWide;
}
