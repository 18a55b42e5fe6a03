import { Ellipsis, Mail, RotateCcw, User, UserX } from 'lucide-react'
import { useNavigate } from 'react-router'
import { paths } from '../../kit/paths.ts'
import { Button } from '../../kit/web/ui/Button.tsx'
import { usePlacedDialog } from '../../kit/web/ui/DialogPlace.tsx'
import { DropdownMenu, MenuItem, MenuSeparator } from '../../kit/web/ui/DropdownMenu.tsx'
import type { AdminUser } from '../contract.ts'
import { type UserAction, UserDialogs } from './UserDialogs.tsx'

export const UserMenu = ({ user }: { user: AdminUser }) => {
  const navigate = useNavigate()
  const ask = usePlacedDialog((action: UserAction, onClose) => (
    <UserDialogs user={user} action={action} onClose={onClose} />
  ))
  return (
    <DropdownMenu
      trigger={
        <Button variant="ghost" size="icon" aria-label={`Actions for ${user.name}`}>
          <Ellipsis aria-hidden />
        </Button>
      }
    >
      <MenuItem onSelect={() => void navigate(paths.user(user.id))}>
        <User aria-hidden /> View Profile
      </MenuItem>
      <MenuItem onSelect={() => ask('message')}>
        <Mail aria-hidden /> Send Message
      </MenuItem>
      {user.role !== 'ADMIN' && (
        <>
          <MenuSeparator />
          {user.status === 'ACTIVE' ? (
            <MenuItem destructive onSelect={() => ask('ban')}>
              <UserX aria-hidden /> Suspend User
            </MenuItem>
          ) : (
            <MenuItem onSelect={() => ask('restore')}>
              <RotateCcw aria-hidden /> Restore User
            </MenuItem>
          )}
        </>
      )}
    </DropdownMenu>
  )
}
