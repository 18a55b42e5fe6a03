import { useState } from 'react'
import { Alert } from '../../kit/web/ui/Alert.tsx'
import { Button } from '../../kit/web/ui/Button.tsx'
import { Card } from '../../kit/web/ui/Card.tsx'
import { ConfirmDialog } from '../../kit/web/ui/ConfirmDialog.tsx'
import { Field } from '../../kit/web/ui/Field.tsx'
import { Form, useSchemaForm } from '../../kit/web/ui/Form.tsx'
import { Textarea } from '../../kit/web/ui/Input.tsx'
import { LeaveGuard } from '../../kit/web/ui/LeaveGuard.tsx'
import { useFollowServer } from '../../kit/web/ui/followServer.ts'
import { notify } from '../../kit/web/ui/toast.tsx'
import type { Nda } from '../contract.ts'
import { afterChange, api } from './calls.ts'

const schema = async () => (await import('../contract.ts')).NewNda

/**
 * The owner's editor. It starts with our template, later with the present text. Changes must be confirmed, because testers are
 * asked again.
 */
export const NdaEditor = ({ nda }: { nda: Nda }) => {
  const { current, template, campaign } = nda
  const present = { text: current?.text ?? template ?? '' }
  const form = useSchemaForm(schema, present)
  useFollowServer(form, present)
  const [asked, setAsked] = useState<string | null>(null)
  const [removing, setRemoving] = useState(false)
  const [replacing, setReplacing] = useState(false)
  const params = { id: campaign.id }
  const typed = form.watch('text')
  const takeTemplate = () => form.setValue('text', template ?? '', { shouldDirty: true, shouldValidate: true })
  return (
    <Card
      title={current ? `The NDA, version ${current.version}` : 'Require an NDA'}
      description={
        current
          ? 'Testers accept it before they see the link to the app.'
          : 'Testers accept this text with their name before they see the link to the app. You can change every word.'
      }
    >
      <Form
        form={form}
        onSubmit={({ text }) => setAsked(text)}
        loading={false}
        submitError={null}
        submitLabel={current ? 'Save as new version' : 'Require this NDA'}
        disabled={current !== null && !form.formState.isDirty}
        actions={
          <>
            {template !== null && typed !== template && (
              // A saved text stays on record.
              <Button
                variant="ghost"
                onClick={() => (form.formState.isDirty && typed.trim() !== '' ? setReplacing(true) : takeTemplate())}
              >
                Use our template
              </Button>
            )}
            {current && (
              <Button variant="ghost" onClick={() => setRemoving(true)}>
                Stop requiring it
              </Button>
            )}
          </>
        }
      >
        <Alert>
          Our template is a starting point and not legal advice. Have a lawyer check it if the stakes are high.
        </Alert>
        <Field of={form} name="text" label="Text">
          {control => <Textarea {...control} rows={18} />}
        </Field>
      </Form>
      <LeaveGuard
        dirty={form.formState.isDirty}
        title="Leave without saving?"
        description="Your changes to the NDA will be lost."
      />
      {asked !== null && (
        <ConfirmDialog
          open
          onOpenChange={() => setAsked(null)}
          title={current ? 'Save as new version?' : 'Require this NDA?'}
          description={
            current
              ? 'Current testers are asked to accept it. Meanwhile, their days, check-ins, proof and pay are not affected. A tester who refuses may leave and is paid for the days completed; that seat is then closed, and the rest of its pay and fee is refunded to you, unless a payment dispute holds it.'
              : 'New testers are asked to accept it after joining, and lose their seat if they do not accept within the check-in deadline. Current testers are asked too: their days keep counting, but the link stays hidden until they accept. A tester who refuses may leave and is paid for the days completed.'
          }
          confirmLabel={current ? 'Save new version' : 'Require this NDA'}
          onConfirm={async () => {
            const saved = await api.set({ params, body: { text: asked } })
            form.reset({ text: asked })
            afterChange(saved)
            notify.success(`Testers are now asked to accept version ${saved.current?.version ?? ''}`)
          }}
        />
      )}
      {replacing && (
        <ConfirmDialog
          open
          onOpenChange={setReplacing}
          title="Replace your text with our template?"
          description="It will be lost."
          confirmLabel="Replace"
          tone="destructive"
          onConfirm={async () => takeTemplate()}
        />
      )}
      {removing && (
        <ConfirmDialog
          open
          onOpenChange={setRemoving}
          title="Stop requiring the NDA?"
          description="Testers who have not accepted it will see the link immediately. Past acceptances stay on record."
          confirmLabel="Stop requiring it"
          tone="destructive"
          onConfirm={async () => {
            const removed = await api.remove({ params })
            form.reset()
            afterChange(removed)
            notify.success('The NDA is no longer required')
          }}
        />
      )}
    </Card>
  )
}
