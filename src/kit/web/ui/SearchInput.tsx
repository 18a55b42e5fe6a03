import { clsx } from 'clsx'
import { Search } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Input } from './Input.tsx'

const restMs = 250

type Props = {
  /** What is searched for now: from the address. */
  value: string
  onSearch: (words: string) => void
  label: string
  placeholder: string
  className?: string
}

/** Searches when the typing rests, and at once on Enter. */
export const SearchInput = ({ value, onSearch, label, placeholder, className }: Props) => {
  const [typed, setTyped] = useState<string | null>(null)
  const [sent, setSent] = useState(value)
  const [shown, setShown] = useState(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  // A timer that outlives the screen would write into another one's address.
  useEffect(() => () => clearTimeout(timer.current), [])

  const search = (words: string) => {
    clearTimeout(timer.current)
    setSent(words.trim())
    onSearch(words.trim())
  }
  // What comes back of one's own search leaves the typed text alone, which may be further on; any other change wins.
  if (value !== shown) {
    setShown(value)
    if (value !== sent) setTyped(null)
  }
  return (
    <form
      role="search"
      className={clsx('relative', className)}
      onSubmit={event => {
        event.preventDefault()
        search(typed ?? value)
      }}
    >
      <Search
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted-foreground"
      />
      <Input
        type="search"
        aria-label={label}
        placeholder={placeholder}
        maxLength={100}
        className="pl-9"
        value={typed ?? value}
        onChange={({ target }) => {
          setTyped(target.value)
          clearTimeout(timer.current)
          timer.current = setTimeout(() => search(target.value), restMs)
        }}
      />
    </form>
  )
}
