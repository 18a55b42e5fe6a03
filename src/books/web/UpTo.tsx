import { useRef, useState } from 'react'
import { Button } from '../../kit/web/ui/Button.tsx'
import { FieldFrame } from '../../kit/web/ui/FieldFrame.tsx'
import { Input } from '../../kit/web/ui/Input.tsx'

type Typed = { of: number | null; text: string; error: string | undefined }

const fresh = (value: number | null): Typed => ({
  of: value,
  text: value === null ? '' : String(value),
  error: undefined,
})

type Props = { value: number | null; onChange: (upTo: number | null) => void }

/** The transfer up to which an account is shown; an empty field means the newest. */
export const UpTo = ({ value, onChange }: Props) => {
  const [{ of, text, error }, set] = useState(() => fresh(value))
  // The address has changed, possibly by Back or the link of a transfer.
  if (of !== value) set(fresh(value))
  const input = useRef<HTMLInputElement>(null)
  const show = () => {
    const typed = text.trim()
    if (/^\d{0,15}$/.test(typed)) return onChange(typed === '' ? null : Number(typed))
    set({ of, text, error: 'Enter a transfer number, such as 1042' })
    input.current?.focus()
  }
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        show()
      }}
    >
      <FieldFrame label="Up to transfer number" error={error}>
        {wiring => (
          <span className="flex flex-wrap gap-2">
            <Input
              {...wiring}
              ref={input}
              className="min-w-24 flex-1 sm:w-32 sm:flex-none"
              placeholder="Newest"
              inputMode="numeric"
              autoComplete="off"
              value={text}
              onChange={({ target }) => set({ of, text: target.value, error: undefined })}
            />
            <Button type="submit" variant="outline">
              Show
            </Button>
            {value !== null && (
              <Button variant="ghost" onClick={() => onChange(null)}>
                Back to the newest
              </Button>
            )}
          </span>
        )}
      </FieldFrame>
    </form>
  )
}
