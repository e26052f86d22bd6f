import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { TokenHistory, TokenItem } from '../../../../server/contract/control-tokens.ts'
import { useRead } from '../../../api/query.ts'
import { Facts } from '../../../ui/facts.tsx'
import { QueryView } from '../../../shared/query-view.tsx'
import { Moment } from '../../../ui/time.tsx'
import { plural } from '../../../lib/format.ts'
import { TokenUses } from './token-uses.tsx'

const refreshTokens: Record<TokenHistory['refreshToken'], string | undefined> = {
  none: 'No refresh token',
  unused: 'Refresh token not used yet',
  used: undefined,
  revoked: 'Refresh token revoked',
  expired: 'Refresh token expired',
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
      <h3 className="eyebrow">History</h3>
      <QueryView query={history} what="the history">
        {(data) => (
          <>
            <Facts
              items={[
                ['Issued by', <IssuedBy key="i" token={token} history={data} />],
                [
                  'Replaces',
                  data.refreshedFrom && <TokenLink key="f" token={data.refreshedFrom} />,
                ],
                [
                  'Refreshed',
                  data.refreshedInto === undefined ? (
                    refreshTokens[data.refreshToken]
                  ) : (
                    <>
                      into <TokenLink token={data.refreshedInto} />
                    </>
                  ),
                ],
                [
                  'Used by',
                  data.uses === 0
                    ? 'Not used in the logged requests'
                    : `${plural(data.uses, 'request')} in the log`,
                ],
              ]}
            />
            {data.latestUses.length > 0 && <TokenUses history={data} />}
            {data.idToken && (
              <div className="flex flex-col gap-1.5">
                <h4 className="text-sm text-muted">ID token issued with it</h4>
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
    return token.grant === 'minted'
      ? 'Created manually or by the fixtures'
      : 'A request that is no longer in the log'
  }
  const { requestId, flowId } = issuedBy
  return (
    <>
      {flowId && (
        <>
          <TextLink to={`/sign-ins/${flowId}`}>this sign-in</TextLink>, in the response to{' '}
        </>
      )}
      <TextLink to={`/requests/${requestId}`}>{flowId ? 'a request' : 'this request'}</TextLink>
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
        {token.state}, issued <Moment time={token.createdAt} />
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
