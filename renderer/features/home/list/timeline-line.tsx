import { Link } from 'wouter'
import { toneText } from '../../../ui/badge.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Moment } from '../../../ui/time.tsx'
import { formatCount } from '../../../lib/format.ts'
import type { ActivityLine } from '../model/activity-lines.ts'
import { words } from '../words.ts'

export function TimelineLine({ line }: { line: ActivityLine }) {
  const { entry, times, since, icon, tone, text, detail, href } = line
  return (
    <div className="flex items-start gap-2.5 px-4 py-1.5 text-sm">
      <Icon name={icon} className={`mt-0.5 size-4 ${toneText[tone]}`} />
      <span className="min-w-0 flex-1 break-words">
        {href ? (
          <Link href={href} className="hover:underline">
            {text}
          </Link>
        ) : (
          text
        )}
        {times > 1 && <span className="text-muted"> {formatCount(times)} times</span>}
        {detail && <span className="block text-xs break-words text-muted">{detail}</span>}
      </span>
      <span className="flex flex-col items-end text-xs text-faint">
        <Moment time={entry.time} />
        {since && since !== entry.time && (
          <span>
            {words.since} <Moment time={since} />
          </span>
        )}
      </span>
    </div>
  )
}
