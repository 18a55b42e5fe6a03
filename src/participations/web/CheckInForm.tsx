import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { dropFiles, dropOtherFiles, FilesInput, useUploads } from '../../attachments/web/face.tsx'
import { dayIn } from '../../kit/clock.ts'
import { useNow } from '../../kit/web/now.ts'
import { Button } from '../../kit/web/ui/Button.tsx'
import { Checkbox } from '../../kit/web/ui/Choice.tsx'
import { Field } from '../../kit/web/ui/Field.tsx'
import { Form, useSchemaForm } from '../../kit/web/ui/Form.tsx'
import { Input } from '../../kit/web/ui/Input.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import type { CampaignTester, NewCheckIn } from '../contract.ts'
import { api, refreshTests } from './calls.ts'
import { participationKeys } from './keys.ts'
import { proofIsDue } from './urgency.ts'

const schema = async () => (await import('./checkInSchema.ts')).CheckInForm

/** One press checks in; what was done is optional. */
export const CheckInForm = ({ of: { id, campaign, timeZone, actions } }: { of: CampaignTester }) => {
  const days = `check-in:${id}:`
  const draft = days + dayIn(timeZone, useNow())
  // Pictures of other days cannot be sent any more.
  useEffect(() => void dropOtherFiles(days, draft), [days, draft])
  const uploads = useUploads(draft)
  const [telling, setTelling] = useState(false)
  const open = telling || uploads.items.length > 0
  const form = useSchemaForm(schema, { minutes: '', features: [] as string[], note: '' })
  const checkIn = useMutation({
    mutationFn: ({ minutes, features = [], note }: Omit<NewCheckIn, 'attachmentId'>) => {
      const [attachmentId] = uploads.ids
      const body = {
        ...(minutes !== undefined && { minutes }),
        ...(features.length > 0 && { features }),
        ...(note && { note }),
        ...(attachmentId !== undefined && { attachmentId }),
      }
      return api.checkIn({ params: { id }, body: Object.keys(body).length > 0 ? body : null })
    },
    onSuccess: async () => {
      await dropFiles(draft)
      notify.success('Checked in')
      await refreshTests()
    },
    // Another device may have checked in, or the test may be over: reloads the screen.
    onError: () => void refreshTests(),
  })
  const details = useRef<HTMLDivElement>(null)
  const tell = () => {
    flushSync(() => setTelling(true))
    // Not on a timer: a phone opens its keyboard only when focus moves during the tap.
    details.current?.querySelector('input')?.focus()
  }
  const features = form.watch('features') ?? []
  const tick = (feature: string, ticked: boolean) =>
    form.setValue('features', ticked ? [...features, feature] : features.filter(each => each !== feature))
  return (
    <Form
      form={form}
      onSubmit={checkIn.mutate}
      loading={checkIn.isPending}
      disabled={uploads.pending}
      submitError={checkIn.error}
      submitLabel="Check in for today"
      submitVariant={proofIsDue({ actions }) ? 'secondary' : 'primary'}
      actions={
        <>
          {!open && (
            <Button variant="outline" onClick={tell}>
              Add details
            </Button>
          )}
          {uploads.pending && <span className="text-muted-foreground">The picture is not uploaded yet.</span>}
          {!campaign.dailyCheckIn && <span className="text-muted-foreground">Optional in this campaign.</span>}
        </>
      }
    >
      {open && (
        <div ref={details} className="grid max-w-xl gap-4">
          <Field of={form} name="minutes" label="Minutes of use" aside="Optional" className="max-w-56">
            {control => <Input {...control} inputMode="numeric" placeholder="15" />}
          </Field>
          {campaign.features.length > 0 && (
            <fieldset className="grid gap-2">
              <legend className="mb-1.5 font-medium">What did you try?</legend>
              {campaign.features.map(feature => (
                <Checkbox
                  key={feature}
                  label={feature}
                  value={features.includes(feature)}
                  onChange={ticked => tick(feature, ticked)}
                />
              ))}
            </fieldset>
          )}
          <Field of={form} name="note" label="Note for the developer" aside="Optional">
            {control => <Input {...control} placeholder="What did you notice today?" />}
          </Field>
          <DayCode of={id} draft={draft} />
          <FilesInput uploads={uploads} label="Screenshot or photo" most={1} />
        </div>
      )}
    </Form>
  )
}

/** The code to show in the picture; renders nothing until it is known. */
const DayCode = ({ of: id, draft }: { of: string; draft: string }) => {
  const today = useQuery({
    queryKey: participationKeys.dayCode(draft),
    queryFn: ({ signal }) => api.dayCode({ params: { id }, signal }),
    staleTime: Infinity,
  })
  if (!today.data) return null
  return (
    <p className="rounded-md border bg-muted px-3 py-2">
      Today’s code: <strong className="font-mono text-lg tracking-widest select-all">{today.data.code}</strong>
      <span className="block text-xs text-muted-foreground">
        A picture that shows this code proves the day: write it on paper beside your phone, or into the app.
      </span>
    </p>
  )
}
