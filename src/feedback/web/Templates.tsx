import { formTemplates } from '../templates.ts'
import type { Drafted } from './drafted.ts'

/** Offers forms to start with. */
export const Templates = ({ onChosen }: { onChosen: (questions: Drafted[]) => void }) => (
  <section aria-labelledby="templates" className="grid gap-3">
    <h2 id="templates" className="text-base font-semibold">
      Start with a template
    </h2>
    <ul className="grid gap-3 sm:grid-cols-3">
      {formTemplates.map(({ key, name, hint, questions }) => (
        <li key={key} className="grid">
          <button
            type="button"
            className="grid content-start gap-1 rounded-lg border bg-card p-4 text-left shadow-card transition-colors hover:bg-muted"
            onClick={() =>
              onChosen(questions.map(question => ({ ...question, low: question.low ?? '', high: question.high ?? '' })))
            }
          >
            <span className="font-medium">{name}</span>
            <span className="text-muted-foreground">{hint}</span>
          </button>
        </li>
      ))}
    </ul>
    <p className="text-muted-foreground">
      You can edit the questions (except the System Usability Scale statements) and add your own:
    </p>
  </section>
)
