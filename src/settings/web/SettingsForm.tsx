import { useState } from 'react'
import { queryClient } from '../../kit/web/query.ts'
import { Button } from '../../kit/web/ui/Button.tsx'
import { Card } from '../../kit/web/ui/Card.tsx'
import { ConfirmDialog } from '../../kit/web/ui/ConfirmDialog.tsx'
import { Field } from '../../kit/web/ui/Field.tsx'
import { Form, useSchemaForm } from '../../kit/web/ui/Form.tsx'
import { MoneyInput, NumberInput, PercentInput } from '../../kit/web/ui/Input.tsx'
import { LeaveGuard } from '../../kit/web/ui/LeaveGuard.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import type { Settings, SettingsChange } from '../contract.ts'
import { api } from './calls.ts'
import { settingDefaults, settingLabels, settingNames, settingText } from './settingWords.ts'

const schema = async () => (await import('../contract.ts')).SettingsChange

const standard = (name: keyof Settings) => <>Default {settingText[name](settingDefaults[name])}</>

const changedNames = (settings: Settings, wish: SettingsChange) =>
  settingNames.filter(name => wish[name] !== undefined && wish[name] !== settings[name])

export const SettingsForm = ({ settings }: { settings: Settings }) => {
  const [wish, setWish] = useState<SettingsChange | null>(null)
  const form = useSchemaForm(schema, settings)
  const values = form.watch()
  const unchanged = changedNames(settings, values).length === 0
  const isStandard = settingNames.every(name => values[name] === settingDefaults[name])
  return (
    <Card className="max-w-2xl">
      <Form
        form={form}
        onSubmit={setWish}
        loading={false}
        submitError={null}
        submitLabel="Save changes"
        disabled={unchanged}
        actions={
          <Button
            variant="ghost"
            disabled={isStandard}
            onClick={() => form.reset(settingDefaults, { keepDefaultValues: true })}
          >
            Restore defaults
          </Button>
        }
      >
        <div className="grid gap-5 sm:grid-cols-2">
          <Field
            of={form}
            name="feeBasisPoints"
            label={settingLabels.feeBasisPoints}
            aside={standard('feeBasisPoints')}
            hint="On top of what testers are paid."
          >
            {control => <PercentInput {...control} />}
          </Field>
          <Field
            of={form}
            name="minimumWithdrawalCents"
            label={settingLabels.minimumWithdrawalCents}
            aside={standard('minimumWithdrawalCents')}
            hint="Applies at once, to every withdrawal."
          >
            {control => <MoneyInput {...control} />}
          </Field>
          <Field
            of={form}
            name="reviewHours"
            label={`${settingLabels.reviewHours} (hours)`}
            aside={standard('reviewHours')}
            hint="A proof that nobody reviews counts as verified after it."
          >
            {control => <NumberInput {...control} />}
          </Field>
          <Field
            of={form}
            name="atRiskHours"
            label={`${settingLabels.atRiskHours} (hours)`}
            aside={standard('atRiskHours')}
            hint="Without a check-in, or a proof that is due, tester and developer are warned."
          >
            {control => <NumberInput {...control} />}
          </Field>
          <Field
            of={form}
            name="dropHours"
            label={`${settingLabels.dropHours} (hours)`}
            aside={standard('dropHours')}
            hint="Without a check-in, or a proof that is due, the seat is free again. Later than at risk."
          >
            {control => <NumberInput {...control} />}
          </Field>
        </div>
      </Form>
      <LeaveGuard
        dirty={!unchanged}
        title="Leave without saving?"
        description="Your changes to the system settings will be lost."
      />
      {wish && <ConfirmChange settings={settings} wish={wish} onClose={() => setWish(null)} />}
    </Card>
  )
}

const ConfirmChange = ({
  settings,
  wish,
  onClose,
}: {
  settings: Settings
  wish: SettingsChange
  onClose: () => void
}) => {
  const changed = changedNames(settings, wish)
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title="Change the system settings?"
      description="The fee and the hours apply to new campaigns only. The minimum withdrawal applies at once."
      items={changed.map(name => ({
        label: settingLabels[name],
        value: `${settingText[name](settings[name])} → ${settingText[name](wish[name]!)}`,
      }))}
      confirmLabel="Save changes"
      errorFallback="Failed to save the system settings"
      onConfirm={async () => {
        const body = Object.fromEntries(changed.map(name => [name, wish[name]]))
        queryClient.setQueryData(['admin', 'settings'], await api.changeSettings({ body }))
        notify.success('System settings saved')
        await queryClient.invalidateQueries({ queryKey: ['admin'] })
      }}
    />
  )
}
