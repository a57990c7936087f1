// A QR code. Its library is loaded when the first code is shown.

import { useEffect, useState } from "preact/hooks";

export interface QrCodeProps {
  readonly text: string;
  /** A description of the code for screen readers. */
  readonly label: string;
}

/** Shows the text as a QR code, dark on light in every colour scheme, as cameras expect. Shows nothing until it is loaded. */
export function QrCode({ text, label }: QrCodeProps) {
  const [rows, setRows] = useState<readonly (readonly boolean[])[]>();
  useEffect(() => {
    setRows(undefined);
    // without the library the text beside the code suffices
    import("./qr-rows.ts").then(
      ({ encodeRows }) => setRows(encodeRows(text)),
      () => {},
    );
  }, [text]);
  if (rows === undefined) return null;
  const path = rows.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ""))).join("");
  return (
    <svg
      class="qr"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      shape-rendering="crispEdges"
    >
      <rect width={rows.length} height={rows.length} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
