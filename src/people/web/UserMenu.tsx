import { Ellipsis, Mail, RotateCcw, User, UserX } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useNavigate } from 'react-router'
import { paths } from '../../kit/paths.ts'
import { Button } from '../../kit/web/ui/Button.tsx'
import { DropdownMenu, MenuItem, MenuSeparator } from '../../kit/web/ui/DropdownMenu.tsx'
import type { AdminUser } from '../contract.ts'
import { type UserAction, UserDialogs } from './UserDialogs.tsx'

export const UserMenu = ({ user }: { user: AdminUser }) => {
  const navigate = useNavigate()
  const [action, setAction] = useState<UserAction | null>(null)
  return (
    <>
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
        <MenuItem onSelect={() => setAction('message')}>
          <Mail aria-hidden /> Send Message
        </MenuItem>
        {user.role !== 'ADMIN' && (
          <>
            <MenuSeparator />
            {user.status === 'ACTIVE' ? (
              <MenuItem destructive onSelect={() => setAction('ban')}>
                <UserX aria-hidden /> Suspend User
              </MenuItem>
            ) : (
              <MenuItem onSelect={() => setAction('restore')}>
                <RotateCcw aria-hidden /> Restore User
              </MenuItem>
            )}
          </>
        )}
      </DropdownMenu>
      <Suspense>
        <UserDialogs user={user} action={action} onClose={() => setAction(null)} />
      </Suspense>
    </>
  )
}
