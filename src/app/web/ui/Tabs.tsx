import { Content, List, Root, Trigger } from 'radix-ui/tabs'
import type { ReactNode } from 'react'

type Tab<V extends string> = { value: V; label: ReactNode; content: ReactNode }

/** Panels of one screen. Where the choice belongs in the address, give `value` and `onValue` from the URL. */
export const Tabs = <V extends string>({
  tabs,
  value,
  onValue,
  label,
}: {
  tabs: readonly Tab<V>[]
  value: V
  onValue: (value: V) => void
  /** What the tabs are about, for screen readers. */
  label: string
}) => (
  <Root value={value} onValueChange={chosen => onValue(chosen as V)}>
    <List aria-label={label} className="mb-5 flex gap-1 overflow-x-auto border-b">
      {tabs.map(tab => (
        <Trigger
          key={tab.value}
          value={tab.value}
          className="-mb-px border-b-2 border-transparent px-3 py-2 font-medium whitespace-nowrap text-muted-foreground hover:text-foreground focus-visible:-outline-offset-2 data-[state=active]:border-primary data-[state=active]:text-foreground"
        >
          {tab.label}
        </Trigger>
      ))}
    </List>
    {tabs.map(tab => (
      <Content key={tab.value} value={tab.value} tabIndex={-1}>
        {tab.content}
      </Content>
    ))}
  </Root>
)
