import { useMutation, useQuery } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { attachmentsHint } from '../../attachments/terms.ts'
import { dropFiles, FilesInput, useUploads } from '../../attachments/web/face.tsx'
import type { DueForm, TesterFeedback } from '../../feedback/contract.ts'
import { type WrittenAnswers, writtenOf } from '../../feedback/written.ts'
import { Button } from '../../kit/web/ui/Button.tsx'
import { Field } from '../../kit/web/ui/Field.tsx'
import { Form, useSchemaForm } from '../../kit/web/ui/Form.tsx'
import { Input, Textarea } from '../../kit/web/ui/Input.tsx'
import { Query } from '../../kit/web/ui/Query.tsx'
import { Skeleton } from '../../kit/web/ui/States.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import type { CampaignTester } from '../contract.ts'
import { maxProofFiles } from '../terms.ts'
import { FeedbackFields } from './FeedbackFields.tsx'
import { api, feedbackQuery, refreshTests } from './calls.ts'
import { dropDraft, maxLinks, readDraft, saveDraft, type Written } from './proofDraft.ts'

/** The values of the proof that was submitted before, if any. */
const written = (proof: CampaignTester['proof'], answers: WrittenAnswers): Written => ({
  text: proof?.text ?? '',
  links: proof?.links ?? [],
  attachmentIds: proof?.attachments.map(({ id }) => id) ?? [],
  feedback: { answers },
})

type Sent = Parameters<typeof api.submitProof>[0]['body']

/** With the campaign's feedback form, if it has one. */
export const ProofForm = ({ of: test }: { of: CampaignTester }) => (
  <Query
    of={useQuery(feedbackQuery(test.id))}
    loading={<Skeleton className="h-72 max-w-xl" />}
    errorTitle="Failed to load the form"
  >
    {feedback => <Loaded key={feedback.form?.version} of={test} feedback={feedback} />}
  </Query>
)

const schemaWith = (due: DueForm | null) => async () => (await import('./proofSchema.ts')).proofFormWith(due)

/** Text, links and answers. A draft survives a reload; after a change request it starts from the previous proof. */
const Loaded = ({ of: { id, proof, status }, feedback }: { of: CampaignTester; feedback: TesterFeedback }) => {
  const due = feedback.form
  const [asked] = useState(() => writtenOf(due?.questions ?? [], feedback.answers))
  const files = `proof:${id}`
  const uploads = useUploads(files, proof?.attachments)
  const form = useSchemaForm(schemaWith(due), readDraft(id, asked) ?? written(proof, asked))
  const ids = uploads.ids.join()
  // Files alone are a proof as well, so the form's rule has to know about them.
  useEffect(() => form.setValue('attachmentIds', ids === '' ? [] : ids.split(',')), [form, ids])
  const submit = useMutation({
    mutationFn: (filled: Sent) => api.submitProof({ params: { id }, body: filled }),
    onSuccess: async () => {
      dropDraft(id)
      await dropFiles(files)
      notify.success('Proof submitted')
      await refreshTests()
    },
    // Another device may have submitted it, or the test may be over: reloads the screen.
    onError: () => void refreshTests(),
  })
  const rows = useRef<HTMLDivElement>(null)
  const addButton = useRef<HTMLButtonElement>(null)
  const save = () => saveDraft(id, form.getValues())
  const links = form.watch('links')
  const setLinks = (next: string[]) => {
    form.clearErrors('links')
    form.setValue('links', next, { shouldDirty: true })
    save()
  }
  const addLink = () => {
    flushSync(() => setLinks([...links, '']))
    // Not on a timer: a phone opens its keyboard only when focus moves during the tap.
    Array.from(rows.current?.querySelectorAll('input') ?? [])
      .at(-1)
      ?.focus()
  }
  const removeLink = (row: number) => {
    // With the maximum number of links, the button that takes the focus exists only after this render.
    flushSync(() => setLinks(links.filter((_, other) => other !== row)))
    addButton.current?.focus()
  }
  return (
    // The event bubbles up after the field has updated the form.
    <div onChange={save} className="max-w-xl">
      <Form
        form={form}
        onSubmit={submit.mutate}
        disabled={uploads.pending}
        loading={submit.isPending}
        submitError={submit.error}
        submitLabel={status === 'CHANGES_REQUESTED' ? 'Submit again' : 'Submit proof'}
        actions={uploads.pending && <span className="text-muted-foreground">Some files are not uploaded yet.</span>}
      >
        <Field of={form} name="text" label="Your proof" hint="Describe what you tested, what worked, and what did not.">
          {control => <Textarea {...control} rows={6} />}
        </Field>
        <FilesInput
          uploads={uploads}
          label="Screenshots and recordings"
          hint={`${attachmentsHint} Location and camera data are removed.`}
          most={maxProofFiles}
          videos
        />
        <div ref={rows} className="grid gap-2">
          {links.map((_link, row) => (
            // Rows have no id of their own, so the index is the key.
            <Field key={row} of={form} name={`links.${row}`}>
              {control => (
                <div className="flex gap-2">
                  <Input {...control} type="url" aria-label={`Link ${row + 1}`} placeholder="https://" />
                  <Button
                    variant="ghost"
                    size="icon"
                    aria-label={`Remove link ${row + 1}`}
                    onClick={() => removeLink(row)}
                  >
                    <X aria-hidden />
                  </Button>
                </div>
              )}
            </Field>
          ))}
          {links.length < maxLinks && (
            <Button ref={addButton} variant="outline" size="sm" className="justify-self-start" onClick={addLink}>
              <Plus aria-hidden /> Add a link
            </Button>
          )}
        </div>
        {due && <FeedbackFields form={form} due={due} onChange={save} />}
      </Form>
    </div>
  )
}
