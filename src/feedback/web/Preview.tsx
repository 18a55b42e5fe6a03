import { useState } from 'react'
import { Card } from '../../kit/web/ui/Card.tsx'
import { FieldFrame } from '../../kit/web/ui/FieldFrame.tsx'
import { hasOptions, hasText } from '../terms.ts'
import type { WrittenAnswer } from '../written.ts'
import { AnswerInput } from './AnswerInput.tsx'
import type { Drafted } from './drafted.ts'

/** The form as testers will see it. It can be filled in, but nothing is saved. */
export const Preview = ({ questions }: { questions: readonly Drafted[] }) => (
  <Card title="Preview" description="What testers see below their proof. Try it: nothing is sent.">
    {questions.length === 0 ? (
      <p className="text-muted-foreground">Questions appear here as you write them.</p>
    ) : (
      <ol className="grid gap-5">
        {questions.map((question, index) => (
          // A change of kind needs a new input, because the answer has another type.
          <li key={`${index} ${question.kind}`}>
            <Asked question={question} />
          </li>
        ))}
      </ol>
    )}
  </Card>
)

const Asked = ({ question }: { question: Drafted }) => {
  const [value, setValue] = useState<WrittenAnswer>(question.kind === 'MULTIPLE_CHOICE' ? [] : '')
  const options = hasOptions(question.kind) ? question.options.filter(option => option.trim() !== '') : []
  return (
    <FieldFrame
      group={!hasText(question.kind)}
      label={question.text.trim() || <span className="text-muted-foreground">Your question</span>}
      aside={!question.required && 'Optional'}
    >
      {wiring => (
        <AnswerInput
          {...wiring}
          name={`preview ${wiring.id}`}
          question={{ ...question, options, low: question.low ?? null, high: question.high ?? null }}
          value={value}
          onChange={next => setValue(next as WrittenAnswer)}
          onBlur={() => undefined}
        />
      )}
    </FieldFrame>
  )
}
