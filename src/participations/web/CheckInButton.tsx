import { useMutation } from '@tanstack/react-query'
import { messageOf } from '../../kit/web/apiError.ts'
import { Button } from '../../kit/web/ui/Button.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import { api, refreshTests } from './calls.ts'

type Props = { testId: string; title: string; onDone: () => Promise<unknown> }

/**
 * Checks in for today with one press, outside the test's own screen. Calls `onDone` after a refusal as well: the screen is out of
 * date then.
 */
export const CheckInButton = ({ testId, title, onDone }: Props) => {
  const checkIn = useMutation({
    mutationFn: () => api.checkIn({ params: { id: testId }, body: null }),
    onSuccess: () => notify.success('Checked in'),
    onError: error => notify.error(messageOf(error)),
    onSettled: () => Promise.all([refreshTests(), onDone()]),
  })
  return (
    <Button size="sm" loading={checkIn.isPending} onClick={() => checkIn.mutate()}>
      Check in
      <span className="sr-only"> to {title}</span>
    </Button>
  )
}
