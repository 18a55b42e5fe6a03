import { clsx } from 'clsx'
import { Check } from 'lucide-react'
import * as Menu from 'radix-ui/dropdown-menu'
import type { ReactElement, ReactNode } from 'react'

type Trigger = ReactElement<{ onClick?: () => void; 'aria-haspopup'?: 'menu'; 'aria-expanded'?: boolean }>

export type DropdownMenuProps = { trigger: Trigger; align?: 'start' | 'end'; children: ReactNode }

const itemLook =
  'relative flex cursor-default items-center gap-2 rounded-md px-2.5 py-2 outline-none select-none data-disabled:opacity-50 data-highlighted:bg-muted md:py-1.5 [&_svg]:size-4 [&_svg]:text-muted-foreground'

/** The opened menu; only DropdownMenu.tsx imports this file. */
export const MenuWindow = ({ trigger, align = 'end', children }: DropdownMenuProps) => (
  <Menu.Root modal={false} defaultOpen>
    <Menu.Trigger asChild>{trigger}</Menu.Trigger>
    <Menu.Portal>
      <Menu.Content
        align={align}
        sideOffset={6}
        collisionPadding={8}
        className="z-50 min-w-52 animate-appear rounded-lg border bg-card p-1 shadow-raised"
      >
        {children}
      </Menu.Content>
    </Menu.Portal>
  </Menu.Root>
)

export const MenuItem = ({
  onSelect,
  destructive = false,
  disabled = false,
  children,
}: {
  onSelect: () => void
  destructive?: boolean
  disabled?: boolean
  children: ReactNode
}) => (
  <Menu.Item
    onSelect={onSelect}
    disabled={disabled}
    className={clsx(itemLook, destructive && 'text-destructive [&_svg]:text-destructive')}
  >
    {children}
  </Menu.Item>
)

/** A choice among several, with a check mark at the current one. */
export const MenuChoice = <V extends string>({
  value,
  onValue,
  options,
}: {
  value: V
  onValue: (value: V) => void
  options: readonly { value: V; label: ReactNode }[]
}) => (
  <Menu.RadioGroup value={value} onValueChange={chosen => onValue(chosen as V)}>
    {options.map(option => (
      <Menu.RadioItem key={option.value} value={option.value} className={itemLook}>
        {option.label}
        <Menu.ItemIndicator className="ml-auto">
          <Check aria-hidden />
        </Menu.ItemIndicator>
      </Menu.RadioItem>
    ))}
  </Menu.RadioGroup>
)

export const MenuSeparator = () => <Menu.Separator className="-mx-1 my-1 h-px bg-border" />
