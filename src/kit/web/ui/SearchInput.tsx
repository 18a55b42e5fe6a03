import { clsx } from 'clsx'
import { Search } from 'lucide-react'
import { useState } from 'react'
import { useNavigation } from 'react-router'
import { useDebouncedCallback } from 'use-debounce'
import { Input } from './Input.tsx'

const debounceMs = 250

type Props = {
  /** The current search, from the URL. */
  value: string
  onSearch: (text: string) => void
  label: string
  placeholder: string
  className?: string
}

/** Searches when typing pauses, and immediately on Enter. */
export const SearchInput = ({ value, onSearch, label, placeholder, className }: Props) => {
  const [typed, setTyped] = useState<string | null>(null)
  const [sent, setSent] = useState(value)
  const [shown, setShown] = useState(value)
  const { state } = useNavigation()
  const search = useDebouncedCallback((text: string) => {
    // A link has been followed meanwhile, and changing the address now would cancel that.
    if (state === 'loading') return
    setSent(text.trim())
    onSearch(text.trim())
  }, debounceMs)
  // The result of the text's own search must not overwrite it, since typing may have gone on; any other change wins.
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
        search.flush()
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
        className="pl-9 text-ellipsis max-sm:placeholder:text-xs"
        value={typed ?? value}
        onChange={({ target }) => {
          setTyped(target.value)
          search(target.value)
        }}
      />
    </form>
  )
}
