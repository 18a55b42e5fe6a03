import { useMutation } from '@tanstack/react-query'
import { Suspense, lazy, useState } from 'react'
import { Link } from 'react-router'
import { paths } from '../../kit/paths.ts'
import { messageOf } from '../../kit/web/apiError.ts'
import { Alert } from '../../kit/web/ui/Alert.tsx'
import { Button } from '../../kit/web/ui/Button.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import { DateTime, Money, RelativeTime } from '../../kit/web/ui/Values.tsx'
import { quoted } from '../../kit/words.ts'
import type { CampaignTester } from '../contract.ts'
import type { SeatObstacle } from '../terms.ts'
import { api, refreshTests } from './calls.ts'

const LeaveDialog = lazy(async () => ({ default: (await import('./LeaveDialog.tsx')).LeaveDialog }))

/** A place on the bench: the seat that is held for the tester comes first, then the place in the line. */
export const OnBench = ({ of: test }: { of: CampaignTester }) => {
  const accept = useMutation({
    mutationFn: () => api.acceptSeat({ params: { id: test.id } }),
    onSuccess: () => notify.success(`You joined ${quoted(test.campaign.title)}`),
    onError: error => notify.error(messageOf(error)),
    // Somebody else may have been faster, so the line has moved.
    onSettled: () => void refreshTests(),
  })
  const { bench, campaign, actions } = test
  const mayAccept = actions.includes('acceptSeat')
  if (!mayAccept && !bench?.obstacle) {
    return (
      <Alert title={bench?.line === 1 ? 'You are next' : `You are number ${bench?.line} in line`}>
        {bench?.takesNobody
          ? 'This campaign is not accepting testers at the moment. You keep your place in line;'
          : 'All seats are taken. When one opens up, it is held for the next tester in line for 24 hours;'}{' '}
        we will tell you when it is your turn. You can wait for several campaigns, and test others in the meantime.
      </Alert>
    )
  }
  return (
    <Alert tone={mayAccept ? 'green' : 'yellow'} title="A seat is free for you">
      {bench?.offerEndsAt ? (
        <p>
          It is held for you until <DateTime at={bench.offerEndsAt} withTime /> (
          <RelativeTime at={bench.offerEndsAt} />
          ), then it goes to the next tester.
        </p>
      ) : (
        <p>It is not held for you, so anyone can take it.</p>
      )}
      {bench?.obstacle && <Obstacle of={test} {...bench.obstacle} />}
      {mayAccept && (
        <Button className="mt-3" loading={accept.isPending} onClick={() => accept.mutate()}>
          Accept and earn <Money cents={campaign.payPerTesterCents} />
        </Button>
      )}
    </Alert>
  )
}

/** The address and the country are in the settings; open tests are on this screen. */
const isInSettings = (code: SeatObstacle) => code === 'EMAIL_NOT_CONFIRMED' || code === 'DEVICE_DOES_NOT_FIT'

type ObstacleProps = { of: CampaignTester; code: SeatObstacle; message: string }

/** In place of the button that accepts. Whoever lets a held seat go need not leave the next tester waiting for it. */
const Obstacle = ({ of: test, code, message }: ObstacleProps) => {
  const [leaving, setLeaving] = useState(false)
  return (
    <>
      <p className="mt-2 wrap-anywhere">
        {message}
        {isInSettings(code) && (
          <>
            {' '}
            <Link to={paths.settings} className="font-medium underline underline-offset-4">
              Open Settings
            </Link>
          </>
        )}
      </p>
      {test.bench?.offerEndsAt && (
        <Button variant="outline" className="mt-3" onClick={() => setLeaving(true)}>
          Let the seat go
        </Button>
      )}
      {leaving && (
        <Suspense>
          <LeaveDialog of={test} open onOpenChange={setLeaving} />
        </Suspense>
      )}
    </>
  )
}
