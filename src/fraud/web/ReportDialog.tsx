import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { AttachmentList } from '../../attachments/web/face.tsx'
import { isMissing } from '../../kit/web/apiError.ts'
import { paths } from '../../kit/paths.ts'
import { Alert } from '../../kit/web/ui/Alert.tsx'
import { Button } from '../../kit/web/ui/Button.tsx'
import { Dialog } from '../../kit/web/ui/Dialog.tsx'
import { DialogFooter } from '../../kit/web/ui/DialogFooter.tsx'
import { useDiscarding } from '../../kit/web/ui/FormDialog.tsx'
import { Email } from '../../kit/web/ui/Email.tsx'
import { Query } from '../../kit/web/ui/Query.tsx'
import { SkeletonList } from '../../kit/web/ui/States.tsx'
import { DateTime } from '../../kit/web/ui/Values.tsx'
import type { Evidence, FraudReport, FraudReportFile } from '../contract.ts'
import { DecisionForm } from './DecisionForm.tsx'
import { BanButton, ReportBadges, ReportedUser, mayBan } from './ReportCard.tsx'
import { api } from './calls.ts'
import { fraudKeys } from './keys.ts'
import { detailsOf, reasonOf, severityFace, statusLooks } from './severity.ts'

type Props = {
  id: string
  /** The report as the list shows it, for the heading while the details are loading. */
  known: FraudReport | undefined
  onClose: () => void
  onOther: (id: string) => void
  onBan: (report: FraudReport) => void
}

/** One report: its evidence, its history, and the decision on it. */
export const ReportDialog = ({ id, known, onClose, onOther, onBan }: Props) => {
  const file = useQuery({
    queryKey: fraudKeys.one(id),
    queryFn: ({ signal }) => api.get({ params: { id }, signal }),
  })
  const [busy, setBusy] = useState(false)
  const [isEntered, setEntered] = useState(false)
  const { dismiss, leave, question } = useDiscarding(isEntered, onClose)
  if (isMissing(file.error)) return <ReportNotFound onClose={onClose} />
  const event = (file.data ?? known)?.eventData
  return (
    <>
      <Dialog
        open
        wide
        locked={busy}
        onOpenChange={dismiss}
        title={event ? reasonOf(event.reason) : 'Fraud report'}
        description={event && detailsOf(event.details)}
      >
        <Query
          of={file}
          loading={<SkeletonList count={5} className="h-9" />}
          errorTitle="Failed to load the fraud report"
        >
          {report => (
            <>
              <div className="grid gap-6">
                <div className="flex flex-wrap items-center gap-2">
                  <ReportBadges report={report} />
                </div>
                {report.isSample && (
                  <Alert tone="blue">This is a sample for trying out this screen. Its evidence is not real.</Alert>
                )}
                <ReportedUser user={report.user} />
                <EvidenceList evidence={report.eventData.evidence} />
                <History history={report.history} />
                {report.others.length > 0 && (
                  <Others others={report.others} onOther={other => leave(() => onOther(other))} />
                )}
              </div>
              <Decision
                report={report}
                onBusy={setBusy}
                onEntered={setEntered}
                leave={leave}
                onClose={onClose}
                onBan={() => onBan(report)}
              />
            </>
          )}
        </Query>
      </Dialog>
      {question}
    </>
  )
}

const ReportNotFound = ({ onClose }: { onClose: () => void }) => (
  <Dialog
    open
    onOpenChange={onClose}
    title="Report not found"
    description="It may have been cleared. Check the URL, or find it in the list."
  >
    <Button variant="outline" onClick={onClose}>
      Close
    </Button>
  </Dialog>
)

const heading = 'mb-1 text-base font-semibold'
const inlineLink = 'text-link underline underline-offset-4'
/** Label and value side by side; one below the other on a phone. */
const line = 'grid gap-x-4 gap-y-0.5 py-2 sm:flex sm:items-baseline sm:justify-between'

const EvidenceList = ({ evidence }: { evidence: Evidence[] }) => (
  <section>
    <h3 className={heading}>Evidence</h3>
    <dl className="divide-y">
      {evidence.map((fact, index) => (
        <div key={index} className={line}>
          <dt className="text-muted-foreground">
            {fact.label}
            {fact.at && (
              <span className="block text-xs">
                <DateTime at={fact.at} withTime />
              </span>
            )}
          </dt>
          <dd className="min-w-0 max-w-[26rem] wrap-anywhere sm:text-right">
            <FactValue fact={fact} />
          </dd>
        </div>
      ))}
    </dl>
  </section>
)

const FactValue = ({ fact: { value, user, campaign, attachment } }: { fact: Evidence }) => (
  <>
    {campaign ? (
      <Link to={paths.campaign(campaign.id)} className={inlineLink}>
        {campaign.title}
      </Link>
    ) : (
      <span>{value}</span>
    )}
    {user && (
      <span className="block text-muted-foreground">
        {user.isDeleted ? (
          user.name
        ) : (
          <>
            <Link to={paths.user(user.id)} className={inlineLink}>
              {user.name}
            </Link>{' '}
            · <Email address={user.email} />
          </>
        )}
      </span>
    )}
    {attachment && (
      <span className="mt-1.5 block sm:[&_ul]:justify-end">
        <AttachmentList of={[attachment]} label={`by ${user?.name ?? 'a tester'}`} />
      </span>
    )}
  </>
)

const eventWords: Record<FraudReportFile['history'][number]['event'], string> = {
  REPORTED: 'Reported',
  RESOLVED: 'Resolved',
  DISMISSED: 'Dismissed',
}

const History = ({ history }: Pick<FraudReportFile, 'history'>) => (
  <section>
    <h3 className={heading}>History</h3>
    <ol className="divide-y">
      {history.map(({ at, event, by, note }) => (
        <li key={at + event} className={line}>
          <span className="min-w-0">
            {eventWords[event]}
            {by && <span className="text-muted-foreground"> by {by}</span>}
            {note && <span className="block text-muted-foreground whitespace-pre-line wrap-anywhere">{note}</span>}
          </span>
          <span className="text-xs text-muted-foreground">
            <DateTime at={at} withTime />
          </span>
        </li>
      ))}
    </ol>
  </section>
)

const Others = ({ others, onOther }: Pick<FraudReportFile, 'others'> & { onOther: (id: string) => void }) => (
  <section>
    <h3 className={heading}>Other reports on this user</h3>
    <ul className="divide-y">
      {others.map(({ id, createdAt, severity, status, reason }) => (
        <li key={id} className={line}>
          <Button variant="link" className="justify-self-start" onClick={() => onOther(id)}>
            {reasonOf(reason)}
          </Button>
          <span className="text-xs text-muted-foreground">
            {severityFace(severity).label} · {statusLooks[status].label} · <DateTime at={createdAt} />
          </span>
        </li>
      ))}
    </ul>
  </section>
)

type DecisionProps = {
  report: FraudReport
  onBusy: (busy: boolean) => void
  onEntered: (isEntered: boolean) => void
  leave: (out: () => void) => void
  onClose: () => void
  onBan: () => void
}

const Decision = ({ report, onBusy, onEntered, leave, onClose, onBan }: DecisionProps) => {
  const [decision, setDecision] = useState<'resolve' | 'dismiss' | null>(null)
  if (decision) {
    return (
      <DecisionForm
        key={decision}
        id={report.id}
        decision={decision}
        onBusy={onBusy}
        onEntered={onEntered}
        onBack={() => leave(() => setDecision(null))}
        onDone={onClose}
      />
    )
  }
  if (report.status !== 'OPEN' && !mayBan(report.user)) return null
  return (
    <DialogFooter>
      <BanButton user={report.user} onBan={onBan} />
      {report.status === 'OPEN' && (
        <>
          <Button variant="outline" onClick={() => setDecision('dismiss')}>
            Dismiss
          </Button>
          <Button onClick={() => setDecision('resolve')}>Resolve</Button>
        </>
      )}
    </DialogFooter>
  )
}
