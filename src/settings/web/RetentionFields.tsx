import { NumberSetting, type SettingsControl } from './SettingField.tsx'

const periods = {
  checkInMonths: {
    unit: 'months',
    hint: 'After the end of their campaign. They go by whole months, with notes and screenshots; counts, proofs and money stay.',
  },
  notificationMonths: { unit: 'months', hint: 'Older ones are deleted, read or not.' },
  auditLogMonths: {
    unit: 'months',
    hint: 'Older entries leave the audit log by whole months for the archive: compressed files, which nothing deletes.',
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
      <p className="text-muted-foreground">Whatever is older goes in the following night, and does not come back.</p>
    </div>
    <div className="grid gap-5 sm:grid-cols-2">
      {(Object.keys(periods) as (keyof typeof periods)[]).map(name => (
        <NumberSetting key={name} form={form} name={name} {...periods[name]} />
      ))}
    </div>
  </fieldset>
)
