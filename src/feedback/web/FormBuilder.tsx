import { useMutation } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useDeferredValue, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { paths } from '../../kit/paths.ts'
import { counted } from '../../kit/words.ts'
import { invalidate } from '../../kit/web/query.ts'
import { Alert } from '../../kit/web/ui/Alert.tsx'
import { Button, ButtonLink } from '../../kit/web/ui/Button.tsx'
import { ConfirmDialog } from '../../kit/web/ui/ConfirmDialog.tsx'
import { Form, useSchemaForm } from '../../kit/web/ui/Form.tsx'
import { LeaveGuard, saved as savedState } from '../../kit/web/ui/LeaveGuard.tsx'
import { useFollowServer } from '../../kit/web/ui/followServer.ts'
import { notify } from '../../kit/web/ui/toast.tsx'
import type { FeedbackForm, NewForm } from '../contract.ts'
import { formLimits } from '../terms.ts'
import { Preview } from './Preview.tsx'
import { type Part, QuestionCard } from './QuestionCard.tsx'
import { Templates } from './Templates.tsx'
import { api } from './calls.ts'
import { type Drafted, blankQuestion, draftedOf, moved, without } from './drafted.ts'
import { feedbackKeys } from './keys.ts'
import { useDrag } from './useDrag.ts'

const schema = async () => (await import('../contract.ts')).NewForm

/** About as many as fit on a large screen at first. */
const questionsAtFirst = 3

type Focus = { index: number; part: Part }
type BuilderProps = { campaignId: string; saved: FeedbackForm }

/** Questions on the left, and on the right what testers will see. */
export const FormBuilder = ({ campaignId, saved }: BuilderProps) => {
  const before = draftedOf(saved)
  const form = useSchemaForm(schema, before)
  useFollowServer(form, before)
  const questions = form.watch('questions') as Drafted[]
  const dirty = JSON.stringify(questions) !== JSON.stringify(before.questions)
  // The edits are based on this version, whatever another window has saved since.
  const [madeFrom, setMadeFrom] = useState(saved.version)
  if (!dirty && madeFrom !== saved.version) setMadeFrom(saved.version)
  const save = useSave(campaignId, madeFrom)
  const list = useRef<HTMLOListElement>(null)
  const addButton = useRef<HTMLButtonElement>(null)
  /** What gets the focus once the changed list is drawn. */
  const focusOn = useRef<Focus | null>(null)
  const [said, setSaid] = useState('')
  useEffect(() => {
    if (focusOn.current === null) return
    const { index, part } = focusOn.current
    focusOn.current = null
    const card = list.current?.children[index]
    const target = card?.querySelector<HTMLElement>(`[data-part=${part}]:enabled`)
    ;(target ?? card?.querySelector<HTMLElement>('[data-part=handle]') ?? addButton.current)?.focus()
  })
  const change = (next: Drafted[], words: string, focus: Focus | null = null) => {
    focusOn.current = focus
    setSaid(words)
    form.clearErrors()
    form.setValue('questions', next, { shouldDirty: true })
  }
  const move = (from: number, to: number, part: Part | null) => {
    if (to < 0 || to >= questions.length || from === to) return
    change(
      moved(questions, from, to),
      `Question ${from + 1} is now question ${to + 1} of ${questions.length}`,
      part && { index: to, part },
    )
  }
  const remove = (index: number) => {
    const next = without(questions, index)
    const gone = questions.length - next.length
    const words = gone === 1 ? `Question ${index + 1} removed` : `Removed the ${gone} SUS statements`
    change(next, words, { index: Math.min(index, next.length - 1), part: 'text' })
  }
  const add = () =>
    change([...questions, { ...blankQuestion }], `Question ${questions.length + 1} added`, {
      index: questions.length,
      part: 'text',
    })
  const [removing, setRemoving] = useState(false)
  // Closes the dialog at once, so that the focus goes where the change puts it.
  const removeAll = () => {
    setRemoving(false)
    change([], 'All questions removed', { index: 0, part: 'text' })
  }
  const isWritten = dirty && questions.some(({ text }) => text.trim() !== '')
  const drag = useDrag(list, (from, to) => move(from, to, null))
  const full = questions.length >= formLimits.questions
  // Twenty questions keep a phone busy, so the visible ones come first, and the rest must not delay a tap.
  const whole = useDeferredValue(true, false)
  const shown = whole ? questions : questions.slice(0, questionsAtFirst)
  return (
    <>
      <div className="grid gap-5 lg:grid-cols-[minmax(0,1fr)_24rem] lg:items-start">
        <Form
          form={form}
          onSubmit={save.mutate}
          loading={save.isPending}
          submitError={save.error}
          submitLabel="Save the form"
          errorFallback="Failed to save the form"
          disabled={!dirty}
          actions={
            <ButtonLink to={paths.campaignTab(campaignId, 'feedback')} variant="ghost">
              Cancel
            </ButtonLink>
          }
          className="min-w-0"
        >
          <div className="grid min-w-0 gap-4">
            <ForWhom saved={saved} removed={questions.length === 0 && before.questions.length > 0} />
            {questions.length === 0 && (
              <Templates onChosen={chosen => change(chosen, 'Template added', { index: 0, part: 'text' })} />
            )}
            <ol ref={list} className="grid gap-4" aria-label="Questions">
              {shown.map((question, index) => (
                <QuestionCard
                  // Questions have no id of their own until they are saved.
                  key={index}
                  form={form}
                  index={index}
                  of={question}
                  last={index === questions.length - 1}
                  dragged={drag.dragged === index}
                  handle={drag.handle(index)}
                  onMove={(by, part) => move(index, index + by, part)}
                  onRemove={() => remove(index)}
                />
              ))}
            </ol>
            <div className="flex flex-wrap items-center gap-3">
              <Button ref={addButton} variant="outline" disabled={full} onClick={add}>
                <Plus aria-hidden /> Add a question
              </Button>
              {questions.length > 0 && (
                <>
                  <Button variant="ghost" onClick={() => (isWritten ? setRemoving(true) : removeAll())}>
                    Remove all
                  </Button>
                  <p className="text-muted-foreground tabular-nums">
                    {counted(questions.length, 'question')} of {formLimits.questions}
                  </p>
                </>
              )}
            </div>
            <p aria-live="polite" className="sr-only">
              {said}
            </p>
          </div>
        </Form>
        {/* Outside the form, so that Enter in one of its inputs does not save the form. */}
        <aside className="min-w-0 lg:sticky lg:top-20 lg:max-h-[calc(100vh-6rem)] lg:overflow-y-auto">
          {whole && <Preview questions={questions} />}
        </aside>
      </div>
      {removing && (
        <ConfirmDialog
          open
          onOpenChange={setRemoving}
          title="Remove all questions?"
          description="What you have written since you last saved will be lost."
          confirmLabel="Remove all"
          tone="destructive"
          onConfirm={async () => removeAll()}
        />
      )}
      <LeaveGuard
        dirty={dirty && !save.isSuccess}
        title="Leave without saving?"
        description="Your changes to this form will be lost."
      />
    </>
  )
}

/** Says whom a change affects: testers who are inside are never asked more than when they joined. */
const ForWhom = ({ saved: { joined, version, answered }, removed }: { saved: FeedbackForm; removed: boolean }) => {
  if (removed)
    return (
      <Alert tone="yellow">
        Saving without questions removes the form: no more testers will be asked.
        {answered > 0 && ' You keep the answers you already have.'}
      </Alert>
    )
  if (joined === 0) return null
  return (
    <Alert>
      {version === null
        ? `${counted(joined, 'tester')} joined without a form. They will see this one, but answering it is optional.`
        : 'Changes apply to testers who join from now on. Testers who have already joined keep their form; those who joined without one will see the changed form, but answering it is optional.'}
    </Alert>
  )
}

const useSave = (campaignId: string, version: FeedbackForm['version']) => {
  const navigate = useNavigate()
  return useMutation({
    mutationFn: (body: NewForm) => api.saveForm({ params: { id: campaignId }, body: { ...body, version } }),
    onSuccess: async ({ questions }) => {
      void invalidate(feedbackKeys.all)
      notify.success(questions.length > 0 ? 'Feedback form saved' : 'Feedback form removed')
      await navigate(paths.campaignTab(campaignId, 'feedback'), savedState)
    },
  })
}
