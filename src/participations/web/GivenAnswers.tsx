import { useQuery } from '@tanstack/react-query'
import type { TestFeedback } from '../../feedback/contract.ts'
import { hasText, ratings } from '../../feedback/terms.ts'
import { Card } from '../../kit/web/ui/Card.tsx'
import { Query } from '../../kit/web/ui/Query.tsx'
import { Skeleton } from '../../kit/web/ui/States.tsx'
import { testFeedbackQuery } from './calls.ts'

type Asked = TestFeedback['questions'][number]

/** What the tester answered to the feedback form, beside the proof; nothing without answers. */
export const GivenAnswers = ({ testId }: { testId: string }) => (
  <Query
    of={useQuery(testFeedbackQuery(testId))}
    loading={<Skeleton className="h-32 rounded-xl" />}
    errorTitle="Failed to load the feedback"
  >
    {({ questions, answers }) =>
      answers !== null && (
        <Card title="Feedback">
          <dl className="grid gap-3">
            {questions.map(question => (
              <div key={question.id}>
                <dt className="text-muted-foreground wrap-anywhere">{question.text}</dt>
                <dd className="wrap-anywhere whitespace-pre-line">{answerText(question, answers[question.id])}</dd>
              </div>
            ))}
          </dl>
        </Card>
      )
    }
  </Query>
)

const answerText = ({ kind }: Asked, answer: NonNullable<TestFeedback['answers']>[string] | undefined) => {
  if (answer === undefined) return 'No answer'
  if (Array.isArray(answer)) return answer.join(', ')
  return hasText(kind) || typeof answer === 'string' ? answer : `${answer} of ${ratings.at(-1)}`
}
