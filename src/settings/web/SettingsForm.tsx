import { useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { auditKeys } from '../../audit/web/keys.ts'
import { queryClient, invalidate } from '../../kit/web/query.ts'
import { Button } from '../../kit/web/ui/Button.tsx'
import { Card } from '../../kit/web/ui/Card.tsx'
import { Switch } from '../../kit/web/ui/Choice.tsx'
import { ConfirmDialog } from '../../kit/web/ui/ConfirmDialog.tsx'
import { Field } from '../../kit/web/ui/Field.tsx'
import { Form, useSchemaForm } from '../../kit/web/ui/Form.tsx'
import { MoneyInput, NumberInput, PercentInput } from '../../kit/web/ui/NumberInput.tsx'
import { LeaveGuard } from '../../kit/web/ui/LeaveGuard.tsx'
import { Select } from '../../kit/web/ui/Select.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import type { Settings, SettingsChange } from '../contract.ts'
import { RetentionFields } from './RetentionFields.tsx'
import { api, settingsQuery } from './calls.ts'
import { settingsKeys } from './keys.ts'
import { settingDefaults, settingLabels, settingNames, settingText, weakPasswordWords } from './settingWords.ts'

const schema = async () => (await import('../contract.ts')).SettingsChange

const policyOptions = Object.entries(weakPasswordWords).map(([value, label]) => ({ value, label }))

const defaultValue = (name: keyof Settings) => <>Default {settingText(name, settingDefaults[name])}</>

const changedNames = (settings: Settings, change: SettingsChange) =>
  settingNames.filter(name => change[name] !== undefined && change[name] !== settings[name])

export const SettingsForm = ({ settings }: { settings: Settings }) => {
  const [pending, setPending] = useState<SettingsChange | null>(null)
  const form = useSchemaForm(schema, settings)
  const values = form.watch()
  const unchanged = changedNames(settings, values).length === 0
  const isDefault = settingNames.every(name => values[name] === settingDefaults[name])
  return (
    <Card className="max-w-2xl">
      <Form
        form={form}
        onSubmit={setPending}
        loading={false}
        submitError={null}
        submitLabel="Save changes"
        disabled={unchanged}
        actions={
          <Button
            variant="ghost"
            disabled={isDefault}
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
            aside={defaultValue('feeBasisPoints')}
            hint="Added to the testers’ pay."
          >
            {control => <PercentInput {...control} />}
          </Field>
          <Field
            of={form}
            name="minimumWithdrawalCents"
            label={settingLabels.minimumWithdrawalCents}
            aside={defaultValue('minimumWithdrawalCents')}
            hint="Takes effect immediately for all withdrawals."
          >
            {control => <MoneyInput {...control} />}
          </Field>
          <PayoutLimit form={form} />
          <Field
            of={form}
            name="reviewHours"
            label={`${settingLabels.reviewHours} (hours)`}
            aside={defaultValue('reviewHours')}
            hint="A proof that is not reviewed in this time is verified automatically."
          >
            {control => <NumberInput {...control} />}
          </Field>
          <Field
            of={form}
            name="atRiskHours"
            label={`${settingLabels.atRiskHours} (hours)`}
            aside={defaultValue('atRiskHours')}
            hint="The tester and developer are warned after this long without a check-in or a due proof."
          >
            {control => <NumberInput {...control} />}
          </Field>
          <Field
            of={form}
            name="dropHours"
            label={`${settingLabels.dropHours} (hours)`}
            aside={defaultValue('dropHours')}
            hint="The tester loses their seat after this long without a check-in or a due proof. Must be longer than the at-risk time."
          >
            {control => <NumberInput {...control} />}
          </Field>
          <Field
            of={form}
            name="draftsPerDeveloper"
            label={settingLabels.draftsPerDeveloper}
            aside={defaultValue('draftsPerDeveloper')}
            hint="A developer with this many drafts has to pay for or cancel one before creating another."
          >
            {control => <NumberInput {...control} />}
          </Field>
          <Field
            of={form}
            name="openTestsPerTester"
            label={settingLabels.openTestsPerTester}
            aside={defaultValue('openTestsPerTester')}
            hint="A tester with this many open tests has to finish or leave one before joining another."
          >
            {control => <NumberInput {...control} />}
          </Field>
          <Field
            of={form}
            name="answerCharacters"
            label={`${settingLabels.answerCharacters} (characters)`}
            aside={defaultValue('answerCharacters')}
            hint="The longest draft that a campaign’s report offers for a question of Google’s form for production access."
          >
            {control => <NumberInput {...control} />}
          </Field>
          <Field
            of={form}
            name="goodwillPerDeveloperCents"
            label={`${settingLabels.goodwillPerDeveloperCents} (a month)`}
            aside={defaultValue('goodwillPerDeveloperCents')}
            hint="The most the platform pays in a calendar month (UTC), for one developer’s campaigns, when nobody decides an appeal in 7 days. What lies above waits."
          >
            {control => <MoneyInput {...control} />}
          </Field>
          <Field
            of={form}
            name="goodwillInAllCents"
            label={`${settingLabels.goodwillInAllCents} (a month)`}
            aside={defaultValue('goodwillInAllCents')}
            hint="The same for all developers together. With 0 the platform pays nothing, and every appeal waits for an admin."
          >
            {control => <MoneyInput {...control} />}
          </Field>
          <Field
            of={form}
            name="consentAfterOverturned"
            label={settingLabels.consentAfterOverturned}
            aside={defaultValue('consentAfterOverturned')}
            hint="Once admins have overturned this many of a developer’s last settled rejections, each further one needs an admin’s consent. What the platform paid for undecided appeals counts neither way."
          >
            {control => <NumberInput {...control} />}
          </Field>
          <Field
            of={form}
            name="consentOfLast"
            label={settingLabels.consentOfLast}
            aside={defaultValue('consentOfLast')}
            hint="How many of the developer’s newest rejections are looked at: those that are final, upheld or overturned."
          >
            {control => <NumberInput {...control} />}
          </Field>
          <Field
            of={form}
            name="confirmedEmailRequired"
            hint="Where emails are sent: joining and paying wait until the address is confirmed. Withdrawing always does."
          >
            {control => (
              <Switch
                label="Require a confirmed email address to join and pay"
                {...control}
                value={control.value ?? false}
              />
            )}
          </Field>
          <Field
            of={form}
            name="weakPasswords"
            label={settingLabels.weakPasswords}
            aside={defaultValue('weakPasswords')}
            hint="Common ones, one’s own name or email address, and one repeated character. Admins are always refused them."
          >
            {({ value, onChange, ...control }) => (
              <Select options={policyOptions} value={value ?? ''} onValue={onChange} {...control} />
            )}
          </Field>
        </div>
        <RetentionFields form={form} />
      </Form>
      <LeaveGuard
        dirty={!unchanged}
        title="Leave without saving?"
        description="Your changes to the system settings will be lost."
      />
      {pending && <ConfirmChange settings={settings} change={pending} onClose={() => setPending(null)} />}
    </Card>
  )
}

/** Off, or a limit in dollars. */
const PayoutLimit = ({ form }: { form: UseFormReturn<SettingsChange, unknown, SettingsChange> }) => (
  <Field
    of={form}
    name="payoutApprovalCents"
    label={settingLabels.payoutApprovalCents}
    aside={defaultValue('payoutApprovalCents')}
    hint="Withdrawals above it wait until one admin has released them and another has confirmed. A change holds for new ones only. Needs two active admins."
  >
    {({ value, onChange, id, ...control }) => (
      <div className="grid gap-2">
        <Switch
          label="Ask two admins"
          value={value != null}
          onChange={on => onChange(on ? suggestedLimitCents : null)}
        />
        {value != null && <MoneyInput id={id} value={value} onChange={onChange} {...control} />}
      </div>
    )}
  </Field>
)

const suggestedLimitCents = 50_000

const ConfirmChange = ({
  settings,
  change,
  onClose,
}: {
  settings: Settings
  change: SettingsChange
  onClose: () => void
}) => {
  const changed = changedNames(settings, change)
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title="Change the system settings?"
      description="Changes to the fee and hours apply to new campaigns only. Everything else changes immediately."
      items={changed.map(name => ({
        label: settingLabels[name],
        value: `${settingText(name, settings[name])} → ${settingText(name, change[name]!)}`,
      }))}
      confirmLabel="Save changes"
      onConfirm={async () => {
        const body = Object.fromEntries(changed.map(name => [name, change[name]]))
        queryClient.setQueryData(settingsQuery.queryKey, await api.changeSettings({ body }))
        notify.success('System settings saved')
        await invalidate(settingsKeys.all, auditKeys.all)
      }}
    />
  )
}
