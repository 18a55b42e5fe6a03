import { type ReactNode, useEffect, useSyncExternalStore } from 'react'
import { formatCents } from '../../kit/money.ts'
import { useOffline } from '../../kit/web/offline.ts'
import { singleKeys } from '../../kit/web/screenKeys.ts'
import { Button } from '../../kit/web/ui/Button.tsx'
import { Spinner } from '../../kit/web/ui/Spinner.tsx'
import type { Campaign } from '../../campaigns/contract.ts'
import type { CampaignTester } from '../contract.ts'
import { maxChangeRequests } from '../terms.ts'
import { useCountdown } from './countdown.ts'
import { type Verifying as OneVerifying, verifications, whom } from './verifications.ts'

type Props = {
  campaign: Campaign
  /** The proof on the desk, if any is left. */
  open: CampaignTester | undefined
  onVerify: () => void
  onChanges: () => void
  onReject: () => void
  onUndo: () => void
}

/** Stays at the bottom edge, above a phone's navigation, wherever the reader has scrolled. */
export const DecisionBar = ({ campaign, open, onUndo, ...decisions }: Props) => {
  const all = useSyncExternalStore(verifications.subscribe, verifications.all)
  if (!open && all.length === 0) return null
  return (
    <section
      aria-label="Decision"
      className="sticky bottom-[calc(4rem+1px+env(safe-area-inset-bottom))] z-10 -mx-4 mt-5 grid gap-3 border-t bg-card px-4 py-3 shadow-raised md:bottom-4 md:mx-0 md:rounded-xl md:border md:px-5"
    >
      {/* Present from the start, so that a verification and its failure are announced. */}
      <div role="status" className="grid gap-3 empty:sr-only">
        {all.length > 0 && <Verifying onUndo={onUndo} />}
      </div>
      {open && <Decisions campaign={campaign} open={open} {...decisions} />}
    </section>
  )
}

const Verifying = ({ onUndo }: { onUndo: () => void }) => {
  const all = useSyncExternalStore(verifications.subscribe, verifications.all)
  const failed = all.filter(({ step }) => step === 'FAILED')
  const underWay = all.filter(({ step }) => step !== 'FAILED')
  const offline = useOffline()
  // If its button disappears while it has the focus, no blur event follows.
  useEffect(() => () => verifications.hold(false), [])
  return (
    <>
      {failed.length > 0 && (
        <Line
          text={
            offline
              ? `No connection. ${whomOf(failed)} will be verified when you are back online.`
              : `${whomOf(failed)} could not be verified yet. The server did not answer.`
          }
        >
          <Button variant="outline" size="sm" onClick={verifications.retry}>
            Try Again
          </Button>
        </Line>
      )}
      {underWay.length > 0 && <UnderWay of={underWay} offline={offline} onUndo={onUndo} />}
    </>
  )
}

const whomOf = (some: readonly OneVerifying[]) => whom({ aliases: some.flatMap(({ aliases }) => aliases) })

type UnderWayProps = { of: readonly OneVerifying[]; offline: boolean; onUndo: () => void }

/** Verifications that can still be undone, also while others have failed. */
const UnderWay = ({ of: all, offline, onUndo }: UnderWayProps) => {
  const last = all.findLast(({ step }) => step === 'WAITING')
  if (!last) {
    return (
      <Line
        text={
          <>
            <Spinner /> Verifying {whom(all.at(-1)!)} …
          </>
        }
      />
    )
  }
  const others = all.length - 1
  return (
    <Line
      text={
        <>
          Verifying {whom(last)} <When of={last} offline={offline} />
          {others > 0 && <span className="text-muted-foreground"> and {others} before</span>}
        </>
      }
    >
      <Button
        variant="outline"
        size="sm"
        aria-keyshortcuts="u"
        onFocus={() => verifications.hold(true)}
        onBlur={() => verifications.hold(false)}
        onClick={() => {
          verifications.hold(false)
          onUndo()
        }}
      >
        Undo<span className="sr-only"> the verification of {whom(last)}</span> <KeyHint>U</KeyHint>
      </Button>
    </Line>
  )
}

const When = ({ of: { sendsAt }, offline }: { of: OneVerifying; offline: boolean }) => {
  if (offline) return <span>when you are back online</span>
  if (sendsAt === null) return <span className="text-muted-foreground">(paused)</span>
  return <Countdown key={sendsAt} to={sendsAt} />
}

const Countdown = ({ to }: { to: number }) => {
  const seconds = useCountdown(to)
  // Announced only once, when the time to undo begins.
  return (
    <span aria-hidden className="tabular-nums">
      in {seconds} s
    </span>
  )
}

const Line = ({ text, children }: { text: ReactNode; children?: ReactNode }) => (
  <div className="flex min-h-9 items-center justify-between gap-3 md:min-h-8">
    <p className="flex min-w-0 flex-wrap items-center gap-x-1.5 font-medium">{text}</p>
    {children}
  </div>
)

const KeyHint = ({ children }: { children: string }) =>
  singleKeys.on() && (
    <kbd aria-hidden className="hidden rounded border border-current px-1 font-sans text-xs pointer-fine:md:inline">
      {children}
    </kbd>
  )

const Decisions = ({
  campaign,
  open,
  onVerify,
  onChanges,
  onReject,
}: Omit<Props, 'onUndo' | 'open'> & { open: CampaignTester }) => {
  const { actions, changesRequested, alias } = open
  if (!actions.includes('verify')) return <p className="text-muted-foreground">This proof is decided.</p>
  return (
    <div className="grid gap-2">
      <div className="grid grid-cols-2 gap-2 md:flex md:flex-wrap md:items-center">
        {actions.includes('verify') && (
          <Button
            className="col-span-2 max-md:h-11"
            aria-keyshortcuts="v"
            // The second click of a double click would decide the next proof.
            onClick={event => event.detail < 2 && onVerify()}
          >
            Verify and pay {formatCents(campaign.payPerTesterCents)}
            <span className="sr-only"> to {alias}</span> <KeyHint>V</KeyHint>
          </Button>
        )}
        {actions.includes('requestChanges') && (
          <Button variant="outline" aria-keyshortcuts="c" onClick={onChanges}>
            Request changes <KeyHint>C</KeyHint>
          </Button>
        )}
        {actions.includes('reject') && (
          <Button variant="ghost" aria-keyshortcuts="r" onClick={onReject}>
            Reject <KeyHint>R</KeyHint>
          </Button>
        )}
      </div>
      {!actions.includes('requestChanges') && changesRequested >= maxChangeRequests && (
        <p className="text-xs text-muted-foreground">
          Changes were requested {maxChangeRequests} times, which is the limit. Verify
          {actions.includes('reject') && ' or reject'} this proof.
        </p>
      )}
    </div>
  )
}
