import type { TestFeedback } from '../../feedback/contract.ts'
import { hasText, ratings } from '../../feedback/terms.ts'
import { Card } from '../../kit/web/ui/Card.tsx'

type Asked = TestFeedback['questions'][number]

export type AnswersProps = { of: TestFeedback }

/** What the tester answered to the feedback form, beside the proof. */
export const GivenAnswers = ({ of: { questions, answers } }: AnswersProps) => (
  <Card title="Feedback">
    <dl className="grid gap-3">
      {questions.map(question => (
        <div key={question.id}>
          <dt className="text-muted-foreground wrap-anywhere">{question.text}</dt>
          <dd className="wrap-anywhere whitespace-pre-line">{answerText(question, answers?.[question.id])}</dd>
        </div>
      ))}
    </dl>
  </Card>
)

const answerText = ({ kind }: Asked, answer: NonNullable<TestFeedback['answers']>[string] | undefined) => {
  if (answer === undefined) return 'No answer'
  if (Array.isArray(answer)) return answer.join(', ')
  return hasText(kind) || typeof answer === 'string' ? answer : `${answer} out of ${ratings.at(-1)}`
}
