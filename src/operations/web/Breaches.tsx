/** Errors found in the money. Each stops withdrawals until an admin records why they can resume. */
import { Play } from 'lucide-react'
import { type ComponentType, lazy, Suspense, useState } from 'react'
import { Alert } from '../../kit/web/ui/Alert.tsx'
import { Button } from '../../kit/web/ui/Button.tsx'
import { Card } from '../../kit/web/ui/Card.tsx'
import { Money, RelativeTime } from '../../kit/web/ui/Values.tsx'
import { WhileLoading } from '../../kit/web/ui/WhileLoading.tsx'
import type { Breach } from '../contract.ts'
import { BrokenRow, rowsOf, rowWords, titleOf } from './Checks.tsx'

const GoOnDialog: ComponentType<{ breachIds: string[]; onClose: () => void }> = lazy(async () => ({
  default: (await import('./GoOnDialog.tsx')).GoOnDialog,
}))

export const StoppedBanner = ({ of: breaches }: { of: readonly Breach[] }) => {
  const stopping = breaches.filter(({ accepted }) => accepted === null)
  const since = stopping.map(({ foundAt }) => foundAt).toSorted()[0]
  if (since === undefined) return null
  return (
    <Alert tone="red" title="Withdrawals are stopped">
      <p>
        A check of the books failed <RelativeTime at={since} />. New withdrawals are refused, pending ones are on hold,
        and everything else continues. Find out what wrote these rows, and do not correct them by hand. Once you know
        the cause, record here why it is safe to resume withdrawals.
      </p>
      <ul className="my-2 grid gap-2" aria-label="What was found">
        {stopping.map(breach => (
          <li key={breach.id}>
            <Found of={breach} />
          </li>
        ))}
      </ul>
      <GoOn breachIds={stopping.map(({ id }) => id)} />
    </Alert>
  )
}

const GoOn = ({ breachIds }: { breachIds: string[] }) => {
  const [asks, setAsks] = useState(false)
  return (
    <>
      <Button variant="outline" onClick={() => setAsks(true)}>
        <Play aria-hidden /> Resume withdrawals
      </Button>
      {asks && (
        <Suspense fallback={<WhileLoading onGiveUp={() => setAsks(false)} />}>
          <GoOnDialog breachIds={breachIds} onClose={() => setAsks(false)} />
        </Suspense>
      )}
    </>
  )
}

const Found = ({ of: { name, rows, offCents, endedAt, examples } }: { of: Breach }) => (
  <>
    <p>
      <strong>{titleOf(name)}</strong>: {rowsOf(rows)}
      {offCents > 0 && (
        <>
          , off by <Money cents={offCents} />
        </>
      )}
      {endedAt && (
        <>
          ; resolved <RelativeTime at={endedAt} />
        </>
      )}
      .
    </p>
    {examples.map(rowWords).map(line => (
      <div key={line} className="mt-1">
        <BrokenRow of={line} />
      </div>
    ))}
  </>
)

/** Accepted breaches, with who accepted them and why. */
export const Breaches = ({ of: breaches }: { of: readonly Breach[] }) => {
  const past = breaches.filter(({ accepted }) => accepted !== null)
  if (past.length === 0) return null
  return (
    <Card flush title="Past withdrawal stops" description="Why withdrawals were stopped, and why they resumed.">
      <ul className="divide-y" aria-label="Past withdrawal stops">
        {past.map(breach => (
          <li key={breach.id} className="grid gap-1 px-5 py-3">
            <Found of={{ ...breach, examples: [] }} />
            <p className="wrap-anywhere whitespace-pre-line">{breach.accepted!.reason}</p>
            <p className="text-xs text-muted-foreground">
              Found <RelativeTime at={breach.foundAt} />; {breach.accepted!.by} resumed withdrawals{' '}
              <RelativeTime at={breach.accepted!.at} />.{breach.endedAt === null && ' The check still fails.'}
            </p>
          </li>
        ))}
      </ul>
    </Card>
  )
}
