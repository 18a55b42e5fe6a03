import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '../../kit/web/ui/Button.tsx'
import { Field } from '../../kit/web/ui/Field.tsx'
import { Form, useSchemaForm } from '../../kit/web/ui/Form.tsx'
import { Textarea } from '../../kit/web/ui/Input.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import type { CampaignTester } from '../contract.ts'
import { api, refreshTests } from './calls.ts'
import { proofIsDue } from './urgency.ts'

/** The call's body is optional, so its object is unwrapped. */
const schema = async () => (await import('../contract.ts')).participationApi.checkIn.body.unwrap().unwrap()

/** One press checks in; the note is optional. */
export const CheckInForm = ({ of: { id, campaign, actions } }: { of: CampaignTester }) => {
  const [noting, setNoting] = useState(false)
  const form = useSchemaForm(schema, { note: '' })
  const checkIn = useMutation({
    mutationFn: ({ note }: { note?: string | undefined }) =>
      api.checkIn({ params: { id }, body: note ? { note } : null }),
    onSuccess: async () => {
      notify.success('Checked in')
      await refreshTests()
    },
  })
  const noteField = useRef<HTMLDivElement>(null)
  const addNote = () => {
    flushSync(() => setNoting(true))
    // Not on a timer: a phone opens its keyboard only when focus moves during the tap.
    noteField.current?.querySelector('textarea')?.focus()
  }
  return (
    <Form
      form={form}
      onSubmit={checkIn.mutate}
      loading={checkIn.isPending}
      submitError={checkIn.error}
      submitLabel="Check in for today"
      submitVariant={proofIsDue({ actions }) ? 'secondary' : 'primary'}
      actions={
        <>
          {!noting && (
            <Button variant="ghost" onClick={addNote}>
              Add a note
            </Button>
          )}
          {!campaign.dailyCheckIn && <span className="text-muted-foreground">Optional in this campaign.</span>}
        </>
      }
    >
      {noting && (
        <div ref={noteField}>
          <Field of={form} name="note" label="Note for the developer" aside="Optional" className="max-w-xl">
            {control => <Textarea {...control} rows={2} placeholder="What did you try today?" />}
          </Field>
        </div>
      )}
    </Form>
  )
}
