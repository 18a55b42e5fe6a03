import { Link } from 'react-router'
import { paths } from '../../kit/paths.ts'
import { Avatar, RelativeTime } from '../../kit/web/ui/Values.tsx'
import type { AuditEntry } from '../contract.ts'
import { actorOf, factsOf, sentenceOf } from '../words.ts'

/** The subject's screen; null if the subject was deleted or cleared. */
const pathOf = ({ subjectType, subjectId, subject, campaignId, cleared }: AuditEntry): string | null => {
  switch (subjectType) {
    case 'campaign':
    case 'participation':
      return campaignId && paths.campaign(campaignId)
    case 'user':
      return subject && paths.user(subjectId)
    case 'fraud-report':
      return cleared ? null : `${paths.fraud}?report=${subjectId}`
    case 'fraud':
      return paths.fraud
    case 'settings':
      return paths.systemSettings
    case 'figures':
      return paths.analytics
    case 'checks':
    case 'jobs':
    case 'withdrawals':
      return paths.operations
  }
}

/** "Ann approved the campaign Notes", with its details and time. */
export const AuditEntryRow = ({ entry }: { entry: AuditEntry }) => (
  <li className="flex items-start gap-3 px-5 py-3">
    <Avatar name={actorOf(entry)} />
    <div className="min-w-0 flex-1">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <p className="min-w-0 wrap-anywhere">
          <Actor of={entry} /> <Action of={entry} />
        </p>
        <span className="text-xs text-muted-foreground">
          <RelativeTime at={entry.at} />
        </span>
      </div>
      <Facts of={entry} />
    </div>
  </li>
)

const linkStyle = 'text-link underline decoration-1 underline-offset-4'

/** Of an admin who is gone, the name leads to all they did. */
const Actor = ({ of: entry }: { of: AuditEntry }) => {
  const name = actorOf(entry)
  if (!name.startsWith('Deleted admin ')) return <span className="font-medium">{name}</span>
  return (
    <Link to={`${paths.auditLog}?admin=${encodeURIComponent(name)}`} className={`font-medium ${linkStyle}`}>
      {name}
    </Link>
  )
}

const Action = ({ of: entry }: { of: AuditEntry }) => {
  const { did, subject } = sentenceOf(entry)
  const path = pathOf(entry)
  // A subject that only a newer server knows has no path either.
  if (!path) return `${did} ${subject ?? ''}`
  if (subject === null) {
    return (
      <Link to={path} className={linkStyle}>
        {did}
      </Link>
    )
  }
  return (
    <>
      {did}{' '}
      <Link to={path} className={linkStyle}>
        {subject}
      </Link>
    </>
  )
}

const Facts = ({ of: entry }: { of: AuditEntry }) => {
  const facts = factsOf(entry)
  if (facts.length === 0) return null
  return (
    <dl className="mt-0.5 text-muted-foreground">
      {facts.map(({ label, value }) => (
        <div key={label} className="wrap-anywhere whitespace-pre-wrap">
          <dt className="inline">{label}: </dt>
          <dd className="inline">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
