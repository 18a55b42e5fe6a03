import { useState } from 'react'
import type { Campaign } from '../../campaigns/contract.ts'
import { listPlaceOf } from '../../campaigns/listPlace.ts'
import { Button } from '../../kit/web/ui/Button.tsx'
import { ConfirmDialog } from '../../kit/web/ui/ConfirmDialog.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import { api, refreshList } from './calls.ts'

type Props = { campaign: Campaign; variant: 'primary' | 'outline' }

/** Used on the tester list, and by the clock once its date is reached. */
export const AppliedButton = ({ campaign: { id, accessMode }, variant }: Props) => {
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Button variant={variant} onClick={() => setAsking(true)}>
        I have applied
      </Button>
      {asking && (
        <ConfirmDialog
          open
          onOpenChange={() => setAsking(false)}
          title="Have you applied for production access?"
          description={`We will tell verified testers that they may opt out, and you can then remove them from ${listPlaceOf(accessMode).where}. You cannot undo this: anyone who opts out stops counting.`}
          confirmLabel="I have applied"
          onConfirm={async () => {
            await api.applied({ params: { id } })
            notify.success('Verified testers have been told that they may opt out')
            await refreshList()
          }}
        />
      )}
    </>
  )
}
