/** The form of a bug report before its code has loaded (src/app/web/screenShells.tsx). */
import { Card } from '../../kit/web/ui/Card.tsx'
import { RadioCards } from '../../kit/web/ui/Choice.tsx'
import { FieldFrame } from '../../kit/web/ui/FieldFrame.tsx'
import { FieldShell, FormShell } from '../../kit/web/ui/FormShell.tsx'
import { OnceSaid } from '../../kit/web/ui/Said.tsx'
import { Skeleton } from '../../kit/web/ui/States.tsx'
import { openStatuses } from '../../participations/situation.ts'
import { severityField, stepsField, titleField } from './reportWords.ts'

/** A test with an NDA may have to wait for it, so nothing is said of that. */
export const ReportBugShell = () => (
  <OnceSaid needs={{ status: openStatuses, nda: [''] }} until={<Skeleton className="h-96 max-w-2xl rounded-xl" />}>
    <div className="max-w-2xl">
      <Card>
        <FormShell>
          <FieldShell {...titleField} />
          <FieldFrame label={severityField.label} group>
            {wiring => (
              <RadioCards
                {...wiring}
                name="severity"
                value=""
                onChange={() => undefined}
                options={severityField.options as { value: string; label: string; hint: string }[]}
                className={severityField.className}
              />
            )}
          </FieldFrame>
          <FieldShell {...stepsField} tall="h-28.5 md:h-25.5" />
        </FormShell>
      </Card>
    </div>
  </OnceSaid>
)
