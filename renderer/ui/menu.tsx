import { Menu as Base } from '@base-ui/react/menu'
import type { ReactElement } from 'react'
import { classNames } from '../lib/class-names.ts'
import { Kbd } from './button.tsx'
import { Icon, type IconName } from './icon.tsx'

export interface MenuItem {
  label: string
  icon?: IconName
  hotkey?: string
  danger?: boolean
  disabled?: boolean
  onSelect: () => void
}

export function Menu({ trigger, items }: { trigger: ReactElement; items: readonly MenuItem[] }) {
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner sideOffset={4} align="end" className="z-50 outline-none">
          <Base.Popup className="ease-pop max-w-(--available-width) min-w-44 rounded-lg border border-line bg-surface p-1 shadow-pop outline-none">
            {items.map((item) => (
              <Base.Item
                key={item.label}
                disabled={item.disabled ?? false}
                onClick={item.onSelect}
                className={classNames(
                  'flex cursor-default items-center gap-2 rounded-md px-2 py-1.5 text-sm outline-none select-none data-disabled:opacity-50 data-highlighted:bg-hover',
                  item.danger && 'text-bad',
                )}
              >
                {item.icon && <Icon name={item.icon} className="size-3.5" />}
                <span className="flex-1">{item.label}</span>
                {item.hotkey && <Kbd>{item.hotkey}</Kbd>}
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
