import { Checkbox } from '../../kit/web/ui/Choice.tsx'
import { quoted } from '../../kit/words.ts'
import type { Written } from './calls.ts'
import { isSame, type Picked } from './draft.ts'

type Props = {
  /** Attributes of the group, which is labeled by its title. */
  wiring: { id: string; 'aria-labelledby': string | undefined }
  of: readonly Written[]
  chosen: readonly Picked[]
  name: string
  onChoose: (feedback: Picked[]) => void
}

/** What testers wrote in the feedback form, to choose from. */
export const AnsweredFeedback = ({ wiring, of: written, chosen, name, onChoose }: Props) => (
  <div {...wiring} role="group" className="max-h-56 overflow-y-auto rounded-md border px-3 py-1">
    {written.map(each => (
      <Checkbox
        key={`${each.testId} ${each.questionId}`}
        name={name}
        label={
          <span className="wrap-anywhere">
            {quoted(each.text)}{' '}
            <span className="text-muted-foreground">
              ({each.alias}, to {quoted(each.question)})
            </span>
          </span>
        }
        value={chosen.some(other => isSame(other, each))}
        onChange={ticked =>
          onChoose(
            ticked
              ? [...chosen, { testId: each.testId, questionId: each.questionId }]
              : chosen.filter(other => !isSame(other, each)),
          )
        }
      />
    ))}
  </div>
)

type Rows = readonly { feedback?: Picked[] | undefined }[]

/** Leaves out feedback that another change answers. */
export const freeFeedback = (row: number, changes: Rows, written: readonly Written[]): Written[] => {
  const taken = changes.flatMap(({ feedback = [] }, other) => (other === row ? [] : feedback))
  return written.filter(each => !taken.some(other => isSame(other, each)))
}
