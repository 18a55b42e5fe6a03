/**
 * Says that no real money moves, wherever money is shown or asked for. The document has `data-payments="test"`, which the server
 * removes where payments are real (src/app/server/page.ts), so the words appear with the first paint.
 */
import { Badge } from './Badge.tsx'

export const TestModeBadge = () => (
  <Badge tone="yellow" className="hidden! in-data-[payments=test]:inline-flex!">
    TEST MODE
  </Badge>
)

/** Shown above every signed-in screen. */
export const TestModeStrip = () => (
  <p className="hidden bg-yellow-tone px-4 py-1 text-center text-xs text-yellow-tone-foreground in-data-[payments=test]:block print:hidden!">
    <strong className="font-semibold">TEST MODE</strong> · No real money moves.
  </p>
)

/** For dialogs and forms that ask for money. */
export const TestModeNote = () => (
  <p className="mb-4 hidden rounded-md bg-yellow-tone px-3 py-2 text-yellow-tone-foreground in-data-[payments=test]:block">
    <strong className="font-semibold">TEST MODE:</strong> the payment is simulated, and no real money moves.
  </p>
)
