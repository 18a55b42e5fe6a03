import { useState } from 'react'
import { messageOf } from '../../../kit/web/apiError.ts'
import { invalidate } from '../../../kit/web/query.ts'
import { useTask } from '../../../kit/web/task.ts'
import { Alert } from '../../../kit/web/ui/Alert.tsx'
import { Button } from '../../../kit/web/ui/Button.tsx'
import { Dialog } from '../../../kit/web/ui/Dialog.tsx'
import { DialogButtons } from '../../../kit/web/ui/DialogButtons.tsx'
import { factorApi } from '../calls.ts'
import { accountKeys } from '../keys.ts'
import { SaveCodesDialog } from './SaveCodesDialog.tsx'

/** Asks first, because the old codes stop working, and then shows the new codes in the same place. */
export const NewCodesDialog = ({ onClose }: { onClose: () => void }) => {
  const [codes, setCodes] = useState<string[] | null>(null)
  const renew = useTask(async () => {
    setCodes((await factorApi.renewRecoveryCodes()).recoveryCodes)
    void invalidate(accountKeys.secondFactors)
  })
  if (codes) return <SaveCodesDialog codes={codes} onClose={onClose} />
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Generate new recovery codes?"
      description="The old codes stop working immediately."
      locked={renew.pending}
    >
      {Boolean(renew.error) && <Alert tone="red">{messageOf(renew.error, 'Failed to generate new codes')}</Alert>}
      <DialogButtons className="mt-5">
        <Button variant="outline" disabled={renew.pending} onClick={onClose}>
          Cancel
        </Button>
        <Button loading={renew.pending} onClick={() => void renew.run()}>
          Generate new codes
        </Button>
      </DialogButtons>
    </Dialog>
  )
}
