import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { attachmentsHint } from '../../attachments/terms.ts'
import { dropFiles, FilesInput, useUploads } from '../../attachments/web/face.tsx'
import { paths } from '../../kit/paths.ts'
import { Card } from '../../kit/web/ui/Card.tsx'
import { RadioCards } from '../../kit/web/ui/Choice.tsx'
import { Field } from '../../kit/web/ui/Field.tsx'
import { Form, useSchemaForm } from '../../kit/web/ui/Form.tsx'
import { Input, Textarea } from '../../kit/web/ui/Input.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import type { CampaignTester } from '../../participations/contract.ts'
import type { NewBug } from '../contract.ts'
import { bugSeverities, mostBugFiles } from '../terms.ts'
import { SimilarBugs } from './SimilarBugs.tsx'
import { api, refreshBugs } from './calls.ts'
import { bugDraft, emptyBug, lastVersion, type WrittenBug } from './drafts.ts'
import { severityField, stepsField, titleField } from './reportWords.ts'

const schema = async () => (await import('../inputs.ts')).NewBug

type Values = Omit<WrittenBug, 'severity'> & { severity: NewBug['severity'] | undefined; attachmentIds: string[] }

const valuesOf = ({ severity, ...written }: WrittenBug): Values => ({
  ...written,
  severity: bugSeverities.find(each => each === severity),
  attachmentIds: [],
})

/** The draft and its files stay on the device until they are sent. */
export const ReportBugForm = ({ test: { id, campaign } }: { test: CampaignTester }) => {
  const navigate = useNavigate()
  const files = `bug:${id}`
  const uploads = useUploads(files)
  const draft = bugDraft(id)
  const version = lastVersion(id)
  const form = useSchemaForm(schema, valuesOf(draft.read() ?? { ...emptyBug, ...version.read() }))
  const ids = uploads.ids.join()
  useEffect(() => form.setValue('attachmentIds', ids === '' ? [] : ids.split(',')), [form, ids])
  const send = useMutation({
    mutationFn: (body: NewBug) => api.report({ params: { id: campaign.id }, body }),
    onSuccess: async (bug, { appVersion = '' }) => {
      draft.drop()
      version.save({ appVersion })
      await dropFiles(files)
      notify.success('Bug reported')
      void refreshBugs()
      await navigate(paths.bug(bug.id), { replace: true })
    },
  })
  const save = () => {
    const { title, severity, steps, expected, actual, appVersion } = form.getValues()
    const written = { title, severity, steps, expected, actual, appVersion }
    draft.save({ ...emptyBug, ...Object.fromEntries(Object.entries(written).filter(([, value]) => value)) })
  }
  return (
    // The event bubbles up after the field has updated the form.
    <div onChange={save}>
      <Card>
        <Form
          form={form}
          onSubmit={send.mutate}
          loading={send.isPending}
          disabled={uploads.pending}
          submitError={send.error}
          submitLabel="Report the bug"
          actions={uploads.pending && <span className="text-muted-foreground">Some files are not uploaded yet.</span>}
        >
          <Field of={form} name="title" {...titleField}>
            {control => <Input {...control} autoComplete="off" placeholder="Search closes the app" />}
          </Field>
          <SimilarBugs campaignId={campaign.id} title={form.watch('title')} />
          <Field of={form} name="severity" label={severityField.label} group>
            {control => (
              <RadioCards
                {...control}
                value={control.value}
                className={severityField.className}
                options={severityField.options}
              />
            )}
          </Field>
          <Field of={form} name="steps" {...stepsField}>
            {control => <Textarea {...control} rows={4} placeholder={'1. Open the search.\n2. Type a long word.'} />}
          </Field>
          <Field of={form} name="expected" label="What should happen" aside="Optional">
            {control => <Textarea {...control} value={control.value ?? ''} rows={2} />}
          </Field>
          <Field of={form} name="actual" label="What happened">
            {control => <Textarea {...control} rows={3} />}
          </Field>
          <Field of={form} name="appVersion" label="App version" aside="Optional" className="max-w-56">
            {control => <Input {...control} value={control.value ?? ''} autoComplete="off" placeholder="1.1" />}
          </Field>
          <FilesInput
            uploads={uploads}
            label="Screenshots and recordings"
            hint={`${attachmentsHint} Your test device is added automatically.`}
            most={mostBugFiles}
            videos
            camera={false}
          />
          <p className="text-xs text-muted-foreground">
            The developer reads your report under an alias. Other testers of the campaign see its title and status.
          </p>
        </Form>
      </Card>
    </div>
  )
}
