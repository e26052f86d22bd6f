import type { NearestUri } from '../../server/contract/nearest-uri.ts'
import { plural } from '../lib/format.ts'

interface DifferenceTextProps {
  parts: NearestUri['parts']
  /** Text to show. */
  of: 'sent' | 'registered'
}

/** One of two compared texts, with the characters marked that the other one does not have. */
export function DifferenceText({ parts, of }: DifferenceTextProps) {
  const hidden = of === 'sent' ? 'missing' : 'extra'
  return (
    <span className="min-w-0 font-mono break-all">
      {parts.map(({ kind, text }, index) => {
        if (kind === hidden) return null
        // Parts have no identity but their place.
        const key = `${index} ${kind}`
        if (kind === 'same') return <span key={key}>{text}</span>
        return kind === 'extra' ? (
          <del key={key} className="rounded-sm bg-bad-soft text-bad decoration-2">
            {text}
          </del>
        ) : (
          <ins
            key={key}
            className="rounded-sm bg-ok-soft text-ok underline decoration-2 underline-offset-2"
          >
            {text}
          </ins>
        )
      })}
    </span>
  )
}

/** The redirect URI that was sent above the nearest registered one, with what differs marked. */
export function UriDifference({ nearest }: { nearest: NearestUri }) {
  const { parts, others } = nearest
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-0.5 text-xs">
      <dt className="text-2xs leading-4.5 text-muted">sent</dt>
      <dd className="min-w-0">
        <DifferenceText parts={parts} of="sent" />
      </dd>
      <dt className="text-2xs leading-4.5 text-muted">registered</dt>
      <dd className="min-w-0">
        <DifferenceText parts={parts} of="registered" />
        {others > 0 && <span className="text-muted"> and {plural(others, 'other')}</span>}
      </dd>
    </dl>
  )
}
