import { Link, useLocation } from 'wouter'
import { Icon } from '../ui/icon.tsx'
import { classNames } from '../lib/class-names.ts'
import { ClockMenu } from './clock-menu.tsx'
import { isAt, placeOf, places, settings } from './destinations.ts'
import { FindingCount } from './finding-count.tsx'
import { ThemeSwitch } from './theme-switch.tsx'

/** The places of the dashboard; at the foot the clock, snapshots and settings, and the theme. */
export function Navigation({ onNavigate }: { onNavigate?: () => void }) {
  const [location] = useLocation()
  const current = placeOf(location)
  return (
    <>
      <nav aria-label="Places" className="scroll-quiet flex-1 overflow-y-auto px-2 pb-4">
        <ul className="flex flex-col gap-0.5">
          {places.map((place, index) => (
            <li key={place.label}>
              <Link
                href={place.pages[0].path}
                onClick={onNavigate}
                aria-current={place === current ? 'page' : undefined}
                aria-keyshortcuts={`Control+${index + 1}`}
                className={linkClass(place === current)}
              >
                <Icon name={place.icon} />
                {place.label}
                {place.label === 'Tests' && <FindingCount />}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className="px-2 pb-2">
        <Link
          href={settings.path}
          onClick={onNavigate}
          aria-current={isAt(location, settings) ? 'page' : undefined}
          className={linkClass(isAt(location, settings))}
        >
          <Icon name={settings.icon} />
          {settings.label}
        </Link>
      </div>
      <div className="flex flex-wrap items-center justify-between gap-2 border-t border-line px-3 py-2">
        <ClockMenu />
        <ThemeSwitch />
        <a
          href={`${import.meta.env.BASE_URL}openapi.json`}
          className="rounded px-1 text-xs text-muted hover:text-ink hover:underline"
        >
          OpenAPI
        </a>
      </div>
    </>
  )
}

function linkClass(isCurrent: boolean): string {
  return classNames(
    'flex h-8 items-center gap-2.5 rounded-md px-2 text-sm focus-visible:-outline-offset-2',
    isCurrent
      ? 'bg-accent-soft font-medium text-ink [&_svg]:text-accent'
      : 'text-muted hover:bg-hover hover:text-ink',
  )
}
