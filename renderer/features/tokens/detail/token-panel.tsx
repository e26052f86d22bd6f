import { withKey } from '../../../../server/contract/query/edit-query.ts'
import type { TokenItem } from '../../../../server/contract/control-tokens.ts'
import { useOverview } from '../../../api/overview.ts'
import { ApiError } from '../../../api/client.ts'
import { useRead } from '../../../api/query.ts'
import { IconButton } from '../../../ui/button.tsx'
import { CopyableId } from '../../../ui/copy.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { CodePane } from '../../../shared/code-pane.tsx'
import { DetailPanel } from '../../../shared/detail-panel.tsx'
import { useDetailPane } from '../../../shared/detail-panes.ts'
import { AppWay, UserWay, Way } from '../../../shared/way.tsx'
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
import { visibleControls } from '../../../lib/visible-controls.ts'

interface TokenPanelProps {
  id: string
  renderIdToken: RenderIdToken
  /** Absent in a dialog, which has its own button. */
  onClose?: (() => void) | undefined
}

/** One opaque token, with what the sandbox knows about it. */
export function TokenPanel({ id, ...rest }: TokenPanelProps) {
  const token = useRead('GET tokens/:id', { params: { id } })
  if (token.error instanceof ApiError && token.error.status === 404) {
    return (
      <>
        {rest.onClose && (
          <p className="p-3 text-right">
            <IconButton icon="cross" size="small" label="Close" onClick={rest.onClose} />
          </p>
        )}
        <Unknown title="Token not found">{`No token has the id ${id}.`}</Unknown>
      </>
    )
  }
  return (
    <QueryView query={token} what="this token">
      {(data) => <OpenToken token={data} {...rest} />}
    </QueryView>
  )
}

function OpenToken({
  token,
  renderIdToken,
  onClose,
}: Omit<TokenPanelProps, 'id'> & { token: TokenItem }) {
  const [pane = 'summary', setPane] = useDetailPane()
  const url = useOverview().data?.baseUrl
  return (
    <DetailPanel
      label="Parts of the token"
      heading={<h2 className="text-base font-semibold break-words">{titleOf(token)}</h2>}
      pane={pane}
      onPane={setPane}
      onClose={onClose}
      contents={{
        summary: {
          renderContent: () => (
            <div className="flex flex-col gap-5 p-4">
              <TokenFacts token={token} />
              <TokenRightsPart id={token.id} />
            </div>
          ),
        },
        timeline: {
          renderContent: () => (
            <div className="p-4">
              <TokenHistoryPart token={token} renderIdToken={renderIdToken} />
            </div>
          ),
        },
        related: { renderContent: () => <Related token={token} /> },
        ...(url !== undefined && {
          code: {
            renderContent: () => (
              <CodePane
                label="Code that uses the token"
                examples={[{ label: 'curl', render: () => curlOf(token, url) }]}
                note="The token is opaque, and works in this sandbox alone."
              />
            ),
          },
        }),
      }}
    />
  )
}

function titleOf({ user, app }: TokenItem): string {
  const owned = `Token of ${user.username}`
  return app ? visibleControls(`${owned} for ${app.name}`) : owned
}

/** User and app of a token, and their requests. */
function Related({ token: { user, app, boundOrganization } }: { token: TokenItem }) {
  const query = withKey('requests', '', 'user', user.username)
  const ofApp = app && withKey('requests', query, 'app', app.clientId)
  return (
    <div className="p-4">
      <Facts
        items={[
          [words.user, <UserWay key="u" username={user.username} />],
          [words.app, app && <AppWay key="a" app={app} />],
          ['Bound to', boundOrganization?.name],
          [
            'Requests',
            <Way key="r" href={`/requests?q=${encodeURIComponent(ofApp ?? query)}`}>
              {ofApp ?? query}
            </Way>,
          ],
        ]}
      />
    </div>
  )
}

function TokenFacts({ token }: { token: TokenItem }) {
  const now = useSandboxNow()
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
          [words.user, <UserWay key="u" username={user.username} />],
          [words.app, app && <AppWay key="a" app={app} />],
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
      <p className="text-sm text-muted">
        The token is opaque. These details come from the sandbox.
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
