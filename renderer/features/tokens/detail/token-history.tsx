import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { TokenHistory, TokenItem } from '../../../../server/contract/control-tokens.ts'
import { useRead } from '../../../api/query.ts'
import { Facts } from '../../../ui/facts.tsx'
import { QueryView } from '../../../shared/query-view.tsx'
import { Ago } from '../../../ui/time.tsx'
import { plural } from '../../../lib/format.ts'
import { TokenUses } from './token-uses.tsx'

const refreshTokens: Record<TokenHistory['refreshToken'], string | undefined> = {
  none: 'It came without a refresh token',
  unused: 'Its refresh token was not used yet',
  used: undefined,
  revoked: 'Its refresh token was revoked',
}

/** Shows a token that has its claims in it. */
export type RenderIdToken = (idToken: NonNullable<TokenHistory['idToken']>) => ReactNode

interface TokenHistoryPartProps {
  token: TokenItem
  renderIdToken: RenderIdToken
}

/** What became of a token, as far as state and log go back. */
export function TokenHistoryPart({ token, renderIdToken }: TokenHistoryPartProps) {
  const history = useRead('GET tokens/:id/history', { params: { id: token.id } })
  return (
    <section className="flex flex-col gap-3" aria-label="History">
      <h3 className="eyebrow">History</h3>
      <QueryView query={history} what="its history">
        {(data) => (
          <>
            <Facts
              items={[
                ['Issued by', <IssuedBy key="i" token={token} history={data} />],
                [
                  'In place of',
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
                    ? 'no request that the log has'
                    : `${plural(data.uses, 'request')} of those that the log has`,
                ],
              ]}
            />
            {data.latestUses.length > 0 && <TokenUses history={data} />}
            {data.idToken && (
              <div className="flex flex-col gap-1.5">
                <h4 className="text-sm text-muted">The ID token that came with it</h4>
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
      ? 'hand: it was minted, or came with the fixtures'
      : 'a request that the log no longer has'
  }
  const { requestId, flowId } = issuedBy
  return (
    <>
      {flowId && (
        <>
          <TextLink to={`/sign-ins/${flowId}`}>this sign-in</TextLink>, in the answer to{' '}
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
        {token.state}, issued <Ago time={token.createdAt} />
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
