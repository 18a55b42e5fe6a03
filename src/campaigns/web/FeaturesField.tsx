import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useController } from 'react-hook-form'
import { Button } from '../../kit/web/ui/Button.tsx'
import { Input } from '../../kit/web/ui/Input.tsx'
import { counted } from '../../kit/words.ts'
import { limits } from '../terms.ts'
import type { CampaignFormState } from './campaignValues.ts'

/** The features that testers are asked to try, one per line. Enter adds a line, Alt with an arrow key moves one. */
export const FeaturesField = ({ of: form }: { of: CampaignFormState }) => {
  const { field, fieldState } = useController({ control: form.control, name: 'features' })
  const features = field.value ?? []
  const list = useRef<HTMLUListElement>(null)
  /** The line that gets the focus once the changed list is drawn; the number of lines stands for the button that adds one. */
  const focusOn = useRef<number | null>(null)
  const [said, setSaid] = useState('')
  useEffect(() => {
    if (focusOn.current === null) return
    const inputs = list.current?.querySelectorAll('input') ?? []
    const add = list.current?.parentElement?.querySelector<HTMLElement>('[data-add]')
    const target = inputs[focusOn.current] ?? add
    focusOn.current = null
    target?.focus()
  })
  const change = (next: string[], focus: number, words: string) => {
    focusOn.current = focus
    setSaid(words)
    field.onChange(next)
    if (fieldState.error) void form.trigger('features')
  }
  const full = features.length >= limits.features
  const add = (after = features.length) => {
    if (!full) change(features.toSpliced(after, 0, ''), after, `Line ${after + 1} added`)
  }
  const remove = (index: number) =>
    change(features.toSpliced(index, 1), Math.min(index, features.length - 2), `Line ${index + 1} removed`)
  const move = (index: number, by: number) => {
    const to = index + by
    if (to < 0 || to >= features.length) return
    const next = features.toSpliced(index, 1).toSpliced(to, 0, features[index]!)
    change(next, to, `Moved to line ${to + 1} of ${features.length}`)
  }
  const onKey = (event: KeyboardEvent, index: number) => {
    // This Enter confirms a word in an input method.
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') {
      // Enter in a line would send the form.
      event.preventDefault()
      add(index + 1)
    }
    if (event.altKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
      event.preventDefault()
      move(index, event.key === 'ArrowUp' ? -1 : 1)
    }
  }
  const problems = problemsOf(fieldState.error)
  return (
    <fieldset
      className="grid min-w-0 gap-2"
      aria-describedby={problems.list === undefined ? 'features-hint' : 'features-error features-hint'}
    >
      <legend className="mb-1 flex w-full items-baseline justify-between gap-3">
        <span className="font-medium">Features to try</span>
        <span className="text-xs text-muted-foreground">Optional</span>
      </legend>
      <p id="features-hint" className="text-muted-foreground">
        One per line, up to {limits.features}. At each check-in, testers say which ones they tried.
      </p>
      <ul ref={list} className="grid gap-2">
        {features.map((feature, index) => (
          <li key={index} className="grid gap-1">
            <div className="flex min-w-0 items-center gap-1">
              <Input
                name={`features.${index}`}
                aria-label={`Feature ${index + 1}`}
                aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
                aria-invalid={problems.lines[index] !== undefined}
                aria-describedby={problems.lines[index] === undefined ? undefined : `features-error-${index}`}
                maxLength={limits.feature}
                className="min-w-0 flex-1"
                value={feature}
                onChange={({ target }) => field.onChange(features.with(index, target.value))}
                onBlur={field.onBlur}
                onKeyDown={event => onKey(event, index)}
              />
              <Button
                variant="ghost"
                size="icon"
                aria-label={`Move feature ${index + 1} up`}
                disabled={index === 0}
                onClick={() => move(index, -1)}
              >
                <ArrowUp aria-hidden />
              </Button>
              <Button
                variant="ghost"
                size="icon"
                aria-label={`Move feature ${index + 1} down`}
                disabled={index === features.length - 1}
                onClick={() => move(index, 1)}
              >
                <ArrowDown aria-hidden />
              </Button>
              <Button
                variant="ghost"
                size="icon"
                aria-label={`Remove feature ${index + 1}`}
                onClick={() => remove(index)}
              >
                <X aria-hidden />
              </Button>
            </div>
            {problems.lines[index] && (
              <p id={`features-error-${index}`} className="text-destructive">
                {problems.lines[index]}
              </p>
            )}
          </li>
        ))}
      </ul>
      {problems.list && (
        <p id="features-error" role="alert" className="text-destructive">
          {problems.list}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-3">
        <Button data-add variant="outline" size="sm" disabled={full} onClick={() => add()}>
          <Plus aria-hidden /> Add a feature
        </Button>
        {features.length > 0 && (
          <p className="text-muted-foreground tabular-nums">
            {counted(features.length, 'line')} of {limits.features}
          </p>
        )}
      </div>
      <p aria-live="polite" className="sr-only">
        {said}
      </p>
    </fieldset>
  )
}

const messageIn = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string'
    ? error.message
    : undefined

/** Errors of the whole list and of its lines. */
const problemsOf = (error: unknown): { list: string | undefined; lines: (string | undefined)[] } => ({
  list: messageIn(error),
  lines: Array.isArray(error) ? error.map(messageIn) : [],
})
