import { useState } from 'react'
import { useController } from 'react-hook-form'
import { afterPress } from '../../kit/web/press.ts'
import { FieldFrame } from '../../kit/web/ui/FieldFrame.tsx'
import { Input } from '../../kit/web/ui/Input.tsx'
import type { CampaignFormState } from './campaignValues.ts'
import { sameValues } from './sameValues.ts'
import { fullCountryName } from './words.ts'

/** Comma-separated, trimmed, empties dropped (spec §5). */
const read = (text: string) =>
  text
    .split(',')
    .map(name => name.trim())
    .filter(name => name !== '')

/** A list in the form, a line of text on screen; the hint shows the countries it was read as. */
export const CountriesInput = ({ of: form }: { of: CampaignFormState }) => {
  const { field, fieldState } = useController({ control: form.control, name: 'filters.countries' })
  const [typed, setTyped] = useState('')
  const countries = field.value ?? []
  // Keep the typed text while it means the form's value ("DE, ").
  const text = sameValues(read(typed), countries) ? typed : countries.join(', ')
  const understood = countries.map(fullCountryName)
  return (
    <FieldFrame
      label="Target countries"
      aside="Optional"
      hint={
        sameValues(understood, countries)
          ? 'Separate countries with commas. Leave empty to accept testers from anywhere.'
          : `Testers from ${understood.join(', ')}`
      }
      error={firstMessage(fieldState.error)}
    >
      {wiring => (
        <Input
          {...wiring}
          name={field.name}
          autoComplete="off"
          placeholder="Germany, Japan, United States"
          value={text}
          onChange={({ target }) => {
            setTyped(target.value)
            field.onChange(read(target.value))
          }}
          onBlur={() => {
            field.onBlur()
            if (countries.length > 0) void afterPress(() => form.trigger('filters.countries'))
          }}
        />
      )}
    </FieldFrame>
  )
}

/** The error may be on the list or on one of its items. */
const firstMessage = (error: unknown): string | undefined => {
  if (Array.isArray(error)) return error.map(firstMessage).find(message => message !== undefined)
  if (typeof error !== 'object' || error === null || !('message' in error)) return undefined
  return typeof error.message === 'string' ? error.message : undefined
}
