import { useState } from 'react'
import type { Campaign } from '../../campaigns/contract.ts'
import { Button } from '../../kit/web/ui/Button.tsx'
import { ConfirmDialog } from '../../kit/web/ui/ConfirmDialog.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import { api, refreshList } from './calls.ts'

type Props = { campaign: Campaign; variant: 'primary' | 'outline' }

/** For the tester list, and for the clock once its date is reached. */
export const AppliedButton = ({ campaign: { id }, variant }: Props) => {
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
          description="Verified testers are told that they may opt out now, and are to be removed from your list. You cannot take this back: the days of whoever opts out are over."
          confirmLabel="I have applied"
          onConfirm={async () => {
            await api.applied({ params: { id } })
            notify.success('Verified testers are told that they may opt out')
            await refreshList()
          }}
        />
      )}
    </>
  )
}
