import { Link } from 'wouter'
import type { TokenItem } from '../../../../server/contract/control-tokens.ts'
import { useOverview } from '../../../api/overview.ts'
import { ApiError } from '../../../api/client.ts'
import { useRead } from '../../../api/query.ts'
import { CopyableId, CopyButton } from '../../../ui/copy.tsx'
import { Dialog, DialogBody } from '../../../ui/dialog.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { QueryView } from '../../../shared/query-view.tsx'
import { Unknown } from '../../../ui/states.tsx'
import { Ago } from '../../../ui/time.tsx'
import { formatInstant } from '../../../lib/format.ts'
import { useSandboxNow } from '../../../lib/sandbox-clock.ts'
import { curlOf } from '../model/curl.ts'
import { type RenderIdToken, TokenHistoryPart } from './token-history.tsx'
import { TokenRightsPart } from './token-rights.tsx'
import { TokenState } from '../list/token-state.tsx'
import { words } from '../words.ts'

interface TokenDialogProps {
  id: string
  renderIdToken: RenderIdToken
  onClose: () => void
}

/** One opaque token, with what the sandbox knows about it. */
export function TokenDialog({ id, renderIdToken, onClose }: TokenDialogProps) {
  const token = useRead('GET tokens/:id', { params: { id } })
  const isUnknown = token.error instanceof ApiError && token.error.status === 404
  const owner = token.data && `Token of ${token.data.user.username}`
  const title =
    owner && token.data.app ? `${owner} for ${token.data.app.name}` : (owner ?? words.token)
  return (
    <Dialog open onOpenChange={onClose} title={title} wide>
      <DialogBody textOnly={isUnknown}>
        {isUnknown ? (
          <Unknown title="Token not found">{`No token has the id ${id}.`}</Unknown>
        ) : (
          <QueryView query={token} what="this token">
            {(data) => (
              <div className="flex flex-col gap-5 pb-1">
                <TokenFacts token={data} />
                <TokenHistoryPart token={data} renderIdToken={renderIdToken} />
                <TokenRightsPart id={data.id} />
              </div>
            )}
          </QueryView>
        )}
      </DialogBody>
    </Dialog>
  )
}

function TokenFacts({ token }: { token: TokenItem }) {
  const now = useSandboxNow()
  const url = useOverview().data?.baseUrl
  const { user, app, name, role, grant, createdAt, expiresAt, revokedAt, revokedBecause } = token
  return (
    <section className="flex flex-col gap-3">
      <Facts
        items={[
          [
            words.token,
            <CopyableId key="t" text={token.token} shown={token.preview} what="Token" />,
          ],
          [words.state, <TokenState key="s" token={token} now={now} />],
          [words.user, user.username],
          [
            words.app,
            app && (
              <Link
                key="a"
                href={`/apps/${encodeURIComponent(app.clientId)}`}
                className="underline underline-offset-2"
              >
                {app.name}
              </Link>
            ),
          ],
          [words.name, name],
          ['Role', role],
          ['Source', grant.replaceAll('_', ' ')],
          [words.issued, <Moment key="i" time={createdAt} />],
          ['Expires', expiresAt === undefined ? 'never' : <Moment key="e" time={expiresAt} />],
          [words.revoked, revokedAt && <Moment key="r" time={revokedAt} />],
          ['Reason', revokedBecause],
          ['Bound to', token.boundOrganization?.name],
          [words.organizations, token.organizations.map((each) => each.name).join(', ')],
        ]}
      />
      <p className="flex flex-wrap items-center justify-between gap-2 text-sm text-muted">
        The token is opaque. These details come from the sandbox.
        {url && <CopyButton text={curlOf(token, url)} what="curl command" />}
      </p>
    </section>
  )
}

function Moment({ time }: { time: string }) {
  return (
    <>
      {formatInstant(time)} (<Ago time={time} />)
    </>
  )
}
