// Icons, of which the build includes only those named here.

import {
  AtSign,
  BadgeCheck,
  Bell,
  BookOpen,
  ChartColumn,
  Check,
  ChevronDown,
  ChevronRight,
  CircleAlert,
  Clock,
  Copy,
  Download,
  FlaskConical,
  HeartPulse,
  KeyRound,
  Menu,
  MessageSquareText,
  Phone,
  Play,
  Printer,
  RadioTower,
  ScrollText,
  Search,
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
  alert: Bell,
  audit: ScrollText,
  calls: Phone,
  carriers: RadioTower,
  check: Check,
  clock: Clock,
  close: X,
  copy: Copy,
  down: ChevronDown,
  download: Download,
  email: AtSign,
  error: CircleAlert,
  health: HeartPulse,
  keys: KeyRound,
  menu: Menu,
  merchants: Store,
  messages: MessageSquareText,
  next: ChevronRight,
  operations: Play,
  overview: ChartColumn,
  print: Printer,
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
