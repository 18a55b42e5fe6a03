import { TriangleAlert } from 'lucide-react'
import { useNow } from '../../kit/web/now.ts'
import type { Continuity } from '../contract.ts'
import { costWords } from './words.ts'

/** Who is about to break the run, and what that would cost; without whom the next step speaks of already. */
export const AtRisk = ({ clock, ended, except }: { clock: Continuity; ended: boolean; except: string | undefined }) => {
  const now = useNow()
  const risky = clock.testers.filter(({ id, atRisk }) => atRisk && id !== except)
  if (risky.length === 0) return null
  return (
    <section aria-label="Testers at risk" className="border-t bg-yellow-tone px-5 py-3 text-yellow-tone-foreground">
      <ul className="grid gap-1.5">
        {risky.map(tester => (
          <li key={tester.id} className="flex items-start gap-2">
            <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
            <span>
              <span className="font-medium">{tester.alias} is at risk of being dropped.</span> If {tester.alias} stops
              today, {costWords(tester, clock, now, ended)}.
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
