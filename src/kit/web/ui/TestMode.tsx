/**
 * Says that no real money moves, wherever money is shown or asked for. The document carries `data-payments="test"`, and the
 * server takes it away where payments are real (src/app/server/page.ts): so the words are there with the first paint.
 */
import { Badge } from './Badge.tsx'

export const TestModeBadge = () => (
  <Badge tone="yellow" className="hidden! in-data-[payments=test]:inline-flex!">
    TEST MODE
  </Badge>
)

/** Above every signed-in screen. */
export const TestModeStrip = () => (
  <p className="hidden bg-yellow-tone px-4 py-1 text-center text-xs text-yellow-tone-foreground in-data-[payments=test]:block print:hidden!">
    <strong className="font-semibold">TEST MODE</strong> · No real money moves.
  </p>
)

/** In a dialog or a form that asks for money. */
export const TestModeNote = () => (
  <p className="mb-4 hidden rounded-md bg-yellow-tone px-3 py-2 text-yellow-tone-foreground in-data-[payments=test]:block">
    <strong className="font-semibold">TEST MODE:</strong> the payment is simulated, and no real money moves.
  </p>
)
