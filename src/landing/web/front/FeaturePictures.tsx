/** Excerpts of the product's screens, one for each feature card. */
import type { ReactNode } from 'react'
import { Badge } from '../../../kit/web/ui/Badge.tsx'
import { Icon } from './Icon.tsx'

const Sheet = ({ children }: { children: ReactNode }) => (
  <div className="grid divide-y rounded-lg border bg-card shadow-card">{children}</div>
)

const Line = ({ children }: { children: ReactNode }) => (
  <div className="flex h-10 min-w-0 items-center gap-2.5 px-3 text-[0.8125rem]">{children}</div>
)

export const DevicesPicture = () => (
  <Sheet>
    {['Pixel 8 · Android 15', 'iPhone 15 · iOS 18.1', 'Galaxy A54 · Android 14'].map(device => (
      <Line key={device}>
        <Icon name="phone" className="size-4 shrink-0 text-muted-foreground" />
        <span className="truncate">{device}</span>
        <Icon name="badge" className="ml-auto size-4 shrink-0 text-link" />
      </Line>
    ))}
  </Sheet>
)

export const PayoutPicture = () => (
  <Sheet>
    {[
      { what: 'Test verified', amount: '+$10.00', tone: 'green', state: 'Completed' } as const,
      { what: 'Withdrawal', amount: '−$30.00', tone: 'yellow', state: 'Pending' } as const,
      { what: 'Test verified', amount: '+$8.50', tone: 'green', state: 'Completed' } as const,
    ].map(({ what, amount, tone, state }, index) => (
      <Line key={index}>
        <span className="truncate">{what}</span>
        <Badge tone={tone} className="ml-auto text-[0.6875rem]">
          {state}
        </Badge>
        <span className="w-15 text-right font-medium tabular-nums">{amount}</span>
      </Line>
    ))}
  </Sheet>
)

export const DaysPicture = () => (
  <div>
    <div className="grid grid-cols-7 gap-1.5">
      {Array.from({ length: 14 }, (_, day) => (
        <span
          key={day}
          className={`grid h-9 place-items-center rounded-md text-xs font-medium tabular-nums ${dayStyle(day)}`}
        >
          {day < 10 ? <Icon name="check" className="size-3.5 stroke-[3]" /> : day + 1}
        </span>
      ))}
    </div>
    <p className="mt-3 text-[0.8125rem] text-muted-foreground">12 testers, 11 days in a row</p>
  </div>
)

const dayStyle = (day: number) => {
  if (day < 10) return 'bg-primary text-primary-foreground'
  return day === 10 ? 'bg-highlight text-[#3d2900]' : 'bg-secondary text-muted-foreground'
}

export const BugPicture = () => (
  <Sheet>
    <div className="p-3.5">
      <div className="flex items-center gap-2">
        <Badge tone="red">High</Badge>
        <Badge tone="outline">Confirmed</Badge>
        <span className="ml-auto flex gap-0.5 text-[#d6950c] dark:text-highlight">
          {[1, 2, 3, 4].map(star => (
            <Icon name="star" key={star} className="size-3.5 fill-current" />
          ))}
          <Icon name="star" className="size-3.5" />
        </span>
      </div>
      <p className="mt-2.5 font-medium">Search forgets what I typed</p>
      <p className="text-[0.8125rem] text-muted-foreground">1. Open search · 2. Type · 3. Switch apps and come back</p>
    </div>
  </Sheet>
)

export const NdaPicture = () => (
  <Sheet>
    <Line>
      <Icon name="lock" className="size-4 shrink-0 text-muted-foreground" />
      <span className="font-mono text-xs text-muted-foreground select-none">
        play.google.com/<span className="blur-[3px]">apps/testing</span>
      </span>
    </Line>
    <Line>
      <span className="grid size-4 shrink-0 place-items-center rounded bg-primary text-primary-foreground">
        <Icon name="check" className="size-3 stroke-[3]" />
      </span>
      I accept the NDA, version 2
    </Line>
  </Sheet>
)

/** Twenty seats, three of them open. */
export const SeatsPicture = () => (
  <div>
    <div className="grid grid-cols-10 gap-2">
      {Array.from({ length: 20 }, (_, seat) => (
        <span
          key={seat}
          className={`aspect-square rounded-full ${seat < 17 ? 'bg-primary' : 'border-2 border-dashed border-input'}`}
        />
      ))}
    </div>
    <p className="mt-3 flex justify-between text-[0.8125rem] text-muted-foreground tabular-nums">
      <span>17 of 20 seats taken</span> <span>85%</span>
    </p>
  </div>
)
