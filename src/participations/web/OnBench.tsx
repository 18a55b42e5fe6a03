import { useMutation } from '@tanstack/react-query'
import { messageOf } from '../../kit/web/apiError.ts'
import { Alert } from '../../kit/web/ui/Alert.tsx'
import { Button } from '../../kit/web/ui/Button.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import { DateTime, Money, RelativeTime } from '../../kit/web/ui/Values.tsx'
import { quoted } from '../../kit/words.ts'
import type { CampaignTester } from '../contract.ts'
import { api, refreshTests } from './calls.ts'

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
  if (!mayAccept && !bench?.keptByLimit) {
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
      {mayAccept ? (
        <Button className="mt-3" loading={accept.isPending} onClick={() => accept.mutate()}>
          Accept and earn <Money cents={campaign.payPerTesterCents} />
        </Button>
      ) : (
        <p>You have reached the limit of open tests. Finish or leave one to accept this seat.</p>
      )}
    </Alert>
  )
}
