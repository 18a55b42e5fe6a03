import { useMutation, useQuery } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { flushSync } from 'react-dom'
import type { BugSummary } from '../../bugs/contract.ts'
import { Button } from '../../kit/web/ui/Button.tsx'
import { Card } from '../../kit/web/ui/Card.tsx'
import { Checkbox } from '../../kit/web/ui/Choice.tsx'
import { Field } from '../../kit/web/ui/Field.tsx'
import { Form, useSchemaForm } from '../../kit/web/ui/Form.tsx'
import { Input } from '../../kit/web/ui/Input.tsx'
import { FailureLine } from '../../kit/web/ui/Query.tsx'
import { Skeleton } from '../../kit/web/ui/States.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import type { NewVersion } from '../contract.ts'
import { mostChanges } from '../terms.ts'
import { AnsweredFeedback, freeFeedback } from './AnsweredFeedback.tsx'
import { api, refreshChanges, undecidedQuery, writtenQuery } from './calls.ts'
import { dropDraft, readDraft, saveDraft, withoutGone, type WrittenVersion } from './draft.ts'

const schema = async () => (await import('../contract.ts')).NewVersion

/** The form for a version: its changes, and the bugs that each change answers. */
export const PublishForm = ({ campaignId, onClose }: { campaignId: string; onClose: () => void }) => {
  const bugs = useQuery(undecidedQuery(campaignId))
  const written = useQuery(writtenQuery(campaignId))
  const form = useSchemaForm(schema, readDraft(campaignId))
  useEffect(
    () => form.setValue('changes', withoutGone(form.getValues('changes'), bugs.data, written.data)),
    [form, bugs.data, written.data],
  )
  const rows = useRef<HTMLDivElement>(null)
  const addButton = useRef<HTMLButtonElement>(null)
  const save = () => saveDraft(campaignId, form.getValues() as WrittenVersion)
  const publish = useMutation({
    mutationFn: (body: NewVersion) => api.publish({ params: { id: campaignId }, body }),
    onSuccess: async ({ version }) => {
      dropDraft(campaignId)
      notify.success(`Version ${version} published`)
      await refreshChanges()
      onClose()
    },
    // A bug may have been decided in the meantime.
    onError: () => void refreshChanges(),
  })
  const changes = form.watch('changes')
  const set = (next: typeof changes) => {
    form.clearErrors('changes')
    form.setValue('changes', next, { shouldDirty: true })
    save()
  }
  const add = () => {
    flushSync(() => set([...changes, { text: '', bugIds: [], feedback: [] }]))
    // Not on a timer: a phone opens its keyboard only when focus moves during the tap.
    const inputs = rows.current?.querySelectorAll<HTMLInputElement>('input[name$=".text"]')
    inputs?.[inputs.length - 1]?.focus()
  }
  const remove = (row: number) => {
    // With the maximum of changes, the button that takes the focus does not exist before.
    flushSync(() => set(changes.filter((_, other) => other !== row)))
    addButton.current?.focus()
  }
  return (
    <Card
      title="New version"
      description="Upload the version first: testers are asked to retest as soon as you publish."
    >
      {/* The event bubbles up after the field has updated the form. */}
      <div onChange={save} className="max-w-2xl">
        <Form
          form={form}
          onSubmit={publish.mutate}
          loading={publish.isPending}
          submitError={publish.error}
          submitLabel="Publish the changes"
          actions={
            <Button variant="outline" disabled={publish.isPending} onClick={onClose}>
              Close
            </Button>
          }
        >
          <Field of={form} name="version" label="Version" className="max-w-56">
            {control => (
              // oxlint-disable-next-line jsx-a11y/no-autofocus -- the button that opened the form has gone
              <Input autoFocus autoComplete="off" placeholder="1.2" {...control} />
            )}
          </Field>
          <FailureLine of={bugs} title="Failed to load bugs" />
          <FailureLine of={written} title="Failed to load feedback" />
          <div ref={rows} className="grid gap-4">
            {changes.map((_, row) => (
              // Rows have no id of their own, so the index is the key.
              <fieldset key={row} className="grid min-w-0 gap-3 rounded-md border p-3">
                <legend className="px-1 font-medium">Change {row + 1}</legend>
                <Field of={form} name={`changes.${row}.text`} label="What it changes">
                  {control => (
                    <div className="flex gap-2">
                      <Input {...control} placeholder="Long words no longer close the search" />
                      {changes.length > 1 && (
                        <Button
                          variant="ghost"
                          size="icon"
                          aria-label={`Remove change ${row + 1}`}
                          onClick={() => remove(row)}
                        >
                          <X aria-hidden />
                        </Button>
                      )}
                    </div>
                  )}
                </Field>
                {bugs.isPending && <Skeleton className="h-14" />}
                {bugs.data && (
                  <Field of={form} name={`changes.${row}.bugIds`} label="Bugs it addresses" aside="Optional" group>
                    {({ id, value, onChange, name, ...aria }) => (
                      <Bugs
                        wiring={{ id, 'aria-labelledby': aria['aria-labelledby'] }}
                        of={freeFor(row, changes, bugs.data)}
                        chosen={value ?? []}
                        name={name}
                        onChoose={chosen => {
                          onChange(chosen)
                          save()
                        }}
                      />
                    )}
                  </Field>
                )}
                {written.data && written.data.length > 0 && (
                  <Field
                    of={form}
                    name={`changes.${row}.feedback`}
                    label="Feedback it addresses"
                    aside="Optional"
                    group
                  >
                    {({ id, value, onChange, name, ...aria }) => (
                      <AnsweredFeedback
                        wiring={{ id, 'aria-labelledby': aria['aria-labelledby'] }}
                        of={freeFeedback(row, changes, written.data)}
                        chosen={value ?? []}
                        name={name}
                        onChoose={chosen => {
                          onChange(chosen)
                          save()
                        }}
                      />
                    )}
                  </Field>
                )}
              </fieldset>
            ))}
            {changes.length < mostChanges && (
              <Button ref={addButton} variant="outline" size="sm" className="justify-self-start" onClick={add}>
                <Plus aria-hidden /> Add a change
              </Button>
            )}
          </div>
        </Form>
      </div>
    </Card>
  )
}

type Rows = readonly { bugIds?: string[] | undefined }[]

/** Leaves out bugs that another change answers. */
const freeFor = (row: number, changes: Rows, bugs: readonly BugSummary[]) => {
  const taken = new Set(changes.flatMap(({ bugIds = [] }, other) => (other === row ? [] : bugIds)))
  return bugs.filter(({ id }) => !taken.has(id))
}

type BugsProps = {
  wiring: { id: string; 'aria-labelledby': string | undefined }
  of: readonly BugSummary[]
  chosen: readonly string[]
  name: string
  onChoose: (ids: string[]) => void
}

const Bugs = ({ wiring, of: bugs, chosen, name, onChoose }: BugsProps) => {
  if (bugs.length === 0) {
    return (
      <p {...wiring} role="group" className="text-muted-foreground">
        There are no open bugs to address.
      </p>
    )
  }
  return (
    <div {...wiring} role="group" className="max-h-56 overflow-y-auto rounded-md border px-3 py-1">
      {bugs.map(bug => (
        <Checkbox
          key={bug.id}
          name={name}
          label={<span className="wrap-anywhere">{`#${bug.number} ${bug.title} (${bug.alias})`}</span>}
          value={chosen.includes(bug.id)}
          onChange={ticked => onChoose(ticked ? [...chosen, bug.id] : chosen.filter(id => id !== bug.id))}
        />
      ))}
    </div>
  )
}
