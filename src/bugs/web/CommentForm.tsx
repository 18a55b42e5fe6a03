import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { FilesInput, useUploads } from '../../attachments/web/face.tsx'
import { Field } from '../../kit/web/ui/Field.tsx'
import { Form, useSchemaForm } from '../../kit/web/ui/Form.tsx'
import { Textarea } from '../../kit/web/ui/Input.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import type { Bug, BugComment } from '../contract.ts'
import { mostBugFiles } from '../terms.ts'
import { commentDraft } from './drafts.ts'
import { api, refreshBugs } from './calls.ts'

const schema = async () => (await import('../inputs.ts')).BugComment

/** What was written while the comment was being sent: an addition to it, or something else. */
const restOf = (written: string, sent: string) => {
  const text = written.trimStart()
  const rest = text.slice(sent.length)
  return text.startsWith(sent) && /^(\s|$)/.test(rest) ? rest.trimStart() : written
}

/** The draft and its files survive a reload. */
export const CommentForm = ({ bug: { id } }: { bug: Bug }) => {
  const uploads = useUploads(`bug-comment:${id}`)
  const draft = commentDraft(id)
  const form = useSchemaForm(schema, { text: '', attachmentIds: [] as string[], ...draft.read() })
  const ids = uploads.ids.join()
  // A file alone is a valid comment, so the form has to know of it.
  useEffect(() => form.setValue('attachmentIds', ids === '' ? [] : ids.split(',')), [form, ids])
  const send = useMutation({
    mutationFn: (body: BugComment) => api.comment({ params: { id }, body }),
    onSuccess: async (_, { text: sentText, attachmentIds: sentIds = [] }) => {
      const text = restOf(form.getValues('text'), sentText)
      form.reset({ text, attachmentIds: form.getValues('attachmentIds')?.filter(each => !sentIds.includes(each)) })
      if (text === '') draft.drop()
      else draft.save({ text })
      uploads.release(sentIds)
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
