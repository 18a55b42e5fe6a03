import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { attachmentsHint } from '../../attachments/terms.ts'
import { dropFiles, FilesInput, useUploads } from '../../attachments/web/face.tsx'
import { adoptedKey } from '../../kit/web/drafts.ts'
import { session } from '../../kit/web/session.ts'
import { dropStored, keepStored, readStored } from '../../kit/web/stored.ts'
import { Button } from '../../kit/web/ui/Button.tsx'
import { Field } from '../../kit/web/ui/Field.tsx'
import { Form, useSchemaForm } from '../../kit/web/ui/Form.tsx'
import { Textarea } from '../../kit/web/ui/Input.tsx'
import { Length } from '../../kit/web/ui/Length.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import type { CampaignTester } from '../contract.ts'
import { maxAppealFiles, minAppealReason } from '../terms.ts'
import { api, refreshTests } from './calls.ts'

const schema = async () => (await import('../contract.ts')).participationApi.appeal.body.pick({ reason: true })

/** A text and files; a tester appeals only once. The draft survives a reload. */
export const AppealForm = ({ of: { id }, onClose }: { of: CampaignTester; onClose: () => void }) => {
  const files = `appeal:${id}`
  const uploads = useUploads(files)
  const draft = adoptedKey('appeal', id, session.user()?.id)
  const form = useSchemaForm(schema, readStored<{ reason: string }>(draft, { reason: '' }) ?? { reason: '' })
  const submit = useMutation({
    mutationFn: ({ reason }: { reason: string }) =>
      api.appeal({ params: { id }, body: { reason, attachmentIds: uploads.ids } }),
    onSuccess: async () => {
      dropStored(draft)
      await dropFiles(files)
      notify.success('Appeal sent')
      await refreshTests()
    },
    // Another device may have sent it, or the time for it may be over: reloads the screen.
    onError: () => void refreshTests(),
  })
  const field = useRef<HTMLDivElement>(null)
  useEffect(() => field.current?.querySelector('textarea')?.focus(), [])
  return (
    // The event bubbles up after the field has updated the form.
    <div ref={field} onChange={() => keepStored(draft, { reason: form.getValues('reason') })} className="max-w-xl">
      <Form
        form={form}
        onSubmit={submit.mutate}
        disabled={uploads.pending}
        loading={submit.isPending}
        submitError={submit.error}
        submitLabel="Send appeal"
        actions={
          <>
            <Button variant="outline" onClick={onClose}>
              Not now
            </Button>
            {uploads.pending && <span className="text-muted-foreground">Some files are not uploaded yet.</span>}
          </>
        }
      >
        <Field
          of={form}
          name="reason"
          label="Your appeal"
          hint="Explain what the developer overlooked. The developer will read this too. You can appeal only once."
          aside={<Length text={form.watch('reason')} minLength={minAppealReason} />}
        >
          {control => <Textarea {...control} rows={6} />}
        </Field>
        <FilesInput
          uploads={uploads}
          label="Screenshots and recordings"
          hint={`Anything that shows you did the test. ${attachmentsHint}`}
          most={maxAppealFiles}
          videos
        />
      </Form>
    </div>
  )
}
