import { render } from "preact";
import { Shell } from "./shell/shell.tsx";

const root = document.getElementById("root");
if (root !== null) render(<Shell />, root);
