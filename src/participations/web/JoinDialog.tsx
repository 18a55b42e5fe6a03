import { useMutation } from '@tanstack/react-query'
import { Suspense, use, useState } from 'react'
import { useNavigate } from 'react-router'
import { deviceFingerprint } from '../../kit/web/deviceFingerprint.ts'
import { paths } from '../../kit/paths.ts'
import { Alert } from '../../kit/web/ui/Alert.tsx'
import { Button } from '../../kit/web/ui/Button.tsx'
import { DescriptionList } from '../../kit/web/ui/Card.tsx'
import { Dialog } from '../../kit/web/ui/Dialog.tsx'
import { Field } from '../../kit/web/ui/Field.tsx'
import { Form, useSchemaForm } from '../../kit/web/ui/Form.tsx'
import { Input } from '../../kit/web/ui/Input.tsx'
import { Select } from '../../kit/web/ui/Select.tsx'
import { PageSpinner } from '../../kit/web/ui/Spinner.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import { Money } from '../../kit/web/ui/Values.tsx'
import type { Campaign } from '../../campaigns/contract.ts'
import { platformNames } from '../../campaigns/terms.ts'
import { counted, quoted } from '../../kit/words.ts'
import { DeviceInfo } from '../contract.ts'
import { api, refreshTests } from './calls.ts'
import { type Device, detectDevice, rememberDevice } from './device.ts'

const DeviceFacts = DeviceInfo.options[1]

const platformOptions = Object.entries(platformNames).map(([value, label]) => ({ value, label }))

type Props = { campaign: Campaign; onClose: () => void }

export const JoinDialog = ({ campaign, onClose }: Props) => {
  const navigate = useNavigate()
  const [device] = useState(detectDevice)
  const join = useMutation({
    mutationFn: (typed: DeviceInfo) => {
      rememberDevice({ osVersion: '', manufacturer: '', ...typed })
      const deviceInfo = { ...typed, fingerprint: deviceFingerprint() }
      return api.join({ params: { id: campaign.id }, body: { deviceInfo } })
    },
    onSuccess: async ({ id }) => {
      notify.success(`You joined ${quoted(campaign.title)}`)
      void refreshTests()
      await navigate(paths.myTest(id))
    },
    // The campaign may be full, paused or ended: the screen behind the dialog must show it.
    onError: () => void refreshTests(),
  })
  return (
    <Dialog open onOpenChange={onClose} title={`Join ${quoted(campaign.title)}`} locked={join.isPending}>
      <Terms campaign={campaign} />
      <Suspense fallback={<PageSpinner />}>
        <DeviceForm
          campaign={campaign}
          detecting={device}
          onSubmit={join.mutate}
          loading={join.isPending}
          error={join.error}
          onCancel={onClose}
        />
      </Suspense>
    </Dialog>
  )
}

const Terms = ({ campaign: { payPerTesterCents, durationDays, dailyCheckIn, dropHours } }: { campaign: Campaign }) => (
  <div className="mb-5 grid gap-4">
    <DescriptionList
      className="rounded-md border bg-background px-3"
      items={[
        { label: 'You earn', value: <Money cents={payPerTesterCents} />, strong: true },
        { label: 'For testing', value: counted(durationDays, 'day') },
        { label: 'Check-in', value: dailyCheckIn ? 'Once a day' : 'Optional' },
        { label: 'At the end', value: 'Submit a proof of your testing' },
      ]}
    />
    <Alert tone="yellow">
      Leaving early pays nothing, and neither does being dropped
      {dailyCheckIn && `, which happens after ${dropHours} hours without a check-in`}.
    </Alert>
  </div>
)

const neededVersion = ({ platform, filters }: Campaign) => {
  const version = platform === 'android' ? filters.minAndroidVersion : filters.minIOSVersion
  return version && `Requires ${platformNames[platform]} ${version} or newer.`
}

const DeviceForm = ({
  campaign,
  detecting,
  onSubmit,
  loading,
  error,
  onCancel,
}: {
  campaign: Campaign
  detecting: Promise<Device>
  onSubmit: (device: DeviceInfo) => void
  loading: boolean
  error: unknown
  onCancel: () => void
}) => {
  const device = use(detecting)
  const form = useSchemaForm(DeviceFacts, { ...device, platform: device.platform ?? campaign.platform })
  return (
    <Form
      form={form}
      onSubmit={onSubmit}
      loading={loading}
      submitError={error}
      submitLabel="Join Campaign"
      actions={
        <Button variant="ghost" disabled={loading} onClick={onCancel}>
          Cancel
        </Button>
      }
    >
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
      <p className="text-xs text-muted-foreground">
        To prevent fraud, we store a random device identifier in this browser and send it with your request.
      </p>
    </Form>
  )
}
