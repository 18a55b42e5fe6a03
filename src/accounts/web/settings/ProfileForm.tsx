import { useMutation } from '@tanstack/react-query'
import { useDeferredValue, useMemo } from 'react'
import type { z } from 'zod'
import { ownTimeZone } from '../../../kit/clock.ts'
import { queryClient } from '../../../kit/web/query.ts'
import { session } from '../../../kit/web/session.ts'
import { Button } from '../../../kit/web/ui/Button.tsx'
import { Field } from '../../../kit/web/ui/Field.tsx'
import { Form, useSchemaForm } from '../../../kit/web/ui/Form.tsx'
import { Input } from '../../../kit/web/ui/Input.tsx'
import { LeaveGuard } from '../../../kit/web/ui/LeaveGuard.tsx'
import { Select } from '../../../kit/web/ui/Select.tsx'
import { useFollowServer } from '../../../kit/web/ui/followServer.ts'
import { notify } from '../../../kit/web/ui/toast.tsx'
import type { User } from '../../contract.ts'
import { countries } from '../../../kit/countries.ts'
import { api } from '../calls.ts'
import { meQuery } from '../face.tsx'
import { profileHints, profileLabels, saveProfile } from './profileWords.ts'

const schema = async () =>
  (await import('../../contract.ts')).ProfileChange.pick({ name: true, country: true, timeZone: true })

const countryOptions = [
  { value: '', label: 'Not set' },
  ...countries().map(({ code, name }) => ({ value: code, label: name })),
]

const zoneLabel = (zone: string) => zone.replaceAll('_', ' ')

const optionOfZone = (zone: string) => ({ value: zone, label: zoneLabel(zone) })

/** The browser's name for the zone: zones get renamed, and the old names stay in use. */
const browserName = (zone: string): string => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone
  } catch {
    // The zone is newer than the browser.
    return zone
  }
}

/** The browser's list, but with the current zone under the name that the user has chosen. */
const zoneOptions = (present: string) => {
  const otherName = browserName(present)
  return [...new Set([...Intl.supportedValuesOf('timeZone').filter(zone => zone !== otherName), 'UTC', present])]
    .toSorted()
    .map(optionOfZone)
}

const here = ownTimeZone()

const valuesOf = ({ name, country, timeZone }: User) => ({ name, country, timeZone })
type Profile = z.output<Awaited<ReturnType<typeof schema>>>

/** Sends only changed fields, because the others may have been changed in another tab. */
const changeOf = (user: User, input: Profile): Profile => {
  const before: Profile = valuesOf(user)
  const changed = Object.entries(input).filter(([field, value]) => before[field as keyof Profile] !== value)
  return changed.length > 0 ? Object.fromEntries(changed) : { name: user.name }
}

export const ProfileForm = ({ user }: { user: User }) => {
  const form = useSchemaForm(schema, valuesOf(user))
  useFollowServer(form, valuesOf(user))
  const save = useMutation({
    mutationFn: (input: Profile) => api.updateMe({ body: changeOf(user, input) }),
    onSuccess: saved => {
      // The top bar reads the name from the session.
      session.update(saved)
      form.reset(valuesOf(saved))
      queryClient.setQueryData(meQuery.queryKey, saved)
      notify.success('Profile saved')
    },
  })
  const zone = form.watch('timeZone')
  // Nearly 700 options, of which a closed select shows two: the others are drawn after the screen, in slices.
  const isDrawn = useDeferredValue(true, false)
  const zones = useMemo(
    () => (isDrawn ? zoneOptions(user.timeZone) : [optionOfZone(user.timeZone)]),
    [isDrawn, user.timeZone],
  )
  const shownCountries = isDrawn ? countryOptions : countryOptions.filter(({ value }) => value === (user.country ?? ''))
  const hints = profileHints(user.role)
  return (
    <Form
      form={form}
      onSubmit={save.mutate}
      loading={save.isPending}
      submitError={save.error}
      submitLabel={saveProfile}
      disabled={!form.formState.isDirty}
    >
      <div className="grid gap-5 sm:grid-cols-2">
        <Field of={form} name="name" label={profileLabels.name}>
          {control => <Input autoComplete="name" {...control} value={control.value ?? ''} />}
        </Field>
        <Field of={form} name="country" label={profileLabels.country} hint={hints.country}>
          {({ value, onChange, ...control }) => (
            <Select
              options={shownCountries}
              value={value ?? ''}
              onValue={code => onChange(code === '' ? null : code)}
              {...control}
            />
          )}
        </Field>
        <Field
          of={form}
          name="timeZone"
          label={profileLabels.timeZone}
          aside={
            here !== null &&
            zone !== undefined &&
            browserName(zone) !== here && (
              <Button variant="link" onClick={() => form.setValue('timeZone', here, { shouldDirty: true })}>
                Use {zoneLabel(here)}
              </Button>
            )
          }
          hint={hints.timeZone}
        >
          {({ value, onChange, ...control }) => (
            <Select options={zones} value={value ?? ''} onValue={onChange} {...control} />
          )}
        </Field>
      </div>
      <LeaveGuard
        dirty={form.formState.isDirty}
        title="Leave without saving?"
        description="Your changes to your profile will be lost."
      />
    </Form>
  )
}
