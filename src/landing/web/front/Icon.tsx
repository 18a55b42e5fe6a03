import {
  Check,
  ChevronDown,
  CircleAlert,
  Lock,
  type LucideIcon,
  Mail,
  Menu,
  ShieldCheck,
  Smartphone,
  X,
} from 'lucide-react'

const icons = {
  check: Check,
  down: ChevronDown,
  alert: CircleAlert,
  lock: Lock,
  mail: Mail,
  menu: Menu,
  shield: ShieldCheck,
  phone: Smartphone,
  close: X,
} satisfies Record<string, LucideIcon>

export type IconName = keyof typeof icons

/** References a symbol in `IconSprite`, so that each icon is in the page only once. */
export const Icon = ({ name, className }: { name: IconName; className: string }) => (
  <svg aria-hidden className={`icon ${className}`}>
    <use href={`#i-${name}`} />
  </svg>
)

/** The logo of public/favicon.svg, inlined to save a request. */
export const BrandMark = () => (
  <span className="inline-flex items-center gap-2 text-base font-semibold tracking-tight">
    <svg aria-hidden className="size-6">
      <use href="#mark" />
    </svg>
    Fieldtest
  </span>
)

/** The symbols behind `Icon` and `BrandMark`. */
export const IconSprite = () => (
  <svg aria-hidden className="hidden">
    <symbol id="mark" viewBox="0 0 32 32">
      <rect width="32" height="32" rx="8" fill="#0e5a4a" />
      <path
        d="M10 24V8.5h12M10 16h8.5"
        fill="none"
        stroke="#fff"
        strokeWidth="3.2"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <circle cx="22.6" cy="22.6" r="2.6" fill="#f5b740" />
    </symbol>
    {Object.entries(icons).map(([name, Drawing]) => (
      <symbol key={name} id={`i-${name}`} viewBox="0 0 24 24">
        <Drawing strokeWidth="inherit" fill="inherit" />
      </symbol>
    ))}
  </svg>
)
