import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { TokenHistory, TokenItem } from '../../../../server/contract/control-tokens.ts'
import { useRead } from '../../../api/query.ts'
import { Facts } from '../../../ui/facts.tsx'
import { QueryView } from '../../../shared/query-view.tsx'
import { Moment } from '../../../ui/time.tsx'
import { plural } from '../../../lib/format.ts'
import { TokenUses } from './token-uses.tsx'
import { words } from '../words.ts'

const refreshTokens: Record<TokenHistory['refreshToken'], string | undefined> = {
  none: words.noRefreshToken,
  unused: words.refreshUnused,
  used: undefined,
  revoked: words.refreshRevoked,
  expired: words.refreshExpired,
}

/** Renders an ID token with its claims. */
export type RenderIdToken = (idToken: NonNullable<TokenHistory['idToken']>) => ReactNode

interface TokenHistoryPartProps {
  token: TokenItem
  renderIdToken: RenderIdToken
}

/** History of a token, as far as state and log go back. */
export function TokenHistoryPart({ token, renderIdToken }: TokenHistoryPartProps) {
  const history = useRead('GET tokens/:id/history', { params: { id: token.id } })
  return (
    <section className="flex flex-col gap-3" aria-label="History">
      <h3 className="eyebrow">{words.history}</h3>
      <QueryView query={history} what="the history">
        {(data) => (
          <>
            <Facts
              items={[
                [words.issuedBy, <IssuedBy key="i" token={token} history={data} />],
                [
                  words.replaces,
                  data.refreshedFrom && <TokenLink key="f" token={data.refreshedFrom} />,
                ],
                [
                  words.refreshed,
                  data.refreshedInto === undefined ? (
                    refreshTokens[data.refreshToken]
                  ) : (
                    <>
                      {words.refreshedInto} <TokenLink token={data.refreshedInto} />
                    </>
                  ),
                ],
                [
                  words.usedBy,
                  data.uses === 0 ? words.notUsed : words.usesInLog(plural(data.uses, 'request')),
                ],
              ]}
            />
            {data.latestUses.length > 0 && <TokenUses history={data} />}
            {data.idToken && (
              <div className="flex flex-col gap-1.5">
                <h4 className="text-sm text-muted">{words.idToken}</h4>
                {renderIdToken(data.idToken)}
              </div>
            )}
          </>
        )}
      </QueryView>
    </section>
  )
}

function IssuedBy({ token, history: { issuedBy } }: { token: TokenItem; history: TokenHistory }) {
  if (issuedBy === undefined) {
    return token.grant === 'minted' ? words.createdManually : words.requestDropped
  }
  const { requestId, flowId } = issuedBy
  return (
    <>
      {flowId && (
        <>
          <TextLink to={`/sign-ins/${flowId}`}>{words.thisSignIn}</TextLink>
          {words.inResponseTo}{' '}
        </>
      )}
      <TextLink to={`/requests/${requestId}`}>
        {flowId ? words.aRequest : words.thisRequest}
      </TextLink>
    </>
  )
}

function TokenLink({ token }: { token: NonNullable<TokenHistory['refreshedInto']> }) {
  return (
    <>
      <TextLink to={`/tokens/${token.id}`}>
        <span className="font-mono text-xs">{token.preview}</span>
      </TextLink>{' '}
      <span className="text-muted">
        {token.state}
        {words.issuedAt} <Moment time={token.createdAt} />
      </span>
    </>
  )
}

function TextLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link href={to} className="underline underline-offset-2">
      {children}
    </Link>
  )
}
