import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../../kit/web/apiError.ts'
import { Alert } from '../../kit/web/ui/Alert.tsx'
import { Button } from '../../kit/web/ui/Button.tsx'
import { Card } from '../../kit/web/ui/Card.tsx'
import { FieldFrame } from '../../kit/web/ui/FieldFrame.tsx'
import { Textarea } from '../../kit/web/ui/Input.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import type { Bug } from '../contract.ts'
import { longest, type RetestResult } from '../terms.ts'
import { api, refreshBugs } from './calls.ts'

/** Asks the reporter whether it works now. */
export const RetestCard = ({ bug: { id, retest } }: { bug: Bug }) => {
  const [note, setNote] = useState('')
  const answer = useMutation({
    mutationFn: (result: RetestResult) =>
      api.retest({ params: { id }, body: { result, ...(note.trim() && { note }) } }),
    onSuccess: async (_, result) => {
      notify.success(
        result === 'WORKS' ? 'Thank you. We have told the developer.' : 'Thank you. The bug is open again.',
      )
      await refreshBugs()
    },
  })
  const sending = (result: RetestResult) => answer.isPending && answer.variables === result
  return (
    <Card
      title="Does it work now?"
      description={
        <span className="wrap-anywhere">
          The developer says that it is fixed in version {retest?.version}. Update the app and try the same steps again.
        </span>
      }
    >
      <div className="grid max-w-xl gap-4">
        <FieldFrame label="What you found" aside="Optional">
          {wiring => (
            <Textarea
              {...wiring}
              rows={2}
              maxLength={longest.note}
              value={note}
              onChange={({ target }) => setNote(target.value)}
            />
          )}
        </FieldFrame>
        {answer.error && (
          <Alert tone="red">{messageOf(answer.error, 'Your answer could not be sent. Try again.')}</Alert>
        )}
        <div className="flex flex-wrap gap-2">
          <Button disabled={sending('STILL_BROKEN')} loading={sending('WORKS')} onClick={() => answer.mutate('WORKS')}>
            Works now
          </Button>
          <Button
            variant="outline"
            disabled={sending('WORKS')}
            loading={sending('STILL_BROKEN')}
            onClick={() => answer.mutate('STILL_BROKEN')}
          >
            Still broken
          </Button>
        </div>
      </div>
    </Card>
  )
}
