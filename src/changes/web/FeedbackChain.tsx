import { useMutation } from '@tanstack/react-query'
import { messageOf } from '../../kit/web/apiError.ts'
import { Alert } from '../../kit/web/ui/Alert.tsx'
import { Badge } from '../../kit/web/ui/Badge.tsx'
import { Button } from '../../kit/web/ui/Button.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import { quoted } from '../../kit/words.ts'
import type { RetestResult } from '../../bugs/terms.ts'
import type { ChangeEntry } from '../contract.ts'
import { api, refreshChanges } from './calls.ts'

/** The feedback that a change answers, and what each tester who gave it has found. */
export const FeedbackChain = ({ of: { id, feedback } }: { of: ChangeEntry }) => (
  <>
    <ul className="mt-1.5 grid gap-1.5" aria-label="Feedback it addresses">
      {feedback.map((each, index) => (
        <li key={index} className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="min-w-0 text-muted-foreground wrap-anywhere">
            Addresses {quoted(each.quote)} <span className="text-xs">({each.question})</span>
          </span>
          <Found of={each} />
          {each.note && <span className="wrap-anywhere">{quoted(each.note)}</span>}
        </li>
      ))}
    </ul>
    {feedback.some(({ own, open }) => own && open) && <Retest changeId={id} />}
  </>
)

const Found = ({ of: { alias, own, result, open } }: { of: ChangeEntry['feedback'][number] }) => {
  const who = own ? 'You' : alias
  if (result === 'WORKS') return <Badge tone="green">{who}: works now</Badge>
  if (result === 'STILL_BROKEN') return <Badge tone="red">{who}: still broken</Badge>
  return <Badge tone="outline">{`${who}: ${open ? 'not tested yet' : 'no longer asked'}`}</Badge>
}

/** One answer covers all of the tester's own feedback that the change answers. */
const Retest = ({ changeId }: { changeId: string }) => {
  const answer = useMutation({
    mutationFn: (result: RetestResult) => api.retest({ params: { id: changeId }, body: { result } }),
    onSuccess: async () => {
      notify.success('Thank you. We have told the developer.')
      await refreshChanges()
    },
  })
  const sending = (result: RetestResult) => answer.isPending && answer.variables === result
  return (
    <div className="mt-2 grid gap-2">
      <p>Update the app and look again: does it work now?</p>
      {answer.error && <Alert tone="red">{messageOf(answer.error, 'Your answer could not be sent. Try again.')}</Alert>}
      <div className="flex flex-wrap gap-2">
        <Button
          size="sm"
          disabled={sending('STILL_BROKEN')}
          loading={sending('WORKS')}
          onClick={() => answer.mutate('WORKS')}
        >
          Works now
        </Button>
        <Button
          size="sm"
          variant="outline"
          disabled={sending('WORKS')}
          loading={sending('STILL_BROKEN')}
          onClick={() => answer.mutate('STILL_BROKEN')}
        >
          Still broken
        </Button>
      </div>
    </div>
  )
}
