/** What the developer can do about a tester's opt-in: remind of the next step, and contest it. */
import { useMutation } from '@tanstack/react-query'
import { Suspense, lazy, useState } from 'react'
import { dayIn } from '../../kit/clock.ts'
import { messageOf } from '../../kit/web/apiError.ts'
import { useNow } from '../../kit/web/now.ts'
import { Badge } from '../../kit/web/ui/Badge.tsx'
import { Button } from '../../kit/web/ui/Button.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import type { CampaignTester } from '../contract.ts'
import { api, refreshTests } from './calls.ts'

const ContestDialog = lazy(async () => ({ default: (await import('./ContestDialog.tsx')).ContestDialog }))

/** Once a day; afterwards it says so. Renders nothing if there is nothing to remind the tester of. */
export const NudgeButton = ({ of: { id, alias, actions, nudgedAt, timeZone } }: { of: CampaignTester }) => {
  const now = useNow()
  const nudge = useMutation({
    mutationFn: () => api.nudge({ params: { id } }),
    onSuccess: async () => {
      notify.success(`${alias} was reminded`)
      await refreshTests()
    },
    onError: error => {
      notify.error(messageOf(error, 'Failed to send the reminder'))
      void refreshTests()
    },
  })
  if (actions.includes('nudge')) {
    return (
      <Button variant="outline" size="sm" loading={nudge.isPending} onClick={() => nudge.mutate()}>
        Remind<span className="sr-only"> {alias} of the next step</span>
      </Button>
    )
  }
  const today = nudgedAt !== null && dayIn(timeZone, nudgedAt) >= dayIn(timeZone, now)
  return today ? <Badge tone="gray">Reminded today</Badge> : null
}

/** Contesting an opt-in, once for each: the button, or the state of the contest. */
export const ContestOptIn = ({ of: tester }: { of: CampaignTester }) => {
  const [asking, setAsking] = useState(false)
  return (
    <>
      <HowContested of={tester} onAsk={() => setAsking(true)} />
      {/* Also when it cannot be contested any more: what is typed stays, and the answer says why. */}
      {asking && (
        <Suspense>
          <ContestDialog of={tester} onClose={() => setAsking(false)} />
        </Suspense>
      )}
    </>
  )
}

const HowContested = ({ of: { run, actions, alias }, onAsk }: { of: CampaignTester; onAsk: () => void }) => {
  if (run?.contest)
    return run.contest.endedAt === null ? (
      <Badge tone="yellow">Opt-in contested</Badge>
    ) : (
      <Badge tone="gray">Contested opt-in counts</Badge>
    )
  if (!actions.includes('contestOptIn')) return null
  return (
    <Button variant="ghost" size="sm" onClick={onAsk}>
      Contest opt-in<span className="sr-only"> of {alias}</span>
    </Button>
  )
}
