import { Link } from 'wouter'
import type { TokenHistory } from '../../../../server/contract/control-tokens.ts'
import { Moment } from '../../../ui/time.tsx'

/** The latest requests that were made with a token. */
export function TokenUses({ history: { uses, latestUses } }: { history: TokenHistory }) {
  return (
    <ol
      aria-label="Uses"
      className="scroll-quiet max-h-56 overflow-y-auto rounded-lg border border-line"
    >
      {latestUses.map(({ id, at, method, path, status, error }) => (
        <li key={id} className="border-b border-line/60 last:border-0">
          <Link
            href={`/requests/${id}`}
            className="flex items-center gap-3 px-3 py-1.5 text-xs hover:bg-hover focus-visible:-outline-offset-2"
          >
            <span
              className={`w-8 font-mono ${status >= 400 || status === 0 ? 'text-bad' : 'text-muted'}`}
            >
              {status}
            </span>
            <span className="min-w-0 flex-1 truncate font-mono">
              <span className="text-faint">{method}</span> {path}
            </span>
            {error && <span className="font-mono text-bad">{error}</span>}
            <span className="whitespace-nowrap text-muted">
              <Moment time={at} />
            </span>
          </Link>
        </li>
      ))}
      {uses > latestUses.length && (
        <li className="px-3 py-1.5 text-xs text-muted">
          {`and ${uses - latestUses.length} earlier`}
        </li>
      )}
    </ol>
  )
}
