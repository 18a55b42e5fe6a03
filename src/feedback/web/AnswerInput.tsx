import { clsx } from 'clsx'
import type { FieldControl } from '../../kit/web/ui/Field.tsx'
import { passFocusOnLeave } from '../../kit/web/ui/passFocus.ts'
import { Checkbox } from '../../kit/web/ui/Choice.tsx'
import { Input, Textarea } from '../../kit/web/ui/Input.tsx'
import type { Question } from '../contract.ts'
import { formLimits, ratings } from '../terms.ts'
import type { WrittenAnswer } from '../written.ts'

type Asked = Pick<Question, 'kind' | 'options' | 'low' | 'high' | 'required'>
type Props = FieldControl<WrittenAnswer> & { question: Asked }

/** The input for a question's answer. Its Field needs `group`, unless the answer is a text. */
export const AnswerInput = ({ question, ...control }: Props) => {
  const { value, onChange, ...rest } = control
  switch (question.kind) {
    case 'RATING':
      return <Rating {...control} question={question} />
    case 'CHOICE':
      return <OneOf {...control} question={question} />
    case 'MULTIPLE_CHOICE':
      return <SeveralOf {...control} question={question} />
    case 'SHORT_TEXT':
      return (
        <Input
          {...rest}
          maxLength={formLimits.shortText}
          value={textOf(value)}
          onChange={({ target }) => onChange(target.value)}
        />
      )
    case 'LONG_TEXT':
      return (
        <Textarea
          {...rest}
          maxLength={formLimits.longText}
          value={textOf(value)}
          onChange={({ target }) => onChange(target.value)}
        />
      )
  }
}

const textOf = (value: WrittenAnswer) => (typeof value === 'string' ? value : '')

/** The field's attributes that a radio group needs. */
const groupOf = ({ id, ...control }: FieldControl<WrittenAnswer>, required: boolean) => ({
  id,
  role: 'radiogroup',
  'aria-labelledby': control['aria-labelledby'],
  'aria-describedby': control['aria-describedby'],
  'aria-invalid': control['aria-invalid'],
  'aria-required': required,
})

/** Five numbers side by side, with the meaning of both ends. */
const Rating = ({ question, ...control }: Props) => {
  const { low, high, required } = question
  const meaning = (rating: number) => {
    if (rating === ratings[0] && low) return `${rating}, ${low}`
    return rating === ratings.at(-1) && high ? `${rating}, ${high}` : String(rating)
  }
  return (
    <div className="grid max-w-md gap-1">
      <div className="grid grid-cols-5 gap-2" {...groupOf(control, required)}>
        {ratings.map(rating => (
          <label
            key={rating}
            className="flex h-11 items-center justify-center rounded-md border border-input bg-card font-medium tabular-nums shadow-card transition-colors select-none hover:bg-muted has-checked:border-ring has-checked:bg-primary has-checked:text-primary-foreground has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-ring"
          >
            <input
              type="radio"
              className="sr-only"
              name={control.name}
              aria-label={meaning(rating)}
              checked={control.value === String(rating)}
              onChange={() => control.onChange(String(rating))}
              onBlur={control.onBlur}
            />
            <span aria-hidden>{rating}</span>
          </label>
        ))}
      </div>
      {(low ?? high) && (
        <p aria-hidden className="flex justify-between gap-3 text-xs text-muted-foreground">
          <span>{low}</span>
          <span className="text-right">{high}</span>
        </p>
      )}
      <Clear {...control} question={question} />
    </div>
  )
}

const OneOf = ({ question, ...control }: Props) => (
  <div>
    <div {...groupOf(control, question.required)}>
      {question.options.map((option, index) => (
        <label key={index} className="flex items-start gap-3 py-1.5 select-none">
          <input
            type="radio"
            className="choice-mark mt-0.5 size-4.5"
            name={control.name}
            checked={control.value === option && option !== ''}
            onChange={() => control.onChange(option)}
            onBlur={control.onBlur}
          />
          <span className="min-w-0 wrap-anywhere">{option}</span>
        </label>
      ))}
    </div>
    <Clear {...control} question={question} />
  </div>
)

const SeveralOf = ({ question: { options }, ...control }: Props) => {
  const { value } = control
  const chosen = Array.isArray(value) ? value : []
  return (
    <div
      role="group"
      id={control.id}
      aria-labelledby={control['aria-labelledby']}
      aria-describedby={control['aria-describedby']}
    >
      {options.map((option, index) => (
        <Checkbox
          key={index}
          className={clsx('py-1.5 [&>span]:wrap-anywhere')}
          name={control.name}
          aria-invalid={control['aria-invalid']}
          label={option}
          value={chosen.includes(option)}
          onChange={checked =>
            control.onChange(checked ? [...chosen, option] : chosen.filter(other => other !== option))
          }
          onBlur={control.onBlur}
        />
      ))}
    </div>
  )
}

/** Pressing a radio button again does not clear it, so this button does. */
const Clear = ({ question: { required }, value, onChange }: Props) =>
  !required &&
  value.length > 0 && (
    <button
      ref={passFocusOnLeave}
      type="button"
      className="justify-self-start py-1 text-xs text-link underline underline-offset-4"
      onClick={() => onChange('')}
    >
      Clear answer
    </button>
  )
