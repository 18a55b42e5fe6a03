import { CopyButton } from '../../kit/web/ui/Values.tsx'
import type { Answer } from '../contract.ts'

/** Drafts, each to be copied into its field of the form. Numbers lead to the facts that they come from. */
export const Answers = ({ answers }: { answers: readonly Answer[] }) => (
  <>
    <p className="mb-4 max-w-prose text-muted-foreground">
      Each sentence says only what was recorded here; its numbers lead to the facts below. Read it, add what only you
      know, and keep to what is true.
    </p>
    <ol className="grid gap-5">
      {answers.map(answer => (
        <li key={answer.key} className="print:break-inside-avoid">
          <h3 className="max-w-prose font-medium">{answer.question}</h3>
          {answer.draft === null ? (
            <p className="text-muted-foreground">Nothing recorded here answers this, so there is no draft.</p>
          ) : (
            <Draft answer={answer} draft={answer.draft} />
          )}
        </li>
      ))}
    </ol>
  </>
)

const Draft = ({ answer, draft }: { answer: Answer; draft: string }) => (
  <div className="mt-1 rounded-lg border bg-background px-3 py-2 print:border-0 print:bg-transparent print:p-0">
    <p className="max-w-prose">
      {answer.parts.map(({ text, fact }, index) =>
        fact === null ? (
          text
        ) : (
          <a
            key={index}
            href={`#${fact}`}
            className="text-link underline underline-offset-4 print:text-inherit print:no-underline"
          >
            {text}
          </a>
        ),
      )}
    </p>
    <div className="flex flex-wrap items-center justify-between gap-2">
      <span className="text-xs text-muted-foreground tabular-nums">
        {answer.characters} of {answer.mostCharacters} characters
      </span>
      <span className="-mr-2 print:hidden">
        <CopyButton text={draft} label="Copy" />
      </span>
    </div>
  </div>
)
