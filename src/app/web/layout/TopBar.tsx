import { LogOut, type LucideIcon, Monitor, Moon, Settings, Sun } from 'lucide-react'
import { useId } from 'react'
import { Link } from 'react-router'
import { Bell } from '../../../notifications/web/face.tsx'
import { useUser } from '../../../kit/web/user.ts'
import { useAuth } from '../../../accounts/web/auth.tsx'
import { paths } from '../../../kit/paths.ts'
import { type Theme, useTheme } from '../../../kit/web/theme.ts'
import { Badge } from '../../../kit/web/ui/Badge.tsx'
import { Avatar, initialsOf } from '../../../kit/web/ui/Values.tsx'
import { QuickSearch } from './QuickSearch.tsx'
import { roleWords } from '../../../kit/web/roleWords.ts'

export const TopBar = () => {
  const { role } = useUser()
  return (
    <>
      <QuickSearch />
      <span className="hidden md:block md:flex-1" />
      <Badge tone={roleWords[role].tone}>{roleWords[role].label}</Badge>
      <Bell />
      <UserMenu />
    </>
  )
}

const themeOptions: { value: Theme; label: string; Icon: LucideIcon }[] = [
  { value: 'light', label: 'Light', Icon: Sun },
  { value: 'dark', label: 'Dark', Icon: Moon },
  { value: 'system', label: 'System', Icon: Monitor },
]

/** The browser's own popover: it closes on Escape and on a click outside, and needs no code. */
const UserMenu = () => {
  const { logout } = useAuth()
  const { name, email } = useUser()
  const menu = useId()
  const close = () => document.getElementById(menu)?.hidePopover()
  return (
    <>
      <button type="button" popoverTarget={menu} aria-label={`${initialsOf(name)}: user menu`} className="rounded-full">
        <Avatar name={name} />
      </button>
      <div
        id={menu}
        popover="auto"
        className="fixed inset-auto top-13 right-4 m-0 w-72 rounded-lg border bg-card p-1 text-foreground shadow-raised open:animate-appear md:right-8"
      >
        <div className="px-2.5 py-2">
          <p className="truncate font-medium">{name}</p>
          <p className="truncate text-muted-foreground">{email}</p>
        </div>
        <div className="border-t py-1">
          <Link
            to={paths.settings}
            onClick={close}
            className="flex items-center gap-2 rounded-md px-2.5 py-2 hover:bg-muted focus-visible:-outline-offset-2"
          >
            <Settings aria-hidden className="size-4 text-muted-foreground" />
            Settings
          </Link>
        </div>
        <ThemeChoice />
        <button
          type="button"
          onClick={() => {
            // The menu would cover the dialog that asks for confirmation.
            close()
            logout()
          }}
          className="flex w-full items-center gap-2 rounded-md px-2.5 py-2 hover:bg-muted focus-visible:-outline-offset-2"
        >
          <LogOut aria-hidden className="size-4 text-muted-foreground" />
          Log out
        </button>
      </div>
    </>
  )
}

const ThemeChoice = () => {
  const { theme, setTheme } = useTheme()
  const name = useId()
  return (
    <fieldset className="border-y px-2.5 py-2.5">
      <legend className="sr-only">Theme</legend>
      <div className="grid grid-cols-3 gap-1 rounded-md bg-muted p-1">
        {themeOptions.map(({ value, label, Icon }) => (
          <label
            key={value}
            className="flex items-center justify-center gap-1.5 rounded py-1 text-xs text-muted-foreground select-none has-checked:bg-card has-checked:font-medium has-checked:text-foreground has-checked:shadow-card has-focus-visible:outline-2 has-focus-visible:outline-ring"
          >
            <input
              type="radio"
              name={name}
              className="sr-only"
              checked={value === theme}
              onChange={() => setTheme(value)}
            />
            <Icon aria-hidden className="size-3.5" />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
