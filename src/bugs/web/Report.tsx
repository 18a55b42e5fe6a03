import { AttachmentList } from '../../attachments/web/face.tsx'
import { Card } from '../../kit/web/ui/Card.tsx'
import { DateTime } from '../../kit/web/ui/Values.tsx'
import { deviceWords } from './deviceWords.ts'
import type { Bug } from '../contract.ts'

/** The report, as plain text. */
export const Report = ({ bug }: { bug: Bug }) => {
  const files = bug.events[0]?.attachments ?? []
  return (
    <Card
      title="Report"
      description={
        <>
          {bug.own ? 'You' : bug.alias}, <DateTime at={bug.reportedAt} withTime />
        </>
      }
    >
      <dl className="grid gap-4">
        <Part label="Steps" text={bug.steps} />
        {bug.expected && <Part label="What should happen" text={bug.expected} />}
        <Part label="What happened" text={bug.actual} />
        <Part label="Found on" text={deviceWords(bug)} />
      </dl>
      {files.length > 0 && (
        <div className="mt-4">
          <AttachmentList of={files} label="of the bug" />
        </div>
      )}
    </Card>
  )
}

const Part = ({ label, text }: { label: string; text: string }) => (
  <div>
    <dt className="text-xs font-medium text-muted-foreground">{label}</dt>
    <dd className="max-w-prose whitespace-pre-wrap wrap-anywhere">{text}</dd>
  </div>
)
