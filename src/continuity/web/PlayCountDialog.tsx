import type { Campaign } from '../../campaigns/contract.ts'
import { clock, dayIn } from '../../kit/clock.ts'
import { Field } from '../../kit/web/ui/Field.tsx'
import { useSchemaForm } from '../../kit/web/ui/Form.tsx'
import { FormDialog } from '../../kit/web/ui/FormDialog.tsx'
import { Input } from '../../kit/web/ui/Input.tsx'
import { NumberInput } from '../../kit/web/ui/NumberInput.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import { api, refreshClock } from './calls.ts'
import { PlayCountForm } from './playCountSchema.ts'

type Props = { campaign: Campaign; onClose: () => void }

export const PlayCountDialog = ({ campaign, onClose }: Props) => {
  const today = dayIn('UTC', clock.now())
  const form = useSchemaForm(PlayCountForm, { day: today })
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title="Play Console’s number"
      description="How many testers does Play Console show as opted in to your closed test?"
      submitLabel="Record"
      onSubmit={async ({ day, count }) => {
        await api.recordPlayCount({ params: { id: campaign.id, day }, body: { count } })
        notify.success('Number recorded')
        void refreshClock()
      }}
    >
      <Field of={form} name="count" label="Testers opted in">
        {control => <NumberInput {...control} />}
      </Field>
      <Field of={form} name="day" label="Day" hint="In UTC. A later number for the same day replaces the earlier one.">
        {control => (
          <Input
            type="date"
            min={campaign.startDate ? dayIn('UTC', campaign.startDate) : undefined}
            max={today}
            {...control}
          />
        )}
      </Field>
    </FormDialog>
  )
}
