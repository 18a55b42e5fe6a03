/** The fields that the create and edit forms share. */
import { Input, Textarea } from '../../kit/web/ui/Input.tsx'
import { MoneyInput, NumberInput } from '../../kit/web/ui/NumberInput.tsx'
import { Alert } from '../../kit/web/ui/Alert.tsx'
import { Card } from '../../kit/web/ui/Card.tsx'
import { RadioCards, Switch } from '../../kit/web/ui/Choice.tsx'
import { Field } from '../../kit/web/ui/Field.tsx'
import { Skeleton } from '../../kit/web/ui/States.tsx'
import { limits, platformNames, platforms } from '../terms.ts'
import { PlainHttpWarning } from './PlainHttpWarning.tsx'
import type { CampaignFormState } from './campaignValues.ts'
import { grouped } from '../../kit/words.ts'
import { startedPart } from '../../kit/web/ui/laterPart.ts'

const CountriesInput = startedPart(
  async () => (await import('./CountriesInput.tsx')).CountriesInput,
  <Skeleton className="h-24" />,
)
const FeaturesField = startedPart(
  async () => (await import('./FeaturesField.tsx')).FeaturesField,
  <Skeleton className="h-24" />,
)

/** The texts and the link, which can change as long as the campaign can be edited. */
export const AppFields = ({ of: form }: { of: CampaignFormState }) => (
  <Card title="The app">
    <div className="grid gap-5">
      <Field of={form} name="title" label="Title">
        {control => <Input placeholder="Puzzle Garden, closed test" maxLength={limits.title} {...control} />}
      </Field>
      <Field
        of={form}
        name="description"
        label="Description"
        hint="Describe what the app does, what testers should try, and what feedback you want."
        aside={`${grouped(form.watch('description').length)} / ${grouped(limits.description)}`}
      >
        {control => <Textarea rows={6} maxLength={limits.description} {...control} />}
      </Field>
      <Field
        of={form}
        name="distributionLink"
        label="Distribution link"
        hint="TestFlight link for iOS, Play Store or APK link for Android"
      >
        {control => (
          <Input
            type="url"
            inputMode="url"
            autoCapitalize="none"
            spellCheck={false}
            placeholder="https://"
            {...control}
          />
        )}
      </Field>
      <PlainHttpWarning link={form.watch('distributionLink')} />
    </div>
  </Card>
)

/** The terms testers agree to: locked, with the reason, once testers may have joined. */
export const TermsFields = ({
  of: form,
  locked,
}: {
  of: CampaignFormState
  /** Why these terms cannot change. */
  locked?: string | undefined
}) => (
  <fieldset disabled={locked !== undefined} className="grid min-w-0 gap-5">
    <legend className="sr-only">Terms</legend>
    <Card title="Terms">
      <div className="grid gap-5">
        {locked && <Alert>{locked}</Alert>}
        <PlatformField of={form} />
        <div className="grid items-start gap-5 sm:grid-cols-3">
          <Field of={form} name="testersRequired" label="Testers" hint={`${limits.minTesters} to ${limits.maxTesters}`}>
            {control => <NumberInput {...control} />}
          </Field>
          <Field of={form} name="payPerTesterCents" label="Payment per tester" hint="In dollars, at least $1.00">
            {control => <MoneyInput {...control} />}
          </Field>
          <Field of={form} name="durationDays" label="Duration in days" hint={`${limits.minDays} to ${limits.maxDays}`}>
            {control => <NumberInput {...control} />}
          </Field>
        </div>
        <Field
          of={form}
          name="dailyCheckIn"
          hint="Testers confirm every day that they used the app. Testers who miss check-ins for too long lose their seat."
        >
          {({ value, ...control }) => <Switch {...control} value={value ?? true} label="Daily check-in" />}
        </Field>
        <FeaturesField of={form} />
      </div>
    </Card>
    <Card title="Tester requirements">
      <div className="grid gap-5">
        <CountriesInput of={form} />
        <VersionField of={form} />
      </div>
    </Card>
  </fieldset>
)

const PlatformField = ({ of: form }: { of: CampaignFormState }) => (
  <Field of={form} name="platform" label="Platform" group>
    {control => (
      <RadioCards
        {...control}
        className="grid-cols-2"
        options={platforms.map(value => ({ value, label: platformNames[value] }))}
        value={control.value ?? 'android'}
        onChange={platform => {
          // The other platform's version field is hidden now, so its value must not count.
          form.setValue(platform === 'ios' ? 'filters.minAndroidVersion' : 'filters.minIOSVersion', '')
          form.clearErrors(['filters.minAndroidVersion', 'filters.minIOSVersion'])
          if (platform === 'ios') {
            // A closed test on Google Play is not for iOS.
            form.setValue('accessMode', 'OPEN_LINK')
            form.setValue('groupLink', null)
            form.clearErrors(['accessMode', 'groupLink'])
          }
          control.onChange(platform)
        }}
      />
    )}
  </Field>
)

const VersionField = ({ of: form }: { of: CampaignFormState }) => {
  const isAndroid = form.watch('platform') !== 'ios'
  const name = isAndroid ? 'filters.minAndroidVersion' : 'filters.minIOSVersion'
  return (
    <Field
      key={name}
      of={form}
      name={name}
      label={isAndroid ? 'Minimum Android version' : 'Minimum iOS version'}
      aside="Optional"
      className="sm:max-w-72"
    >
      {control => (
        <Input
          inputMode="decimal"
          autoComplete="off"
          placeholder={isAndroid ? '13' : '17.2'}
          {...control}
          value={control.value ?? ''}
        />
      )}
    </Field>
  )
}
