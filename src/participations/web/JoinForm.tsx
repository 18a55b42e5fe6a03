import { useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense, use, useEffect, useRef, useState } from 'react'
import { z } from 'zod'
import { ApiError, isMissing } from '../../kit/web/apiError.ts'
import { Alert } from '../../kit/web/ui/Alert.tsx'
import { Button } from '../../kit/web/ui/Button.tsx'
import { Checkbox } from '../../kit/web/ui/Choice.tsx'
import { DialogButtons } from '../../kit/web/ui/DialogButtons.tsx'
import { EmailInput } from '../../kit/web/ui/EmailInput.tsx'
import { Field } from '../../kit/web/ui/Field.tsx'
import { Form, useSchemaForm } from '../../kit/web/ui/Form.tsx'
import { Input } from '../../kit/web/ui/Input.tsx'
import { Query } from '../../kit/web/ui/Query.tsx'
import { Select } from '../../kit/web/ui/Select.tsx'
import { PageSpinner } from '../../kit/web/ui/Spinner.tsx'
import { isEntered, useTellEntered } from '../../kit/web/ui/FormDialog.tsx'
import type { Campaign } from '../../campaigns/contract.ts'
import { platformNames } from '../../campaigns/terms.ts'
import type { ReplyOf } from '../../kit/endpoint.ts'
import { PlayConsent } from '../../playAddresses/contract.ts'
import { addressWarning } from '../../playAddresses/rules.ts'
import { DeviceInfo, type Joining, type participationApi } from '../contract.ts'
import { api, refreshTests } from './calls.ts'
import { type Device, detectDevice } from './device.ts'
import { participationKeys } from './keys.ts'

type JoinFormFacts = ReplyOf<typeof participationApi.joinForm>

/** The device that this browser knows; a browser that knows none, such as a new computer's, gets the device of the last test. */
const deviceOf = (detected: Device, last: JoinFormFacts['device']): Device =>
  detected.model !== '' || detected.platform !== undefined || last === null
    ? detected
    : {
        platform: last.platform ?? undefined,
        model: last.model,
        osVersion: last.osVersion ?? '',
        manufacturer: last.manufacturer ?? '',
      }

/** `address` is empty where the campaign has no tester list. */
export type JoinAnswers = { device: DeviceInfo; address: Omit<Joining, 'deviceInfo'> }

type Props = {
  campaign: Campaign
  /** Rendered inside the form, so that its buttons stay in sight from the first line on. */
  terms: ReactNode
  submitLabel: string
  onSubmit: (answers: JoinAnswers) => void
  loading: boolean
  error: unknown
  onEntered: (isEntered: boolean) => void
  onCancel: () => void
}

/** A 400 is about an entered value, and is shown beside its field. */
const isGone = (error: unknown) => error instanceof ApiError && error.status === 404

export const JoinForm = (props: Props) => {
  const { terms, error, onCancel } = props
  const { id } = props.campaign
  const [detecting] = useState(detectDevice)
  const facts = useQuery({
    queryKey: participationKeys.joinForm(id),
    queryFn: ({ signal }) => api.joinForm({ params: { id }, signal }),
    // An address is neither kept in memory, nor changed while somebody types it.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    enabled: ({ state }) => !isMissing(state.error),
  })
  if (isGone(error) || isMissing(facts.error)) return <Closed onClose={onCancel} />
  return (
    <Query of={facts} loading={<Waiting terms={terms} />} errorTitle="Failed to load the form">
      {loaded => (
        <Suspense fallback={<Waiting terms={terms} />}>
          <LoadedForm {...props} facts={loaded} detecting={detecting} />
        </Suspense>
      )}
    </Query>
  )
}

/** Since the screen behind the dialog was loaded, so that this is loaded again. */
const Closed = ({ onClose }: { onClose: () => void }) => {
  const close = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    // The button that was pressed is gone with the form.
    close.current?.focus()
    void refreshTests()
  }, [])
  return (
    <>
      <Alert tone="red">This campaign is no longer accepting testers. It was paused or has ended.</Alert>
      <DialogButtons className="mt-5">
        <Button ref={close} variant="outline" onClick={onClose}>
          Close
        </Button>
      </DialogButtons>
    </>
  )
}

const Waiting = ({ terms }: Pick<Props, 'terms'>) => (
  <>
    {terms}
    <PageSpinner />
  </>
)

const schemaOf = (listed: boolean) =>
  DeviceInfo.options[1].extend(listed ? PlayConsent.shape : { playEmail: z.string(), consent: z.boolean() })

const platformOptions = Object.entries(platformNames).map(([value, label]) => ({ value, label }))

const neededVersion = ({ platform, filters }: Campaign) => {
  const version = platform === 'android' ? filters.minAndroidVersion : filters.minIOSVersion
  return version && `Requires ${platformNames[platform]} ${version} or newer.`
}

const LoadedForm = ({
  campaign,
  terms,
  facts: { playEmail, consent, device: last },
  detecting,
  submitLabel,
  onSubmit,
  loading,
  error,
  onEntered,
  onCancel,
}: Props & { facts: JoinFormFacts; detecting: Promise<Device> }) => {
  const device = deviceOf(use(detecting), last)
  const form = useSchemaForm(schemaOf(consent !== null), {
    ...device,
    platform: device.platform ?? campaign.platform,
    playEmail: playEmail ?? '',
    consent: false,
  })
  useTellEntered(isEntered(form), onEntered)
  const warning = addressWarning(form.watch('playEmail'))
  return (
    <Form
      form={form}
      onSubmit={({ playEmail: address, consent: agreed, ...typed }) =>
        onSubmit({
          device: typed,
          address: consent ? { playEmail: address, consent: agreed, consentVersion: consent.version } : {},
        })
      }
      loading={loading}
      submitError={error}
      submitLabel={submitLabel}
      stays
      actions={
        <Button variant="outline" disabled={loading} onClick={onCancel}>
          Cancel
        </Button>
      }
    >
      {terms}
      <h3 className="-mb-2 text-base font-semibold">Your test device</h3>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field of={form} name="platform" label="Platform">
          {({ value, ...control }) => <Select {...control} value={value ?? ''} options={platformOptions} />}
        </Field>
        <Field of={form} name="osVersion" label="OS version" hint={neededVersion(campaign)}>
          {control => <Input {...control} inputMode="decimal" autoComplete="off" placeholder="14" />}
        </Field>
        <Field of={form} name="model" label="Model">
          {control => <Input {...control} autoComplete="off" placeholder="Pixel 8" />}
        </Field>
        <Field of={form} name="manufacturer" label="Manufacturer" aside="Optional">
          {control => <Input {...control} autoComplete="off" placeholder="Google" />}
        </Field>
      </div>
      {consent && (
        <>
          <h3 className="-mb-2 text-base font-semibold">Your Google account</h3>
          <Field
            of={form}
            name="playEmail"
            label="Play address"
            hint="The account that the Play Store on this device uses: open the Play Store and tap your picture to see it."
          >
            {control => <EmailInput {...control} placeholder="you@gmail.com" />}
          </Field>
          <div role="status">{warning && <Alert tone="yellow">{warning}</Alert>}</div>
          <div className="grid gap-2 rounded-md border bg-background p-3">
            {consent.text.map(paragraph => (
              <p key={paragraph} className="text-muted-foreground">
                {paragraph}
              </p>
            ))}
            <Field of={form} name="consent">
              {control => <Checkbox {...control} label="I agree to this" />}
            </Field>
          </div>
        </>
      )}
      <p className="text-xs text-muted-foreground">
        To prevent fraud, we store a random device identifier in this browser and send it with your request.
      </p>
    </Form>
  )
}
