import { Suspense, lazy, useState } from 'react'
import { invalidate } from '../../../kit/web/query.ts'
import { type Task, useTask } from '../../../kit/web/task.ts'
import { Dialog } from '../../../kit/web/ui/Dialog.tsx'
import { Field } from '../../../kit/web/ui/Field.tsx'
import { Form, useSchemaForm } from '../../../kit/web/ui/Form.tsx'
import { Input } from '../../../kit/web/ui/Input.tsx'
import { Skeleton } from '../../../kit/web/ui/States.tsx'
import { CopyButton } from '../../../kit/web/ui/Values.tsx'
import { notify } from '../../../kit/web/ui/toast.tsx'
import { CodeForm } from '../../secondFactorContract.ts'
import { factorApi } from '../calls.ts'
import { accountKeys } from '../keys.ts'
import { BeginForm } from './BeginForm.tsx'
import { SaveCodesDialog } from './SaveCodesDialog.tsx'

const QrPicture = lazy(async () => ({ default: (await import('../../../kit/web/ui/QrPicture.tsx')).QrPicture }))

type Begun = { secret: string; uri: string }
type Props = { inForce: boolean; onClose: () => void }

/** Asks for the password, shows the QR code, asks for a first code, and shows the recovery codes if this is the first factor. */
export const TotpDialog = ({ inForce, onClose }: Props) => {
  const [begun, setBegun] = useState<Begun | null>(null)
  const [codes, setCodes] = useState<string[] | null>(null)
  const begin = useTask(async (body: { currentPassword?: string }) => setBegun(await factorApi.beginTotp({ body })))
  const confirm = useTask(async (body: { code: string }) => {
    const { recoveryCodes } = await factorApi.confirmTotp({ body })
    void invalidate(accountKeys.secondFactors, accountKeys.sessions)
    notify.success('Authenticator app added')
    if (recoveryCodes) setCodes(recoveryCodes)
    else onClose()
  })
  if (codes) return <SaveCodesDialog codes={codes} onClose={onClose} />
  return (
    <Dialog open onOpenChange={onClose} title="Set up an authenticator app" locked={begin.pending || confirm.pending}>
      {begun ? (
        <ConfirmStep begun={begun} confirm={confirm} />
      ) : (
        <BeginForm
          inForce={inForce}
          text="Use an app such as Google Authenticator, 1Password or Aegis: it shows a new six-digit code every 30 seconds."
          begin={begin}
          onCancel={onClose}
        />
      )}
    </Dialog>
  )
}

type ConfirmProps = { begun: Begun; confirm: Task<[{ code: string }]> }

/** `JBSW Y3DP …`, which is easier to type. */
const inGroups = (secret: string) => secret.replaceAll(/(.{4})(?=.)/g, '$1 ')

const ConfirmStep = ({ begun: { secret, uri }, confirm }: ConfirmProps) => {
  const form = useSchemaForm(CodeForm, { code: '' })
  return (
    <Form
      form={form}
      onSubmit={body => void confirm.run(body)}
      loading={confirm.pending}
      submitError={confirm.error}
      submitLabel="Confirm"
      errorFallback="We could not check the code. Please try again."
      wide
    >
      <p>Scan this with your authenticator app, or type the key into it. Then enter the code that it shows.</p>
      <Suspense fallback={<Skeleton className="mx-auto size-64" />}>
        <QrPicture text={uri} label="QR code for your authenticator app" />
      </Suspense>
      <div className="flex flex-wrap items-center justify-between gap-2 rounded-md border bg-background px-3 py-2">
        <code className="min-w-0 font-mono wrap-anywhere">{inGroups(secret)}</code>
        <CopyButton text={secret} label="Copy key" />
      </div>
      <Field of={form} name="code" label="Code" hint="Six digits">
        {control => <Input autoComplete="one-time-code" inputMode="numeric" className="tabular-nums" {...control} />}
      </Field>
    </Form>
  )
}
