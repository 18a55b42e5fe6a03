import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { Search } from 'lucide-react'
import { type KeyboardEvent, useId, useState } from 'react'
import { useNavigate } from 'react-router'
import { useDebounce } from 'use-debounce'
import type { Role } from '../../../kit/roles.ts'
import { counted } from '../../../kit/words.ts'
import { client } from '../../../kit/web/api.ts'
import { useUser } from '../../../kit/web/user.ts'
import { useAuth } from '../../../accounts/web/auth.tsx'
import { useTheme } from '../../../kit/web/theme.ts'
import { Dialog } from '../../../kit/web/ui/Dialog.tsx'
import { inputLook } from '../../../kit/web/ui/inputLook.ts'
import { type Command, commandsOf, fitting, foundOf } from './commands.ts'
import type { campaignApi } from '../../../campaigns/contract.ts'
import { campaignKeys } from '../../../campaigns/web/keys.ts'
import type { peopleApi } from '../../../people/contract.ts'
import { peopleKeys } from '../../../people/web/keys.ts'

const campaigns = client<typeof campaignApi>('campaigns')
const users = client<typeof peopleApi>('people')

const restMs = 200
const mostOfEach = 5

type Props = { onClose: () => void; onShowKeys: () => void }

const searchable: Record<Role, string> = {
  DEVELOPER: 'Screens, actions and your campaigns',
  TESTER: 'Screens, actions, campaigns and your tests',
  ADMIN: 'Screens, actions, campaigns and users',
}

/** Finds screens, actions and the user's own items: a combobox with a listbox (ARIA practices). */
export const CommandPalette = ({ onClose, onShowKeys }: Props) => {
  const [typed, setTyped] = useState('')
  const [marked, setMarked] = useState(0)
  const list = useId()
  const what = searchable[useUser().role]
  const commands = useCommands(onShowKeys, onClose)
  const found = useFound(typed.trim(), onClose)
  const shown = [...fitting(commands, typed), ...found.commands]
  const active = Math.min(marked, shown.length - 1)
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && shown.length > 0) {
      event.preventDefault()
      setMarked((active + step + shown.length) % shown.length)
    }
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault()
      shown[active]?.run()
    }
  }
  return (
    <Dialog open onOpenChange={onClose} title="Search or jump to…">
      <div className="relative">
        <Search
          aria-hidden
          className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted-foreground"
        />
        <input
          role="combobox"
          aria-label={`Search ${what.toLowerCase()}`}
          placeholder={what}
          aria-expanded
          aria-controls={list}
          aria-autocomplete="list"
          aria-activedescendant={shown[active] && `${list}-${shown[active].id}`}
          autoComplete="off"
          autoCorrect="off"
          spellCheck={false}
          maxLength={100}
          className={clsx(inputLook, 'h-10 pl-9')}
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value)
            setMarked(0)
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <p role="status" className="sr-only">
        {found.searching ? 'Searching' : counted(shown.length, 'result')}
      </p>
      <Options list={list} shown={shown} active={active} onMark={setMarked} />
      {shown.length === 0 && (
        <p className="py-6 text-center text-muted-foreground">{found.searching ? 'Searching…' : 'No results'}</p>
      )}
    </Dialog>
  )
}

type OptionsProps = { list: string; shown: readonly Command[]; active: number; onMark: (place: number) => void }

const Options = ({ list, shown, active, onMark }: OptionsProps) => {
  const groups = [
    ...Map.groupBy(
      shown.map((command, place) => ({ command, place })),
      ({ command }) => command.group,
    ),
  ]
  return (
    <div id={list} role="listbox" aria-label="Results" className="-mx-2 mt-2 max-h-[min(24rem,55dvh)] overflow-y-auto">
      {groups.map(([group, members], order) => (
        <div key={group} role="group" aria-labelledby={`${list}-group-${order}`} className="pb-1">
          <p id={`${list}-group-${order}`} className="px-2.5 py-1.5 text-xs font-medium text-muted-foreground">
            {group}
          </p>
          {members.map(({ command, place }) => (
            <Option
              key={command.id}
              id={`${list}-${command.id}`}
              command={command}
              marked={place === active}
              onMark={() => onMark(place)}
            />
          ))}
        </div>
      ))}
    </div>
  )
}

const intoSight = (option: HTMLElement | null) => option?.scrollIntoView({ block: 'nearest' })

/** The input keeps the focus and names the active option. */
const Option = ({
  id,
  command: { label, aside, run },
  marked,
  onMark,
}: {
  id: string
  command: Command
  marked: boolean
  onMark: () => void
}) => (
  // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
  <div
    id={id}
    role="option"
    aria-selected={marked}
    ref={marked ? intoSight : null}
    onPointerMove={marked ? undefined : onMark}
    onClick={run}
    className={clsx(
      'flex cursor-pointer items-center justify-between gap-4 rounded-md px-2.5 py-2 md:py-1.5',
      marked && 'bg-muted',
    )}
  >
    <span className="min-w-0 truncate">{label}</span>
    {aside && <span className="max-w-1/2 shrink-0 truncate text-xs text-muted-foreground">{aside}</span>}
  </div>
)

/** The dialog closes first and returns the focus; the new screen's heading then takes it. */
const afterClosing = (onClose: () => void, action: () => void) => () => {
  onClose()
  setTimeout(action)
}

const useCommands = (onShowKeys: () => void, onClose: () => void): Command[] => {
  const { role } = useUser()
  const { logout } = useAuth()
  const { setTheme } = useTheme()
  const navigate = useNavigate()
  const commands = commandsOf(role, {
    go: to => void navigate(to),
    setTheme,
    showKeys: onShowKeys,
    logout,
  })
  return commands.map(command => ({ ...command, run: afterClosing(onClose, command.run) }))
}

const shortest = 2

/** The server's matches. Of the last result, what still contains the text stays while the next one loads; failures are ignored. */
const useFound = (typed: string, onClose: () => void) => {
  const { role } = useUser()
  const navigate = useNavigate()
  const [search] = useDebounce(typed, restMs)
  const query = { search, limit: mostOfEach }
  const asked = {
    enabled: search.length >= shortest,
    placeholderData: keepPreviousData,
    retry: false,
  }
  const foundCampaigns = useQuery({
    ...asked,
    queryKey: campaignKeys.search(search),
    queryFn: ({ signal }) => campaigns.list({ query, signal }),
    select: ({ items }) => items,
  })
  const foundUsers = useQuery({
    ...asked,
    queryKey: peopleKeys.search(search),
    queryFn: ({ signal }) => users.list({ query, signal }),
    enabled: asked.enabled && role === 'ADMIN',
    select: ({ data }) => data,
  })
  if (typed.length < shortest) return { searching: false, commands: [] }
  const text = typed.toLowerCase()
  const isCurrent = (found: { isPlaceholderData: boolean }) => search === typed && !found.isPlaceholderData
  const contains = (words: string) => words.toLowerCase().includes(text)
  const matches = {
    campaigns: foundCampaigns.data?.filter(({ title }) => isCurrent(foundCampaigns) || contains(title)) ?? [],
    users: foundUsers.data?.filter(({ name, email }) => isCurrent(foundUsers) || contains(`${name} ${email}`)) ?? [],
  }
  const commands = foundOf(role, matches, to => void navigate(to))
  return {
    searching: search !== typed || foundCampaigns.isFetching || foundUsers.isFetching,
    commands: commands.map(command => ({ ...command, run: afterClosing(onClose, command.run) })),
  }
}
