import { useEffect, useRef } from 'react'
import { Link, useLocation } from 'wouter'
import { useOverview } from '../api/overview.ts'
import { Icon } from '../ui/icon.tsx'
import { later } from '../ui/later.tsx'
import { Part } from '../ui/part.tsx'
import { classNames } from '../lib/class-names.ts'
import { isAt, pagesOf, placeOf } from './destinations.ts'

const Menu = later(async () => (await import('../ui/menu.tsx')).Menu)

/** Pages of the current place, side by side; those of things that nobody has used are behind a menu. */
export function PlacePages() {
  const [location, navigate] = useLocation()
  const counts = useOverview().data?.counts
  const list = useRef<HTMLElement>(null)
  // A narrow window has not room for all of them.
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [location])
  const place = placeOf(location)
  if (place === undefined || place.pages.length === 1) return null
  const { shown, more } = pagesOf(place, location, counts)
  return (
    <nav
      ref={list}
      aria-label={`Pages of ${place.label}`}
      className="scroll-quiet flex shrink-0 gap-1 overflow-x-auto border-b border-line px-2 sm:px-4"
    >
      {shown.map((page) => (
        <Link
          key={page.path}
          href={page.path}
          aria-current={isAt(location, page) ? 'page' : undefined}
          className={classNames(tabClass, isAt(location, page) ? currentClass : otherClass)}
        >
          {page.label}
        </Link>
      ))}
      {more.length > 0 && (
        <Part quiet>
          <Menu
            trigger={
              <button type="button" className={classNames(tabClass, otherClass)}>
                More… <Icon name="down" className="size-3" />
              </button>
            }
            items={more.map(({ path, label, icon }) => ({
              label,
              icon,
              onSelect: () => navigate(path),
            }))}
          />
        </Part>
      )}
    </nav>
  )
}

const tabClass =
  'flex h-9 shrink-0 items-center gap-1 border-b-2 px-2 text-sm whitespace-nowrap focus-visible:-outline-offset-2'
const currentClass = 'border-accent font-medium text-ink'
const otherClass = 'border-transparent text-muted hover:text-ink'
