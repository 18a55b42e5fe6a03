import { useState } from 'react'
import { invalidate } from '../../../kit/web/query.ts'
import { deviceOf } from '../../../kit/userAgent.ts'
import { useTask } from '../../../kit/web/task.ts'
import { Alert } from '../../../kit/web/ui/Alert.tsx'
import { Dialog } from '../../../kit/web/ui/Dialog.tsx'
import { notify } from '../../../kit/web/ui/toast.tsx'
import { factorApi } from '../calls.ts'
import { accountKeys } from '../keys.ts'
import { BeginForm } from './BeginForm.tsx'
import { makePasskey, passkeysWork } from './passkeyPrompt.ts'
import { SaveCodesDialog } from './SaveCodesDialog.tsx'

type Props = { inForce: boolean; onClose: () => void }

/** Asks for name and password, opens the browser's own dialog, and shows the recovery codes if this is the first factor. */
export const PasskeyDialog = ({ inForce, onClose }: Props) => {
  const [codes, setCodes] = useState<string[] | null>(null)
  const add = useTask(async ({ name, currentPassword }: { name: string; currentPassword?: string }) => {
    const { challenge, options } = await factorApi.beginPasskey({ body: { currentPassword } })
    const attestation = await makePasskey(options)
    const { recoveryCodes } = await factorApi.addPasskey({ body: { challenge, name, attestation } })
    void invalidate(accountKeys.secondFactors, accountKeys.sessions)
    notify.success('Passkey added')
    if (recoveryCodes) setCodes(recoveryCodes)
    else onClose()
  })
  if (codes) return <SaveCodesDialog codes={codes} onClose={onClose} />
  return (
    <Dialog open onOpenChange={onClose} title="Add a passkey" locked={add.pending}>
      {passkeysWork() ? (
        <BeginForm
          inForce={inForce}
          text="A passkey uses your fingerprint, face, device PIN or a security key. Your browser will ask for it next."
          suggestedName={deviceOf(navigator.userAgent)}
          begin={add}
          onCancel={onClose}
        />
      ) : (
        <Alert tone="yellow">
          This browser does not support passkeys. Use an authenticator app, or another browser.
        </Alert>
      )}
    </Dialog>
  )
}
