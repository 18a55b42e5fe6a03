import { CopyButton } from '../../kit/web/ui/Values.tsx'
import type { Answer, Report } from '../contract.ts'
import { noDraftText, notForTheForm } from '../words.ts'

/** Drafts, each to be copied into its field of the form. Numbers link to the facts that they come from. */
export const Answers = ({ report }: { report: Report }) => (
  <>
    {notForTheForm(report) && <p className="mb-4 max-w-prose font-medium">{notForTheForm(report)}</p>}
    <p className="mb-4 max-w-prose text-muted-foreground">
      Each sentence states only what was recorded here, and its numbers link to the facts below. Check it, add what only
      you know, and keep it true.
    </p>
    <ol className="grid gap-5">
      {report.answers.map(answer => (
        <li key={answer.key} className="print:break-inside-avoid">
          <h3 className="max-w-prose font-medium">{answer.question}</h3>
          {answer.draft === null ? (
            <NoDraft answer={answer} report={report} />
          ) : (
            <Draft answer={answer} draft={answer.draft} />
          )}
        </li>
      ))}
    </ol>
  </>
)

const NoDraft = ({ answer: { key }, report }: { answer: Answer; report: Report }) => (
  <p className="max-w-prose text-muted-foreground">
    {noDraftText(key, report)}{' '}
    {key === 'feedback' && report.notes.length > 0 && (
      <a href="#notes" className="text-link underline underline-offset-4 print:hidden">
        Read the notes
      </a>
    )}
  </p>
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
        <CopyButton
          text={draft}
          label={
            <>
              Copy<span className="sr-only">: {answer.question}</span>
            </>
          }
        />
      </span>
    </div>
  </div>
)
