import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { dropFiles, FilesInput, useUploads } from '../../attachments/web/face.tsx'
import { Field } from '../../kit/web/ui/Field.tsx'
import { Form, useSchemaForm } from '../../kit/web/ui/Form.tsx'
import { Textarea } from '../../kit/web/ui/Input.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import type { Bug, BugComment } from '../contract.ts'
import { mostBugFiles } from '../terms.ts'
import { commentDraft } from './drafts.ts'
import { api, refreshBugs } from './calls.ts'

const schema = async () => (await import('../inputs.ts')).BugComment

/** A draft, files included, survives a reload. */
export const CommentForm = ({ bug: { id } }: { bug: Bug }) => {
  const files = `bug-comment:${id}`
  const uploads = useUploads(files)
  const draft = commentDraft(id)
  const form = useSchemaForm(schema, { text: '', attachmentIds: [] as string[], ...draft.read() })
  const ids = uploads.ids.join()
  // A file alone is a comment too: the form's rule has to see it.
  useEffect(() => form.setValue('attachmentIds', ids === '' ? [] : ids.split(',')), [form, ids])
  const send = useMutation({
    mutationFn: (body: BugComment) => api.comment({ params: { id }, body }),
    onSuccess: async () => {
      draft.drop()
      await dropFiles(files)
      uploads.clear()
      form.reset({ text: '', attachmentIds: [] })
      notify.success('Comment sent')
      await refreshBugs()
    },
  })
  return (
    <div onChange={() => draft.save({ text: form.getValues('text') })}>
      <Form
        form={form}
        onSubmit={send.mutate}
        loading={send.isPending}
        disabled={uploads.pending}
        submitError={send.error}
        submitLabel="Send"
        submitVariant="outline"
        actions={uploads.pending && <span className="text-muted-foreground">Some files are not uploaded yet.</span>}
      >
        <Field of={form} name="text" label="Comment">
          {control => <Textarea {...control} rows={3} />}
        </Field>
        <FilesInput uploads={uploads} label="Screenshots and recordings" most={mostBugFiles} videos camera={false} />
      </Form>
    </div>
  )
}
