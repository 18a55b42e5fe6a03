import { useRef } from 'react'
import { Alert } from '../../kit/web/ui/Alert.tsx'
import { Card } from '../../kit/web/ui/Card.tsx'
import { RadioCards } from '../../kit/web/ui/Choice.tsx'
import { Field } from '../../kit/web/ui/Field.tsx'
import { Input } from '../../kit/web/ui/Input.tsx'
import { accessModes } from '../terms.ts'
import type { CampaignFormState } from './campaignValues.ts'
import { accessHints, accessLabels } from './words.ts'

/**
 * How testers get in. The mode is fixed once the campaign has started; the link of a group can change, and then waits for an
 * admin.
 */
export const AccessFields = ({
  of: form,
  locked,
  onChosen,
}: {
  of: CampaignFormState
  locked: boolean
  /** The developer has chosen, so nothing is proposed. */
  onChosen?: (() => void) | undefined
}) => {
  const [platform, mode] = form.watch(['platform', 'accessMode'])
  const isIos = platform === 'ios'
  return (
    <Card title="How testers get in">
      <div className="grid gap-5">
        {isIos && (
          <Alert>iOS testers get in with the link. Tester lists are only for closed tests on Google Play.</Alert>
        )}
        <fieldset disabled={locked} className="grid min-w-0 gap-5">
          <legend className="sr-only">Access</legend>
          <ModeField of={form} isIos={isIos} onChosen={onChosen} />
        </fieldset>
        {mode === 'GOOGLE_GROUP' && <GroupField of={form} />}
      </div>
    </Card>
  )
}

const ModeField = ({
  of: form,
  isIos,
  onChosen,
}: {
  of: CampaignFormState
  isIos: boolean
  onChosen: (() => void) | undefined
}) => {
  /** Switching to another mode and back keeps what was typed. */
  const group = useRef<string | null>(null)
  const shown = isIos ? (['OPEN_LINK'] as const) : accessModes
  return (
    <Field of={form} name="accessMode" label="Access" group>
      {control => (
        <RadioCards
          {...control}
          options={shown.map(value => ({ value, label: accessLabels[value], hint: accessHints[value] }))}
          value={control.value ?? 'OPEN_LINK'}
          onChange={mode => {
            const left = form.getValues('groupLink') ?? null
            if (left !== null) group.current = left
            form.setValue('groupLink', mode === 'GOOGLE_GROUP' ? group.current : null)
            form.clearErrors(['groupLink', 'distributionLink'])
            onChosen?.()
            control.onChange(mode)
          }}
        />
      )}
    </Field>
  )
}

const GroupField = ({ of: form }: { of: CampaignFormState }) => (
  <Field
    of={form}
    name="groupLink"
    label="Group link"
    hint="Testers see it before they join, or after they accept your NDA, with a note that the group’s owner can see its members’ addresses."
  >
    {control => (
      <Input
        type="url"
        inputMode="url"
        autoCapitalize="none"
        spellCheck={false}
        placeholder="https://groups.google.com/g/your-testers"
        {...control}
        value={control.value ?? ''}
        onChange={({ target }) => control.onChange(target.value === '' ? null : target.value)}
      />
    )}
  </Field>
)
