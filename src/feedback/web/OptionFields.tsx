import { Plus, X } from 'lucide-react'
import { useRef } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '../../kit/web/ui/Button.tsx'
import { Field } from '../../kit/web/ui/Field.tsx'
import { Input } from '../../kit/web/ui/Input.tsx'
import { formLimits } from '../terms.ts'
import type { FormState } from './drafted.ts'

type Props = { form: FormState; index: number; options: readonly string[] }

/** The options of a choice, one per line. Enter adds the next one. */
export const OptionFields = ({ form, index, options }: Props) => {
  const rows = useRef<HTMLDivElement>(null)
  const name = `questions.${index}.options` as const
  const problem = form.formState.errors.questions?.[index]?.options
  const set = (next: string[], focus: number) => {
    form.clearErrors(name)
    flushSync(() => form.setValue(name, next, { shouldDirty: true }))
    rows.current?.querySelectorAll('input')[focus]?.focus()
  }
  const full = options.length >= formLimits.options
  const add = (at: number) => {
    if (!full) set(options.toSpliced(at, 0, ''), at)
  }
  const few = options.length <= formLimits.minOptions
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1 font-medium">Options</legend>
      <div ref={rows} className="grid gap-2">
        {options.map((_option, row) => (
          // Rows have no id of their own, so the index is the key.
          <Field key={row} of={form} name={`questions.${index}.options.${row}`}>
            {control => (
              <div className="flex gap-1">
                <Input
                  {...control}
                  aria-label={`Question ${index + 1}, option ${row + 1}`}
                  maxLength={formLimits.option}
                  onKeyDown={event => {
                    // Input methods confirm words with Enter, too.
                    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
                    // Enter in a line would submit the form.
                    event.preventDefault()
                    add(row + 1)
                  }}
                />
                <Button
                  variant="ghost"
                  size="icon"
                  aria-label={`Remove option ${row + 1} of question ${index + 1}`}
                  disabled={few}
                  onClick={() => set(options.toSpliced(row, 1), Math.min(row, options.length - 2))}
                >
                  <X aria-hidden />
                </Button>
              </div>
            )}
          </Field>
        ))}
      </div>
      {typeof problem?.message === 'string' && (
        <p role="alert" className="text-destructive">
          {problem.message}
        </p>
      )}
      <Button
        variant="outline"
        size="sm"
        className="justify-self-start"
        disabled={full}
        onClick={() => add(options.length)}
      >
        <Plus aria-hidden /> Add an option
      </Button>
    </fieldset>
  )
}
