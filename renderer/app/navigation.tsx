import { Link, useLocation } from 'wouter'
import { Icon } from '../ui/icon.tsx'
import { classNames } from '../lib/class-names.ts'
import { navigation } from './destinations.ts'
import { FindingCount } from './finding-count.tsx'
import { ThemeSwitch } from './theme-switch.tsx'

export function Navigation({ onNavigate }: { onNavigate?: () => void }) {
  const [location] = useLocation()
  const isCurrent = (path: string) =>
    path === '/' ? location === '/' : location === path || location.startsWith(`${path}/`)
  return (
    <>
      <nav aria-label="Pages" className="scroll-quiet flex-1 overflow-y-auto px-2 pb-4">
        {navigation.map((group) => (
          <div key={group.title ?? group.items[0]?.path} className="pb-3">
            {group.title && <p className="eyebrow px-2 pt-1 pb-1">{group.title}</p>}
            <ul>
              {group.items.map(({ path, label, icon }) => (
                <li key={path}>
                  <Link
                    href={path}
                    onClick={onNavigate}
                    aria-current={isCurrent(path) ? 'page' : undefined}
                    className={classNames(
                      'flex h-7.5 items-center gap-2.5 rounded-md px-2 text-sm focus-visible:-outline-offset-2',
                      isCurrent(path)
                        ? 'bg-accent-soft font-medium text-ink [&_svg]:text-accent'
                        : 'text-muted hover:bg-hover hover:text-ink',
                    )}
                  >
                    <Icon name={icon} />
                    {label}
                    {path === '/checks' && <FindingCount />}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <div className="flex items-center justify-between border-t border-line px-3 py-2">
        <ThemeSwitch />
        <a
          href={`${import.meta.env.BASE_URL}openapi.json`}
          className="rounded text-xs text-muted hover:text-ink hover:underline"
        >
          OpenAPI
        </a>
      </div>
    </>
  )
}
