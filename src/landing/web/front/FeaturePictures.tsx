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
    {['Pixel 8 · Android 15', 'Redmi Note 13 · Android 14', 'Galaxy A54 · Android 14'].map((device, index) => (
      <Line key={device}>
        <Icon name="phone" className="size-4 shrink-0 text-muted-foreground" />
        <span className="truncate">{device}</span>
        <span className="ml-auto shrink-0 text-muted-foreground">Tester {index + 1}</span>
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

export const FeedbackPicture = () => (
  <Sheet>
    <Line>
      <span className="truncate">Would you keep it?</span>
      <span className="ml-auto shrink-0 text-muted-foreground tabular-nums">Yes 9, No 2</span>
    </Line>
    <Line>
      <span className="truncate">#3 Search forgets what I typed</span>
      <Badge tone="green" className="ml-auto shrink-0 text-[0.6875rem]">
        Fixed in 1.2
      </Badge>
    </Line>
    <Line>
      <span className="truncate">Sync felt instant today.</span>
      <span className="ml-auto shrink-0 text-muted-foreground tabular-nums">Day 10</span>
    </Line>
  </Sheet>
)

export const PrivacyPicture = () => (
  <Sheet>
    <Line>
      <Icon name="lock" className="size-4 shrink-0 text-muted-foreground" />
      <span className="font-mono text-xs text-muted-foreground select-none">
        play.google.com/<span className="blur-[3px]">apps/testing</span>
      </span>
    </Line>
    <Line>
      <Icon name="check" className="size-4 shrink-0 text-muted-foreground" />
      NDA accepted <span className="ml-auto text-muted-foreground">Version 1</span>
    </Line>
    <Line>
      <Icon name="shield" className="size-4 shrink-0 text-muted-foreground" />
      Tester 7 <span className="ml-auto text-muted-foreground">Pixel 7</span>
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
