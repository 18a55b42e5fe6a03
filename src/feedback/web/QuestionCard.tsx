import { clsx } from 'clsx'
import { ArrowDown, ArrowUp, GripVertical, X } from 'lucide-react'
import type { ComponentProps, KeyboardEvent } from 'react'
import { Badge } from '../../kit/web/ui/Badge.tsx'
import { Button } from '../../kit/web/ui/Button.tsx'
import { Switch } from '../../kit/web/ui/Choice.tsx'
import { Field } from '../../kit/web/ui/Field.tsx'
import { Input } from '../../kit/web/ui/Input.tsx'
import { Select } from '../../kit/web/ui/Select.tsx'
import { formLimits, hasOptions, questionKinds } from '../terms.ts'
import { OptionFields } from './OptionFields.tsx'
import type { Drafted, FormState } from './drafted.ts'
import { kindNames } from './words.ts'

const kinds = questionKinds.map(value => ({ value, label: kindNames[value] }))

/** The part of a question that has the focus. */
export type Part = 'text' | 'handle' | 'up' | 'down'

type Props = {
  form: FormState
  index: number
  of: Drafted
  last: boolean
  dragged: boolean
  handle: Pick<ComponentProps<'button'>, 'onPointerDown' | 'onPointerMove' | 'onPointerUp' | 'onPointerCancel'>
  /** `part` keeps the focus during the move. */
  onMove: (by: number, part: Part) => void
  onRemove: () => void
}

/** One question. It is moved by dragging its handle, with arrow keys on the handle, or with Alt and an arrow key in the text. */
export const QuestionCard = ({ form, index, of, last, dragged, handle, onMove, onRemove }: Props) => {
  const number = index + 1
  const isSus = typeof of.sus === 'number'
  const moveBy = (event: KeyboardEvent, part: Part) => {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
    event.preventDefault()
    onMove(event.key === 'ArrowUp' ? -1 : 1, part)
  }
  return (
    <li
      aria-label={`Question ${number}`}
      className={clsx(
        'grid gap-4 rounded-xl border bg-card p-4 shadow-card sm:p-5',
        dragged && 'border-ring ring-1 ring-ring',
      )}
    >
      <div className="flex items-center gap-1">
        <button
          type="button"
          data-part="handle"
          aria-label={`Move question ${number}: drag, or press the arrow keys`}
          data-tip="Drag to move, or press ↑ and ↓"
          className="-ml-2 flex size-9 shrink-0 cursor-grab touch-none items-center justify-center rounded-md text-muted-foreground active:cursor-grabbing [&_svg]:size-4.5"
          onKeyDown={event => moveBy(event, 'handle')}
          {...handle}
        >
          <GripVertical aria-hidden />
        </button>
        <span className="font-semibold tabular-nums">Question {number}</span>
        {isSus && (
          <Badge tone="violet" className="ml-2">
            SUS {of.sus}
          </Badge>
        )}
        <span className="ml-auto flex shrink-0">
          <Button
            variant="ghost"
            size="icon"
            aria-label={`Move question ${number} up`}
            data-part="up"
            disabled={index === 0}
            onClick={() => onMove(-1, 'up')}
          >
            <ArrowUp aria-hidden />
          </Button>
          <Button
            variant="ghost"
            size="icon"
            aria-label={`Move question ${number} down`}
            data-part="down"
            disabled={last}
            onClick={() => onMove(1, 'down')}
          >
            <ArrowDown aria-hidden />
          </Button>
          <Button
            variant="ghost"
            size="icon"
            aria-label={isSus ? 'Remove the ten SUS statements' : `Remove question ${number}`}
            onClick={onRemove}
          >
            <X aria-hidden />
          </Button>
        </span>
      </div>
      {isSus ? (
        // The wording of the scale is fixed, because only then can scores be compared.
        <p className="max-w-prose">{of.text}</p>
      ) : (
        <Editable form={form} index={index} of={of} onKey={event => event.altKey && moveBy(event, 'text')} />
      )}
    </li>
  )
}

type EditableProps = Pick<Props, 'form' | 'index' | 'of'> & { onKey: (event: KeyboardEvent) => void }

const Editable = ({ form, index, of, onKey }: EditableProps) => (
  <>
    <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_13rem]">
      <Field of={form} name={`questions.${index}.text`} label="Question">
        {control => (
          <Input
            data-part="text"
            onKeyDown={onKey}
            aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
            maxLength={formLimits.question}
            {...control}
          />
        )}
      </Field>
      <Field of={form} name={`questions.${index}.kind`} label="Answer type">
        {({ onChange, ...control }) => (
          <Select
            options={kinds}
            {...control}
            onValue={kind => {
              onChange(kind)
              // A choice starts with two empty lines.
              if (hasOptions(kind as Drafted['kind'])) {
                if (of.options.length < formLimits.minOptions)
                  form.setValue(`questions.${index}.options`, [...of.options, '', ''].slice(0, formLimits.minOptions))
                return
              }
              // Keeps written options in case the kind is changed back; an empty one would be invisible and could not be saved.
              const written = of.options.filter(option => option.trim() !== '')
              form.setValue(`questions.${index}.options`, written)
            }}
          />
        )}
      </Field>
    </div>
    {hasOptions(of.kind) && <OptionFields form={form} index={index} options={of.options} />}
    {of.kind === 'RATING' && (
      <div className="grid grid-cols-2 gap-4">
        <Field of={form} name={`questions.${index}.low`} label="1 means" aside="Optional">
          {control => <Input maxLength={formLimits.scaleEnd} {...control} value={control.value ?? ''} />}
        </Field>
        <Field of={form} name={`questions.${index}.high`} label="5 means" aside="Optional">
          {control => <Input maxLength={formLimits.scaleEnd} {...control} value={control.value ?? ''} />}
        </Field>
      </div>
    )}
    <Field of={form} name={`questions.${index}.required`}>
      {control => <Switch {...control} label="An answer is required" />}
    </Field>
  </>
)
