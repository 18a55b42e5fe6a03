import { type ReactNode, useState } from 'react'
import { screenKeys, singleKeys } from '../../../kit/web/screenKeys.ts'
import { useUser } from '../../../kit/web/user.ts'
import { Switch } from '../../../kit/web/ui/Choice.tsx'
import { Dialog } from '../../../kit/web/ui/Dialog.tsx'
import { Key } from '../../../kit/web/ui/Key.tsx'
import { destinations, isMac } from './shortcuts.ts'

export const ShortcutSheet = ({ onClose }: { onClose: () => void }) => {
  const { role } = useUser()
  const [on, setOn] = useState(singleKeys.on)
  return (
    <Dialog open onOpenChange={onClose} title="Keyboard shortcuts">
      <dl className="divide-y">
        <Line label="Search, or jump to a screen">
          <Key>{isMac() ? '⌘' : 'Ctrl'}</Key> <Key>K</Key>
        </Line>
      </dl>
      <div className="mt-4 flex flex-wrap items-center justify-between gap-x-4 border-b pb-1">
        <h3 className="font-semibold">Single-key shortcuts</h3>
        <Switch
          value={on}
          label={on ? 'On' : 'Off'}
          aria-label="Single-key shortcuts"
          onChange={next => {
            singleKeys.set(next)
            setOn(next)
          }}
        />
      </div>
      <dl className={on ? 'divide-y' : 'divide-y opacity-55'}>
        {screenKeys().map(({ key, label }) => (
          <Line key={key} label={label}>
            <Key>{key.toUpperCase()}</Key>
          </Line>
        ))}
        <Line label="Search this list">
          <Key>/</Key>
        </Line>
        {role === 'DEVELOPER' && (
          <Line label="New campaign">
            <Key>N</Key>
          </Line>
        )}
        {destinations(role).map(
          ({ label, to, goKey }) =>
            goKey !== null && (
              <Line key={to} label={`Go to ${label}`}>
                <Key>G</Key> <span className="text-xs text-muted-foreground">then</span>{' '}
                <Key>{goKey.toUpperCase()}</Key>
              </Line>
            ),
        )}
        <Line label="Show keyboard shortcuts">
          <Key>?</Key>
        </Line>
      </dl>
    </Dialog>
  )
}

const Line = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="flex items-center justify-between gap-4 py-1.5">
    <dt>{label}</dt>
    <dd className="flex items-center gap-1">{children}</dd>
  </div>
)
