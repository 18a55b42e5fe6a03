import { useMutation } from '@tanstack/react-query'
import { ChevronRight, Play } from 'lucide-react'
import { Badge } from '../../kit/web/ui/Badge.tsx'
import { Button } from '../../kit/web/ui/Button.tsx'
import { Card } from '../../kit/web/ui/Card.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import { RelativeTime } from '../../kit/web/ui/Values.tsx'
import type { Check, Operations } from '../contract.ts'
import { api, refreshOperations } from './calls.ts'

/** What is wrong comes first. */
const rank = ({ last }: Check) => (last === null ? 1 : last.broken === 0 ? 2 : 0)

export const Checks = ({ of: { checks, checkingSince, checksRunNextAt } }: { of: Operations }) => (
  <Card
    flush
    title="Checks of the data"
    description={
      checkingSince ? (
        'Running now.'
      ) : (
        <>
          Next by themselves <RelativeTime at={checksRunNextAt} />.
        </>
      )
    }
    action={<RunNow running={checkingSince !== null} />}
  >
    <ul className="divide-y" aria-label="Checks of the data">
      {checks
        .toSorted((a, b) => rank(a) - rank(b))
        .map(check => (
          <CheckRow key={check.name} check={check} />
        ))}
    </ul>
  </Card>
)

const RunNow = ({ running }: { running: boolean }) => {
  const run = useMutation({
    mutationFn: () => api.runChecks(),
    onSuccess: () => {
      notify.success('The checks are run in the background')
      return refreshOperations()
    },
    onError: () => notify.error('Failed to start the checks'),
  })
  return (
    <Button variant="outline" disabled={running} loading={run.isPending} onClick={() => run.mutate()}>
      <Play aria-hidden /> Run now
    </Button>
  )
}

/** A line for what holds; what it holds and when it was run on a press, and at once for what is broken. */
const CheckRow = ({ check: { name, says, last } }: { check: Check }) => (
  <li>
    <details open={last !== null && last.broken !== 0} className="group">
      <summary className="flex cursor-pointer list-none items-center gap-2 px-5 py-2 hover:bg-muted/50">
        <ChevronRight
          aria-hidden
          className="size-4 shrink-0 text-muted-foreground transition-transform group-open:rotate-90"
        />
        <span className="min-w-0 grow font-medium wrap-anywhere">{titleOf(name)}</span>
        <Result last={last} />
      </summary>
      <div className="grid gap-1 pt-1 pr-5 pb-3 pl-11">
        <p className="text-muted-foreground">{says}</p>
        {last && last.broken !== 0 && <Broken last={last} />}
        {last && (
          <p className="text-xs text-muted-foreground">
            Run <RelativeTime at={last.at} />, in {durationOf(last.tookMs)}
          </p>
        )}
      </div>
    </details>
  </li>
)

type Last = NonNullable<Check['last']>

const Result = ({ last }: { last: Last | null }) => {
  if (!last) return <Badge tone="gray">Not run yet</Badge>
  if (last.broken === null) return <Badge tone="red">Could not be run</Badge>
  return last.broken === 0 ? <Badge tone="green">Holds</Badge> : <Badge tone="red">{rowsOf(last.broken)} broken</Badge>
}

const Broken = ({ last: { brokenSince, examples, error } }: { last: Last }) => (
  <div className="grid gap-1">
    {brokenSince && (
      <p className="text-red-tone-foreground">
        Since <RelativeTime at={brokenSince} />
      </p>
    )}
    {[...(error ? [error] : []), ...examples].map(line => (
      <pre key={line} className="rounded-md bg-muted px-3 py-2 text-xs wrap-anywhere whitespace-pre-wrap">
        {line}
      </pre>
    ))}
  </div>
)

const most = 1000
const rowsOf = (count: number) => (count > most ? `${most}+ rows` : `${count} ${count === 1 ? 'row' : 'rows'}`)

const titleOf = (name: string) => {
  if (name === 'ndas') return 'NDAs'
  const words = name.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const inSeconds = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 })
const durationOf = (ms: number) => (ms < 1000 ? `${ms} ms` : `${inSeconds.format(ms / 1000)} s`)
