import type { UseFormReturn } from 'react-hook-form'
import type { DueForm } from '../../feedback/contract.ts'
import { hasText } from '../../feedback/terms.ts'
import { AnswerInput } from '../../feedback/web/face.tsx'
import { Field } from '../../kit/web/ui/Field.tsx'
import type { Written } from './proofDraft.ts'

type Props = { form: UseFormReturn<Written, unknown, unknown>; due: DueForm; onChange: () => void }

/** The developer's questions, below the proof. */
export const FeedbackFields = ({ form, due, onChange }: Props) => (
  <fieldset className="mt-2 grid min-w-0 gap-6 border-t pt-5">
    <legend className="sr-only">Feedback</legend>
    <div>
      <h3 className="text-base font-semibold">Your feedback</h3>
      <p className="max-w-prose text-muted-foreground">
        {due.required
          ? 'The developer’s questions about the app. They see your answers as those of “Tester” with a number, never your name.'
          : 'The developer added these questions after you had joined, so answering is up to you. They see your answers as those of “Tester” with a number, never your name.'}
      </p>
    </div>
    {due.questions.map(question => (
      <Field
        key={question.id}
        of={form}
        name={`feedback.answers.${question.id}`}
        label={<span className="wrap-anywhere">{question.text}</span>}
        aside={!(due.required && question.required) && 'Optional'}
        group={!hasText(question.kind)}
      >
        {control => (
          <AnswerInput
            {...control}
            question={{ ...question, required: due.required && question.required }}
            onChange={answer => {
              control.onChange(answer)
              // Clearing an answer is no change event.
              onChange()
            }}
          />
        )}
      </Field>
    ))}
  </fieldset>
)
