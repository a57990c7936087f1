// Icons, of which the build includes only those named here.

import {
  BadgeCheck,
  BookOpen,
  ChartColumn,
  ChevronDown,
  Download,
  FlaskConical,
  HeartPulse,
  KeyRound,
  Menu,
  MessageSquareText,
  Phone,
  Play,
  RadioTower,
  ScrollText,
  Search,
  Server,
  Store,
  TriangleAlert,
  User,
  Users,
  Voicemail,
  Waypoints,
  Webhook,
  X,
} from "lucide";
import { createElement } from "preact";

const icons = {
  audit: ScrollText,
  calls: Phone,
  carriers: RadioTower,
  close: X,
  down: ChevronDown,
  download: Download,
  health: HeartPulse,
  installation: Server,
  keys: KeyRound,
  menu: Menu,
  merchants: Store,
  messages: MessageSquareText,
  operations: Play,
  overview: ChartColumn,
  recipients: User,
  reference: BookOpen,
  registration: BadgeCheck,
  requests: Waypoints,
  search: Search,
  simulator: FlaskConical,
  users: Users,
  voice: Voicemail,
  warning: TriangleAlert,
  webhooks: Webhook,
} satisfies Record<string, unknown>;

export type IconName = keyof typeof icons;

/** An icon beside a text that says the same, so screen readers skip it. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg
      class="icon"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="2"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      {icons[name].map(([tag, attributes]) => createElement(tag, attributes))}
    </svg>
  );
}
