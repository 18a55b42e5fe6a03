import { useMutation } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { flushSync } from 'react-dom'
import { dropFiles, FilesInput, useUploads } from '../../attachments/web/face.tsx'
import { Button } from '../../kit/web/ui/Button.tsx'
import { Field } from '../../kit/web/ui/Field.tsx'
import { Form, useSchemaForm } from '../../kit/web/ui/Form.tsx'
import { Input, Textarea } from '../../kit/web/ui/Input.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import type { CampaignTester, Proof } from '../contract.ts'
import { maxProofFiles } from '../terms.ts'
import { api, refreshTests } from './calls.ts'
import { dropDraft, maxLinks, readDraft, saveDraft, type Written } from './proofDraft.ts'

const schema = async () => (await import('./proofSchema.ts')).ProofForm

/** What was submitted before, or nothing. */
const written = (proof: CampaignTester['proof']): Written => ({
  text: proof?.text ?? '',
  links: proof?.links ?? [],
  attachmentIds: proof?.attachments.map(({ id }) => id) ?? [],
})

/** Text and links. A draft survives a reload; after a change request it starts from the previous proof. */
export const ProofForm = ({ of: { id, proof, status } }: { of: CampaignTester }) => {
  const files = `proof:${id}`
  const uploads = useUploads(files, proof?.attachments)
  const form = useSchemaForm(schema, readDraft(id) ?? written(proof))
  const ids = uploads.ids.join()
  // Files alone are a proof too: the form's rule has to see them.
  useEffect(() => form.setValue('attachmentIds', ids === '' ? [] : ids.split(',')), [form, ids])
  const submit = useMutation({
    mutationFn: (filled: Proof) => api.submitProof({ params: { id }, body: { proof: filled } }),
    onSuccess: async () => {
      dropDraft(id)
      await dropFiles(files)
      notify.success('Proof submitted')
      await refreshTests()
    },
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
    setLinks(links.filter((_, other) => other !== row))
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
        actions={uploads.pending && <span className="text-muted-foreground">Some files are not sent yet.</span>}
      >
        <Field of={form} name="text" label="Your proof" hint="Describe what you tested, what worked, and what did not.">
          {control => <Textarea {...control} rows={6} />}
        </Field>
        <FilesInput
          uploads={uploads}
          label="Screenshots and recordings"
          hint="PNG, JPEG or WebP up to 10 MB, MP4 up to 50 MB. Position and camera data are removed."
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
      </Form>
    </div>
  )
}
