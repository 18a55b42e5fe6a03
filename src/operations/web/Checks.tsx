import { useMutation } from '@tanstack/react-query'
import { ChevronRight, Play } from 'lucide-react'
import { messageOf } from '../../kit/web/apiError.ts'
import { Badge } from '../../kit/web/ui/Badge.tsx'
import { Button } from '../../kit/web/ui/Button.tsx'
import { Card } from '../../kit/web/ui/Card.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import { DateTime, RelativeTime } from '../../kit/web/ui/Values.tsx'
import type { Breach, Check, MoneyWatch, Operations } from '../contract.ts'
import { api, refreshOperations } from './calls.ts'
import { grouped, oneDecimal } from '../../kit/words.ts'

type Breaches = readonly Breach[]

/** An open breach that a look at recent changes has found, possibly after the last full run. */
const breachOf = ({ name }: Check, breaches: Breaches): Breach | undefined =>
  breaches.find(breach => breach.name === name && breach.endedAt === null)

export const isBroken = (check: Check, breaches: Breaches): boolean =>
  (check.last !== null && check.last.broken !== 0) || breachOf(check, breaches) !== undefined

/** Broken checks come first. */
const rank = (check: Check, breaches: Breaches) => (isBroken(check, breaches) ? 0 : check.last === null ? 1 : 2)

export const Checks = ({
  of: { checks, breaches, checkingSince, checksRunNextAt, moneyWatch },
}: {
  of: Operations
}) => (
  <Card
    flush
    title="Data checks"
    description={
      checkingSince ? (
        'Running now, in full.'
      ) : (
        <>
          Next full run <RelativeTime at={checksRunNextAt} />. <EveryMinute of={moneyWatch} />
        </>
      )
    }
    action={<RunNow running={checkingSince !== null} />}
  >
    <ul className="divide-y" aria-label="Data checks">
      {checks
        .toSorted((a, b) => rank(a, breaches) - rank(b, breaches))
        .map(check => (
          <CheckRow key={check.name} check={check} breach={breachOf(check, breaches)} />
        ))}
    </ul>
  </Card>
)

/** Checks of the money also run every minute, on what has changed. */
const EveryMinute = ({ of: watch }: { of: MoneyWatch | null }) => {
  if (!watch) return 'The money checks have not run on recent changes yet.'
  const { at, changes, tookMs, behind } = watch
  return (
    <>
      The money checks run on recent changes every minute: last <RelativeTime at={at} />, {grouped(changes)}{' '}
      {changes === 1 ? 'change' : 'changes'} in {durationOf(tookMs)}.
      {behind.length > 0 && ` Fell behind: ${behind.map(({ name }) => titleOf(name)).join(', ')}.`}
    </>
  )
}

const RunNow = ({ running }: { running: boolean }) => {
  const run = useMutation({
    mutationFn: () => api.runChecks(),
    onSuccess: () => notify.success('The checks are running in the background'),
    onError: error => notify.error(messageOf(error, 'Failed to start the checks')),
    onSettled: refreshOperations,
  })
  return (
    <Button variant="outline" disabled={running} loading={run.isPending} onClick={() => run.mutate()}>
      <Play aria-hidden /> Run now
    </Button>
  )
}

/** One line for each check. Pressing it shows what the check guarantees and when it ran; broken ones show it right away. */
const CheckRow = ({ check: { name, says, isOfMoney, last }, breach }: { check: Check; breach: Breach | undefined }) => (
  <li>
    <details open={breach !== undefined || (last !== null && last.broken !== 0)} className="group">
      <summary className="flex cursor-pointer list-none items-center gap-2 px-5 py-2 hover:bg-muted/50">
        <ChevronRight
          aria-hidden
          className="size-4 shrink-0 text-muted-foreground transition-transform group-open:rotate-90"
        />
        <span className="min-w-0 grow font-medium wrap-anywhere">{titleOf(name)}</span>
        <Result last={last} breach={breach} />
      </summary>
      <div className="grid gap-1 pt-1 pr-5 pb-3 pl-11">
        <p className="text-muted-foreground">{says}</p>
        {last && last.broken !== 0 ? (
          <Broken of={last} />
        ) : (
          breach && <Broken of={{ brokenSince: breach.foundAt, examples: breach.examples, error: null }} />
        )}
        <p className="text-xs text-muted-foreground">
          {isOfMoney
            ? 'Runs on changes every minute and on everything every night; a breach stops withdrawals.'
            : 'Runs every night.'}
        </p>
        {last && (
          <p className="text-xs text-muted-foreground">
            Run in full <RelativeTime at={last.at} />, in {durationOf(last.tookMs)}
          </p>
        )}
      </div>
    </details>
  </li>
)

type Last = NonNullable<Check['last']>

const Result = ({ last, breach }: { last: Last | null; breach: Breach | undefined }) => {
  if (breach && !last?.broken) return <Badge tone="red">Failed</Badge>
  if (!last) return <Badge tone="gray">Not run yet</Badge>
  if (last.broken === null) return <Badge tone="red">Could not run</Badge>
  return last.broken === 0 ? (
    <Badge tone="green">Passed</Badge>
  ) : (
    <Badge tone="red">Failed: {rowsOf(last.broken)}</Badge>
  )
}

const Broken = ({ of: { brokenSince, examples, error } }: { of: Pick<Last, 'brokenSince' | 'examples' | 'error'> }) => (
  <div className="grid gap-1">
    {brokenSince && (
      <p className="text-red-tone-foreground">
        Since <DateTime at={brokenSince} withTime />
      </p>
    )}
    {[...(error ? [error] : []), ...examples.map(rowWords)].map(line => (
      <BrokenRow key={line} of={line} />
    ))}
  </div>
)

/** `{"id":"…","off_cents":250}` → "id: …, off_cents: 250", which can wrap between its parts. */
export const rowWords = (json: string): string => {
  const row = Object.entries(JSON.parse(json) as Record<string, unknown>)
  return row
    .map(([column, value]) => `${column}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ')
}

export const BrokenRow = ({ of: text }: { of: string }) => (
  <pre className="rounded-md bg-muted px-3 py-2 text-xs text-foreground wrap-anywhere whitespace-pre-wrap">{text}</pre>
)

const most = 1000
export const rowsOf = (count: number) => (count > most ? `${most}+ rows` : `${count} ${count === 1 ? 'row' : 'rows'}`)

export const titleOf = (name: string) => {
  if (name === 'ndas') return 'NDAs'
  const words = name.replaceAll('-', ' ').replace('check in', 'check-in')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const durationOf = (ms: number) => (ms < 1000 ? `${ms} ms` : `${oneDecimal(ms / 1000)} s`)
