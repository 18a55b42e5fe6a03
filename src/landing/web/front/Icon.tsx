import {
  BadgeCheck,
  Bug,
  Check,
  ChevronDown,
  CircleAlert,
  Lock,
  type LucideIcon,
  Mail,
  Menu,
  MessageSquareText,
  ShieldCheck,
  Smartphone,
  Star,
  X,
} from 'lucide-react'

const icons = {
  badge: BadgeCheck,
  bug: Bug,
  check: Check,
  down: ChevronDown,
  alert: CircleAlert,
  lock: Lock,
  mail: Mail,
  menu: Menu,
  message: MessageSquareText,
  shield: ShieldCheck,
  phone: Smartphone,
  star: Star,
  close: X,
} satisfies Record<string, LucideIcon>

export type IconName = keyof typeof icons

/** Drawn once in the page and named where it is used: the page comes in one round trip, and every byte of it counts. */
export const Icon = ({ name, className }: { name: IconName; className: string }) => (
  <svg aria-hidden className={`icon ${className}`}>
    <use href={`#i-${name}`} />
  </svg>
)

/** The drawings behind `Icon`. */
export const IconSheet = () => (
  <svg aria-hidden className="hidden">
    {Object.entries(icons).map(([name, Drawing]) => (
      <symbol key={name} id={`i-${name}`} viewBox="0 0 24 24">
        <Drawing strokeWidth="inherit" fill="inherit" />
      </symbol>
    ))}
  </svg>
)
