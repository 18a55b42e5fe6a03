import { useState } from 'react'
import { auditKeys } from '../../audit/web/keys.ts'
import { queryClient, invalidate } from '../../kit/web/query.ts'
import { Button } from '../../kit/web/ui/Button.tsx'
import { Card } from '../../kit/web/ui/Card.tsx'
import { Switch } from '../../kit/web/ui/Choice.tsx'
import { ConfirmDialog } from '../../kit/web/ui/ConfirmDialog.tsx'
import { Field } from '../../kit/web/ui/Field.tsx'
import { Form, useSchemaForm } from '../../kit/web/ui/Form.tsx'
import { MoneyInput, PercentInput } from '../../kit/web/ui/NumberInput.tsx'
import { LeaveGuard } from '../../kit/web/ui/LeaveGuard.tsx'
import { Select } from '../../kit/web/ui/Select.tsx'
import { useFollowServer } from '../../kit/web/ui/followServer.ts'
import { notify } from '../../kit/web/ui/toast.tsx'
import type { Settings, SettingsChange } from '../contract.ts'
import { protectsLess } from '../limits.ts'
import { leastHours } from '../terms.ts'
import { RetentionFields } from './RetentionFields.tsx'
import { NumberSetting, SettingField, type SettingsControl } from './SettingField.tsx'
import { api, settingsQuery } from './calls.ts'
import { settingsKeys } from './keys.ts'
import { settingDefaults, settingLabels, settingNames, settingText, weakPasswordWords } from './settingWords.ts'

const schema = async () => (await import('../contract.ts')).SettingsChange

const policyOptions = Object.entries(weakPasswordWords).map(([value, label]) => ({ value, label }))

const changedNames = (settings: Settings, change: SettingsChange) =>
  settingNames.filter(name => change[name] !== undefined && change[name] !== settings[name])

/** Sends only what changed: another admin may change other settings before this is confirmed. */
const changeOf = (settings: Settings, input: SettingsChange): SettingsChange =>
  Object.fromEntries(changedNames(settings, input).map(name => [name, input[name]]))

/** A value from before there was a lower bound. It applies to new campaigns, and until it is raised nothing else can be saved. */
const tooShort = (settings: Settings, name: keyof typeof leastHours) =>
  settings[name] < leastHours[name]
    ? ` ${settings[name]} hours is too short, but new campaigns still start with it. Raise it to ${leastHours[name]} or more.`
    : ''

export const SettingsForm = ({ settings }: { settings: Settings }) => {
  const [pending, setPending] = useState<SettingsChange | null>(null)
  const form = useSchemaForm(schema, settings)
  useFollowServer(form, settings)
  const values = form.watch()
  const unchanged = changedNames(settings, values).length === 0
  const isDefault = settingNames.every(name => values[name] === settingDefaults[name])
  return (
    <Card className="max-w-2xl">
      <Form
        form={form}
        onSubmit={input => setPending(changeOf(settings, input))}
        loading={false}
        submitError={null}
        submitLabel="Save changes"
        disabled={unchanged}
        actions={
          <Button
            variant="ghost"
            aria-disabled={isDefault || undefined}
            onClick={() => form.reset(settingDefaults, { keepDefaultValues: true })}
          >
            Restore defaults
          </Button>
        }
      >
        <div className="grid gap-5 sm:grid-cols-2">
          <NumberSetting form={form} name="feeBasisPoints" input={PercentInput} hint="Added to the testers’ pay." />
          <NumberSetting
            form={form}
            name="minimumWithdrawalCents"
            input={MoneyInput}
            hint="Takes effect immediately for all withdrawals."
          />
          <PayoutLimit form={form} />
          <NumberSetting
            form={form}
            name="reviewHours"
            unit="hours"
            hint="A proof that is not reviewed in this time is verified automatically."
          />
          <NumberSetting
            form={form}
            name="atRiskHours"
            unit="hours"
            hint={`The tester and developer are warned after this long without a check-in or a due proof.${tooShort(settings, 'atRiskHours')}`}
          />
          <NumberSetting
            form={form}
            name="dropHours"
            unit="hours"
            hint={`The tester loses their seat after this long without a check-in or a due proof. Must be longer than the at-risk time.${tooShort(settings, 'dropHours')}`}
          />
          <NumberSetting
            form={form}
            name="draftsPerDeveloper"
            hint="A developer with this many drafts has to pay for or cancel one before creating another."
          />
          <NumberSetting
            form={form}
            name="openTestsPerTester"
            hint="A tester with this many open tests has to finish or leave one before joining another."
          />
          <NumberSetting
            form={form}
            name="answerCharacters"
            unit="characters"
            hint="The maximum length of each draft answer that a campaign’s report offers for Google’s production access form."
          />
          <NumberSetting
            form={form}
            name="goodwillPerDeveloperCents"
            input={MoneyInput}
            hint="The most the platform pays in a calendar month (UTC) for one developer’s campaigns, when no one decides an appeal within 7 days. Anything above this waits."
          />
          <NumberSetting
            form={form}
            name="goodwillInAllCents"
            input={MoneyInput}
            hint="The most for all developers together. At 0, the platform pays nothing, and every appeal waits for an admin."
          />
          <NumberSetting
            form={form}
            name="consentAfterOverturned"
            hint="Once admins have overturned this many of a developer’s last settled rejections, each further one needs an admin’s consent. Appeals the platform paid because no one decided them are not counted."
          />
          <NumberSetting
            form={form}
            name="consentOfLast"
            hint="How many of a developer’s latest rejections are considered, whether final, upheld or overturned."
          />
          <Field
            of={form}
            name="confirmedEmailRequired"
            hint="Applies only where the server sends email. There, withdrawing always requires a confirmed address."
          >
            {control => (
              <Switch
                label="Require a confirmed email address to join and pay"
                {...control}
                value={control.value ?? false}
              />
            )}
          </Field>
          <SettingField
            form={form}
            name="weakPasswords"
            hint="Common passwords, the person’s own name or email address, and a single repeated character. Admins can never use them."
          >
            {({ value, onChange, ...control }) => (
              <Select options={policyOptions} value={value ?? ''} onValue={onChange} {...control} />
            )}
          </SettingField>
        </div>
        <RetentionFields form={form} />
      </Form>
      <LeaveGuard
        dirty={!unchanged}
        title="Leave without saving?"
        description="Your changes to the system settings will be lost."
      />
      {pending && (
        <ConfirmChange
          settings={settings}
          change={pending}
          onSaved={saved => form.reset(saved)}
          onClose={() => setPending(null)}
        />
      )}
    </Card>
  )
}

/** Off, or a limit in dollars. */
const PayoutLimit = ({ form }: { form: SettingsControl }) => (
  <SettingField
    form={form}
    name="payoutApprovalCents"
    hint="Withdrawals that take a tester above it within 7 days wait until one admin has released them and another has confirmed. Changes apply to new withdrawals only. Requires two active admins; both must agree to raise it or turn it off."
  >
    {({ value, onChange, id, ...control }) => (
      <div className="grid gap-2">
        <Switch
          // With a limit, its field is the one that is described.
          {...(value == null && { id, 'aria-describedby': control['aria-describedby'] })}
          label="Require two admins"
          value={value != null}
          onChange={on => onChange(on ? suggestedLimitCents : null)}
        />
        {value != null && <MoneyInput id={id} value={value} onChange={onChange} {...control} />}
      </div>
    )}
  </SettingField>
)

const suggestedLimitCents = 50_000

const ConfirmChange = ({
  settings,
  change,
  onSaved,
  onClose,
}: {
  settings: Settings
  change: SettingsChange
  /** Starts with the present values: until another admin confirms a new limit, the old one holds. */
  onSaved: (saved: Settings) => void
  onClose: () => void
}) => {
  const changed = changedNames(settings, change)
  const isProposed =
    change.payoutApprovalCents !== undefined && protectsLess(settings.payoutApprovalCents, change.payoutApprovalCents)
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title="Change the system settings?"
      description={`Changes to the fee and hours apply to new campaigns only. Everything else changes immediately${isProposed ? `, except “${settingLabels.payoutApprovalCents}”, which waits until another admin confirms it` : ''}.`}
      items={changed.map(name => ({
        label: settingLabels[name],
        value: `${settingText(name, settings[name])} → ${settingText(name, change[name]!)}`,
      }))}
      confirmLabel="Save changes"
      onConfirm={async () => {
        const { limitChange, ...saved } = await api.changeSettings({ body: changeOf(settings, change) })
        queryClient.setQueryData(settingsQuery.queryKey, { ...saved, limitChange })
        onSaved(saved)
        notify.success(
          isProposed ? 'Another admin has to confirm the change to the two-admin rule' : 'System settings saved',
        )
        await invalidate(settingsKeys.all, auditKeys.all)
      }}
    />
  )
}
