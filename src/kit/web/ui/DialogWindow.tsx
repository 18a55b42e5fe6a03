import { X } from 'lucide-react'
import { clsx } from 'clsx'
import { Content, Description, Overlay, Portal, Root, Title, Close } from 'radix-ui/dialog'
import { type ReactNode, useRef } from 'react'
import { About } from './about.ts'
import { InDialogProvider } from './dialogContext.ts'
import { openerOf, returnFocus } from './focus.ts'

export type DialogProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: ReactNode
  description?: ReactNode
  wide?: boolean
  locked?: boolean
  children?: ReactNode
}

const doubleClickMs = 500

/** What can receive the focus in a dialog that opens; the library picks the first. */
const controls = ':is(button, input, select, textarea):enabled, summary, [tabindex="0"]'

/** The implementation of `Dialog`; only that file imports it. */
export const DialogWindow = ({
  open,
  onOpenChange,
  title,
  description,
  wide = false,
  locked = false,
  children,
}: DialogProps) => {
  const opener = useRef<HTMLElement | null>(null)
  const openedAt = useRef(0)
  const heading = useRef<HTMLHeadingElement>(null)
  const close = useRef<HTMLButtonElement>(null)
  return (
    <Root open={open} onOpenChange={next => (next || !locked) && onOpenChange(next)}>
      <Portal>
        {/* In the layer of the dialogs, so that it also covers a dialog that opened this one. */}
        <Overlay
          // A press on the overlay keeps the focus, so that a question it opens can return the focus.
          onMouseDown={event => event.preventDefault()}
          className="fixed inset-0 z-50 animate-fade bg-black/45"
        />
        <Content
          {...(!description && { 'aria-describedby': undefined })}
          onOpenAutoFocus={event => {
            openedAt.current = performance.now()
            opener.current = openerOf(document.activeElement)
            // Content that is loaded later, or only read, starts at its heading and not at the close button.
            if (!(event.target instanceof Element) || event.target.querySelector(controls) !== close.current) return
            event.preventDefault()
            heading.current?.focus({ preventScroll: true })
          }}
          onCloseAutoFocus={event => {
            event.preventDefault()
            returnFocus(opener.current)
          }}
          onInteractOutside={event => {
            // A press on a toast or tooltip does not close the dialog, nor does the second click of the double click that opened
            // it.
            const above =
              event.target instanceof Element && event.target.closest('[data-sonner-toaster], [data-tooltip]')
            if (above || performance.now() - openedAt.current < doubleClickMs) event.preventDefault()
          }}
          className={clsx(
            'fixed inset-x-0 bottom-0 z-50 max-h-[92dvh] animate-appear overflow-y-auto rounded-t-2xl border bg-card p-5 pb-[max(1.25rem,env(safe-area-inset-bottom))] shadow-raised',
            'sm:inset-x-auto sm:top-1/2 sm:bottom-auto sm:left-1/2 sm:w-[calc(100vw-2rem)] sm:-translate-x-1/2 sm:-translate-y-1/2 sm:rounded-2xl sm:p-6',
            wide ? 'sm:max-w-2xl' : 'sm:max-w-md',
          )}
        >
          <Title
            ref={heading}
            tabIndex={-1}
            className="outline-none pr-8 text-lg font-semibold tracking-tight wrap-anywhere"
          >
            {title}
          </Title>
          {description && <Description className="mt-1 text-muted-foreground">{description}</Description>}
          <InDialogProvider value>
            <About value={null}>
              <div className="mt-4">{children}</div>
            </About>
          </InDialogProvider>
          <Close
            ref={close}
            aria-label="Close"
            disabled={locked}
            className="absolute top-4.5 right-3 grid sm:top-5.5 sm:right-4 size-8 place-items-center rounded-md text-muted-foreground hover:bg-muted hover:text-foreground disabled:opacity-50"
          >
            <X aria-hidden className="size-4" />
          </Close>
        </Content>
      </Portal>
    </Root>
  )
}
