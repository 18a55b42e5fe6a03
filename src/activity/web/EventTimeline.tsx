import { clsx } from 'clsx'
import {
  Ban,
  Check,
  CircleDollarSign,
  CirclePause,
  CirclePlay,
  CircleQuestionMark,
  Download,
  FileCheck,
  Link2,
  ListChecks,
  LogOut,
  type LucideIcon,
  PencilLine,
  Plus,
  RotateCcw,
  Scale,
  Send,
  TimerOff,
  UserPlus,
  X,
} from 'lucide-react'
import { Link } from 'react-router'
import { Money, RelativeTime } from '../../kit/web/ui/Values.tsx'
import type { AccessMode } from '../../campaigns/terms.ts'
import type { CampaignEvent, CampaignEventKind } from '../contract.ts'
import { type EventReader, type EventTone, eventTitle, eventTone, isOwnMoney } from './eventWords.ts'

const icons: Record<CampaignEventKind, LucideIcon> = {
  CREATED: Plus,
  EDITED: PencilLine,
  PAID: CircleDollarSign,
  PAYMENT_DECLINED: X,
  SUBMITTED: Send,
  APPROVED: Check,
  REJECTED: X,
  STARTED: CirclePlay,
  PAUSED: CirclePause,
  RESUMED: CirclePlay,
  LINK_REQUESTED: Link2,
  LINK_WITHDRAWN: RotateCcw,
  LINK_APPROVED: Check,
  LINK_REJECTED: X,
  LIST_EXPORTED: Download,
  LIST_CONFIRMED: ListChecks,
  FORM_SAVED: ListChecks,
  APPLIED: Send,
  SEAT_CLOSED: X,
  REFUNDED: RotateCcw,
  COMPLETED: Check,
  CANCELLED: Ban,
  TESTER_JOINED: UserPlus,
  TESTER_LISTED: ListChecks,
  TESTER_NOT_LET_IN: CircleQuestionMark,
  TESTER_OPTED_IN: Check,
  TESTER_OPTED_OUT: LogOut,
  OPT_IN_CONTESTED: CircleQuestionMark,
  OPT_IN_CLEARED: Check,
  OPT_IN_VOIDED: X,
  PROOF_SUBMITTED: FileCheck,
  CHANGES_REQUESTED: PencilLine,
  TESTER_VERIFIED: Check,
  TESTER_REJECTED: X,
  TESTER_APPEALED: Scale,
  APPEAL_GRANTED: Check,
  GOODWILL_PAID: Check,
  REJECTION_UPHELD: X,
  REJECTION_FINAL: X,
  TESTER_LEFT: LogOut,
  TESTER_DROPPED: TimerOff,
  TESTER_CANCELLED: Ban,
  CONSENT_ASKED: Scale,
  CONSENT_GIVEN: Check,
  CONSENT_REFUSED: X,
  CONSENT_LAPSED: TimerOff,
}

const toneStyles: Record<EventTone, string> = {
  neutral: 'bg-neutral-tone text-neutral-tone-foreground',
  green: 'bg-green-tone text-green-tone-foreground',
  blue: 'bg-blue-tone text-blue-tone-foreground',
  yellow: 'bg-yellow-tone text-yellow-tone-foreground',
  red: 'bg-red-tone text-red-tone-foreground',
}

type Props = {
  events: readonly CampaignEvent[]
  reader: EventReader
  /** The campaign's. */
  mode?: AccessMode | undefined
  /** Links an amount to its transactions. */
  moneyTo?: string | undefined
}

/** Events on a timeline, newest first. */
export const EventTimeline = ({ events, ...reading }: Props) => (
  <ol>
    {events.map((event, index) => (
      <Line key={event.id} event={event} last={index === events.length - 1} {...reading} />
    ))}
  </ol>
)

const Line = ({
  event,
  last,
  reader,
  mode,
  moneyTo,
}: Omit<Props, 'events'> & { event: CampaignEvent; last: boolean }) => {
  // A newer server may know more kinds.
  const Icon = Object.hasOwn(icons, event.kind) ? icons[event.kind] : CircleQuestionMark
  return (
    <li className="relative flex gap-3 pb-5 last:pb-0">
      {!last && <span aria-hidden className="absolute top-8 bottom-1 left-3.5 w-px bg-border" />}
      <span
        aria-hidden
        className={clsx(
          'grid size-7 shrink-0 place-items-center rounded-full [&_svg]:size-3.5',
          toneStyles[eventTone(event)],
        )}
      >
        <Icon />
      </span>
      <div className="min-w-0 flex-1 pt-1">
        <div className="flex items-baseline justify-between gap-x-4">
          <p className="min-w-0 font-medium wrap-anywhere">
            {eventTitle(event, reader, mode)}
            {event.amountCents !== null && (
              <Amount cents={event.amountCents} to={isOwnMoney(event, reader) ? moneyTo : undefined} />
            )}
          </p>
          <p className="shrink-0 text-xs text-muted-foreground">
            <RelativeTime at={event.at} />
          </p>
        </div>
        {event.link && <p className="text-muted-foreground wrap-anywhere">{event.link}</p>}
        {event.reason && (
          <p className="mt-1 max-w-prose border-l-2 pl-3 whitespace-pre-line text-muted-foreground wrap-anywhere">
            {event.reason}
          </p>
        )}
      </div>
    </li>
  )
}

const Amount = ({ cents, to }: { cents: number; to: string | undefined }) => (
  <>
    {' · '}
    {to ? (
      <Link to={to} className="text-link underline-offset-4 hover:underline">
        <Money cents={cents} />
      </Link>
    ) : (
      <Money cents={cents} />
    )}
  </>
)
