import { Link } from 'wouter'
import { useNewestTokens } from '../model/requests.ts'
import { Panel } from '../../../ui/page.tsx'
import { useSandboxNow } from '../../../lib/sandbox-clock.ts'
import { nameOfToken, stateOf } from '../model/token-texts.ts'
import { TokenRemaining, TokenState } from './token-state.tsx'
import { words } from '../words.ts'

/** The tokens issued last. */
export function NewestTokens() {
  const items = useNewestTokens().data ?? []
  const now = useSandboxNow()
  return (
    <Panel
      title={words.newestTokens}
      actions={
        <Link href="/tokens" className="text-xs text-muted underline underline-offset-2">
          All tokens
        </Link>
      }
      flush
    >
      {items.length === 0 ? (
        <p className="px-4 pb-4 text-sm text-muted">A sign-in issues the first one.</p>
      ) : (
        <ul aria-label={words.newestTokens} className="flex flex-col pb-2">
          {items.map((token) => (
            <li key={token.id}>
              <Link
                href={`/tokens/${token.id}`}
                className="flex h-7 items-center gap-2 px-4 text-sm hover:bg-hover focus-visible:-outline-offset-2"
              >
                <span className="min-w-0 flex-1 truncate">
                  {token.user.username} <span className="text-muted">{nameOfToken(token)}</span>
                </span>
                <span className="shrink-0 text-xs text-muted">
                  {stateOf(token, now) === 'active' ? (
                    <TokenRemaining token={token} now={now} />
                  ) : (
                    <TokenState token={token} now={now} />
                  )}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}
