import { useState } from 'react'
import type { Platform } from '../../campaigns/contract.ts'
import { platformNames } from '../../campaigns/terms.ts'
import { counted, oneDecimal } from '../../kit/words.ts'
import { Button } from '../../kit/web/ui/Button.tsx'
import { Card } from '../../kit/web/ui/Card.tsx'
import type { Question, QuestionResult, Quotation } from '../contract.ts'
import { hasText, ratings } from '../terms.ts'

/** A question with its chart, or with what testers wrote. */
export const QuestionResultCard = ({
  of: { question, answered, mean, counts, quotations },
  platform,
}: {
  of: QuestionResult
  /** The platform of the campaign, and so of the testers' devices. */
  platform: Platform
}) => (
  <Card
    title={<span className="wrap-anywhere">{question.text}</span>}
    description={
      answered === 0 ? (
        'No answers yet.'
      ) : (
        <>
          {counted(answered, 'answer')}
          {mean !== null && ` · ${oneDecimal(mean)} out of ${ratings.length} on average`}
          {question.kind === 'MULTIPLE_CHOICE' && ' · multiple choice'}
        </>
      )
    }
  >
    {hasText(question.kind) ? (
      quotations.length > 0 && <Quotations of={quotations} platform={platform} />
    ) : (
      <Bars question={question} counts={counts} answered={answered} />
    )}
  </Card>
)

const labelOf = ({ kind, low, high }: Question, value: string) => {
  if (kind !== 'RATING') return value
  const end = value === String(ratings[0]) ? low : value === String(ratings.at(-1)) ? high : null
  return end ? `${value} · ${end}` : value
}

type BarsProps = Pick<QuestionResult, 'question' | 'counts' | 'answered'>

/** One row for each possible answer. It is a table, so that screen readers read it as one. */
const Bars = ({ question, counts, answered }: BarsProps) => (
  <table className="w-full">
    <caption className="sr-only">{question.text}</caption>
    <thead className="sr-only">
      <tr>
        <th scope="col">Answer</th>
        <th scope="col">Testers</th>
      </tr>
    </thead>
    <tbody>
      {counts.map(({ value, testers }) => (
        <tr key={value}>
          <th scope="row" className="w-2/5 py-1.5 pr-3 text-left font-normal wrap-anywhere">
            {labelOf(question, value)}
          </th>
          <td aria-hidden className="py-1.5 pr-3">
            <span className="block h-3 overflow-hidden rounded-full bg-muted">
              <span
                className="block h-full rounded-full bg-primary"
                style={{ width: `${share(testers, answered)}%` }}
              />
            </span>
          </td>
          <td className="w-20 py-1.5 text-right whitespace-nowrap tabular-nums">
            {testers}{' '}
            <span className="text-muted-foreground">
              ({share(testers, answered).toLocaleString('en-US', { maximumFractionDigits: 0 })}%)
            </span>
          </td>
        </tr>
      ))}
    </tbody>
  </table>
)

const share = (testers: number, answered: number) => (answered === 0 ? 0 : (testers / answered) * 100)

const shownAtFirst = 5

const Quotations = ({ of: quotations, platform }: { of: readonly Quotation[]; platform: Platform }) => {
  const [all, setAll] = useState(false)
  const shown = all ? quotations : quotations.slice(0, shownAtFirst)
  return (
    <div className="grid gap-3">
      <ul className="grid gap-4">
        {shown.map(({ alias, device, osVersion, text }) => (
          <li key={alias}>
            <figure className="border-l-2 pl-3">
              <blockquote className="whitespace-pre-line wrap-anywhere">{text}</blockquote>
              <figcaption className="mt-1 text-xs text-muted-foreground">
                {alias}, {device}
                {osVersion && ` (${platformNames[platform]} ${osVersion})`}
              </figcaption>
            </figure>
          </li>
        ))}
      </ul>
      {shown.length < quotations.length && (
        <Button variant="outline" size="sm" className="justify-self-start" onClick={() => setAll(true)}>
          Show all {quotations.length}
        </Button>
      )}
    </div>
  )
}
