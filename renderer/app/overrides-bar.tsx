import { useEffect } from 'react'
import { Link } from 'wouter'
import { useOverrides } from '../api/overrides.ts'
import { Icon } from '../ui/icon.tsx'
import { Tooltip } from '../ui/tooltip.tsx'
import { shorten } from '../lib/format.ts'
import {
  clockWords,
  overrideNotices,
  type OverrideNotice,
} from '../shared/active-overrides-text.ts'
import { setTitleWords } from '../lib/page-title.ts'
import { useSandboxNow } from '../lib/sandbox-clock.ts'

/** Active overrides and waiting devices, on every page and in the tab's title. */
export function OverridesBar() {
  const { data } = useOverrides()
  const now = useSandboxNow()
  const notices = data ? overrideNotices(data, now) : []
  const clock = (data ? clockWords(data.clock) : []).map((word) => `clock ${word}`)
  const recorded = data?.recordedRun === undefined ? [] : ['recorded run']
  useTabMark([...recorded, ...notices.map(({ title }) => title), ...clock])
  if (notices.length === 0) return null
  return (
    <ul
      aria-label="Active overrides"
      className="order-last flex w-full flex-wrap items-center gap-1.5 pb-2 xl:order-none xl:min-w-0 xl:flex-1 xl:flex-nowrap xl:px-2 xl:pb-0"
    >
      {notices.map((notice) => (
        <li key={notice.kind} className="min-w-0">
          <Notice notice={notice} />
        </li>
      ))}
    </ul>
  )
}

const shownDetails = 5

function Notice({ notice: { icon, text, details, href } }: { notice: OverrideNotice }) {
  const more = details.length - shownDetails
  const lines = details.slice(0, shownDetails).map((detail) => shorten(detail, 60, 20))
  return (
    <Tooltip content={[...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('; ')}>
      <Link
        href={href}
        className="flex h-7 items-center gap-1.5 rounded-lg bg-warn-soft px-2 text-xs font-medium text-warn hover:underline"
      >
        <Icon name={icon} className="size-3.5" />
        <span className="truncate">{text}</span>
      </Link>
    </Tooltip>
  )
}

/** Shows overrides in the title of the tab and as a dot on its icon. */
function useTabMark(titles: readonly string[]): void {
  const text = titles.join('\n')
  useEffect(() => {
    setTitleWords(text === '' ? [] : text.split('\n'))
    const picture = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
    const name = text === '' ? 'logo.svg' : 'logo-overrides.svg'
    if (picture) picture.href = `${import.meta.env.BASE_URL}${name}`
  }, [text])
}
