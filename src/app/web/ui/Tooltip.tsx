import { Arrow, Content, Portal, Provider, Root, Trigger } from 'radix-ui/tooltip'
import { type ReactNode, useState } from 'react'

/** Spec §9: 700 ms, but none within 300 ms of the one before. */
const delayMs = 700
const skipMs = 300
let closedAt = -skipMs

/**
 * Explains a control; never the only place of something one needs to know. `children` is one focusable element.
 * Each carries its own provider, so that screens without a tooltip do not load the library.
 */
export const Tooltip = ({ text, children }: { text: ReactNode; children: ReactNode }) => {
  const [delay, setDelay] = useState(delayMs)
  return (
    <Provider delayDuration={delay}>
      <Root
        onOpenChange={open => {
          if (!open) closedAt = performance.now()
        }}
      >
        <Trigger asChild onPointerEnter={() => setDelay(performance.now() - closedAt < skipMs ? 0 : delayMs)}>
          {children}
        </Trigger>
        <Portal>
          <Content
            sideOffset={6}
            collisionPadding={8}
            className="z-50 max-w-64 animate-fade rounded-md bg-foreground px-2.5 py-1.5 text-xs text-background shadow-raised"
          >
            {text}
            <Arrow className="fill-foreground" />
          </Content>
        </Portal>
      </Root>
    </Provider>
  )
}
