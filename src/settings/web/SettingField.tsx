import type { ComponentProps } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { Field } from '../../kit/web/ui/Field.tsx'
import { NumberInput } from '../../kit/web/ui/NumberInput.tsx'
import type { Settings, SettingsChange } from '../contract.ts'
import { settingDefaults, settingLabels, settingText } from './settingWords.ts'

export type SettingsControl = UseFormReturn<SettingsChange, unknown, SettingsChange>

type Props<Name extends keyof Settings> = Pick<
  ComponentProps<typeof Field<SettingsChange, SettingsChange, Name>>,
  'hint' | 'children'
> & {
  form: SettingsControl
  name: Name
  /** Shown in parentheses after the label. */
  unit?: string
}

/** "72", "$200.00", "Warn people": the label has a number's unit. */
const defaultText = (name: keyof Settings) => settingText(name, settingDefaults[name]).replace(/^([$\d]\S*) .*/, '$1')

/** A setting with its label and its default. */
export const SettingField = <const Name extends keyof Settings>({ form, name, unit, ...field }: Props<Name>) => (
  <Field
    of={form}
    name={name}
    label={unit === undefined ? settingLabels[name] : `${settingLabels[name]} (${unit})`}
    aside={<span className="whitespace-nowrap">Default: {defaultText(name)}</span>}
    {...field}
  />
)

type NumberName = { [Name in keyof Settings]: Settings[Name] extends number ? Name : never }[keyof Settings]

export const NumberSetting = ({
  input: Input = NumberInput,
  ...setting
}: Omit<Props<NumberName>, 'children'> & { input?: typeof NumberInput }) => (
  <SettingField {...setting}>{control => <Input {...control} />}</SettingField>
)
