import { NumberSetting, type SettingsControl } from './SettingField.tsx'

const periods = {
  checkInMonths: {
    unit: 'months',
    hint: 'Counted from the end of the campaign. Deleted a whole month at a time, with notes and screenshots; counts, proofs and money records stay.',
  },
  notificationMonths: { unit: 'months', hint: 'Older ones are deleted, read or not.' },
  auditLogMonths: {
    unit: 'months',
    hint: 'Older entries move to the archive a whole month at a time: compressed files that are never deleted.',
  },
  signInMonths: { unit: 'months', hint: 'With the IP address and the email that were used.' },
  jobDays: { unit: 'days', hint: 'What the queues remember of finished and failed jobs.' },
} as const

/** How long data is kept. */
export const RetentionFields = ({ form }: { form: SettingsControl }) => (
  <fieldset className="grid min-w-0 gap-5 border-t pt-5">
    <legend className="sr-only">How long data is kept</legend>
    <div>
      <h2 aria-hidden className="font-semibold">
        How long data is kept
      </h2>
      <p className="text-muted-foreground">
        Older data is deleted the following night and cannot be recovered. Audit log entries are archived instead.
      </p>
    </div>
    <div className="grid gap-5 sm:grid-cols-2">
      {(Object.keys(periods) as (keyof typeof periods)[]).map(name => (
        <NumberSetting key={name} form={form} name={name} {...periods[name]} />
      ))}
    </div>
  </fieldset>
)
