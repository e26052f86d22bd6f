import { useMemo } from 'react'
import type { TokenItem } from '../../../../server/contract/control-tokens.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Chips } from '../../../ui/chips.tsx'
import { CopyableId } from '../../../ui/copy.tsx'
import { TextInput } from '../../../ui/field.tsx'
import { Panel } from '../../../ui/page.tsx'
import { Question, useQuestion } from '../../../ui/question.tsx'
import { Segments } from '../../../ui/segments.tsx'
import { Empty, NoMatch } from '../../../ui/states.tsx'
import { Table, type Column } from '../../../ui/table.tsx'
import { Moment } from '../../../ui/time.tsx'
import { useParameter } from '../../../lib/parameters.ts'
import { useSandboxNow } from '../../../lib/sandbox-clock.ts'
import { useRevokeToken } from '../model/requests.ts'
import { nameOfToken, originOf, remainingMs, stateOf, wordsOf } from '../model/token-texts.ts'
import { TokenRemaining, TokenState } from './token-state.tsx'
import { tokenStates } from '../../../../server/contract/words/oauth-words.ts'
import { words } from '../words.ts'

const filters = ['all', ...tokenStates] as const

interface TokenTableProps {
  items: readonly TokenItem[]
  openId: string | undefined
  /** An open token is beside the list. */
  isNarrow: boolean
  onMint: () => void
  onOpen: (token: TokenItem) => void
}

export function TokenTable({ items, openId, isNarrow, onMint, onOpen }: TokenTableProps) {
  const [filter, setFilter] = useParameter('state', filters)
  const [text, setText] = useParameter('q')
  const now = useSandboxNow()
  const revoke = useRevokeToken()
  const revoking = useQuestion(revoke)
  const counts = useMemo(() => {
    const result = { all: items.length, active: 0, expired: 0, revoked: 0 }
    for (const token of items) result[stateOf(token, now)]++
    return result
  }, [items, now])
  const rows = items.filter(
    (token) =>
      (filter === 'all' || stateOf(token, now) === filter) &&
      wordsOf(token).includes(text.toLowerCase()),
  )
  const columns = tokenColumns({
    now,
    revoke: revoking.ask,
    open: onOpen,
    busyId: revoke.isPending ? revoke.variables.id : undefined,
  })
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 pb-3">
        <Segments
          label={words.state}
          value={filter}
          onChange={setFilter}
          options={[
            { value: 'all', label: 'All', count: counts.all },
            { value: 'active', label: 'Active', count: counts.active },
            { value: 'expired', label: 'Expired', count: counts.expired },
            { value: 'revoked', label: words.revoked, count: counts.revoked },
          ]}
        />
        <TextInput
          type="search"
          aria-label="Filter tokens"
          placeholder="User, app, scope or token"
          className="w-64! max-w-full"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
      <Panel flush>
        {rows.length > 0 ? (
          <Table
            label={words.tokens}
            rows={rows}
            rowKey={({ id }) => id}
            columns={columns}
            openKey={openId}
            isNarrow={isNarrow}
            onOpen={onOpen}
          />
        ) : items.length > 0 ? (
          <NoMatch
            what="tokens"
            onClear={() => {
              setFilter('all')
              setText('')
            }}
          />
        ) : (
          <Empty
            icon="token"
            title="No tokens yet"
            actions={
              <Button icon="plus" onClick={onMint}>
                {words.createToken}
              </Button>
            }
          >
            Sign in with an app, approve a device, or create a token for a script.
          </Empty>
        )}
      </Panel>
      <Question
        of={revoking}
        title={({ user }) => `Revoke this token of ${user.username}?`}
        action="Revoke token"
      >
        {({ preview, app }) => (
          <>
            {`Requests with ${preview} are refused from now on. This cannot be undone.`}
            {app &&
              ` A refresh token of ${app.name} stays valid. To revoke it too, disconnect the app.`}
          </>
        )}
      </Question>
    </>
  )
}

interface ColumnContext {
  now: number
  revoke: (token: TokenItem) => void
  open: (token: TokenItem) => void
  /** Id of the token being revoked. */
  busyId: string | undefined
}

function tokenColumns({ now, revoke, open, busyId }: ColumnContext): Column<TokenItem>[] {
  return [
    {
      title: words.state,
      width: 6.75,
      sortBy: (token) => tokenStates.indexOf(stateOf(token, now)),
      renderCell: (token) => <TokenState token={token} now={now} />,
    },
    {
      title: words.name,
      minWidth: 10,
      sortBy: nameOfToken,
      renderCell: (token) => <NameCell token={token} />,
    },
    {
      title: words.remaining,
      width: 7.25,
      sortBy: (token) => remainingMs(token, now),
      renderCell: (token) => <TokenRemaining token={token} now={now} />,
    },
    {
      title: words.user,
      inCard: 'head',
      minWidth: 8,
      sortBy: ({ user }) => user.username,
      renderCell: (token) => <UserCell token={token} onOpen={open} />,
    },
    {
      title: words.token,
      // The whole preview: tokens differ at its end.
      width: 12.75,
      sortBy: ({ preview }) => preview,
      renderCell: (token) => <CopyableId text={token.token} shown={token.preview} what="Token" />,
    },
    {
      title: words.scopes,
      minWidth: 11,
      priority: 2,
      sortBy: ({ scopes }) => scopes.join(' '),
      renderCell: (token) => <Scopes token={token} />,
    },
    {
      title: words.issued,
      width: 7.5,
      priority: 3,
      descendsFirst: true,
      sortBy: ({ createdAt }) => createdAt,
      renderCell: ({ createdAt }) => (
        <span className="text-xs text-muted">
          <Moment time={createdAt} />
        </span>
      ),
    },
    {
      title: 'Actions',
      inCard: 'action',
      width: 5.25,
      align: 'right',
      renderCell: (token) =>
        stateOf(token, now) === 'active' && (
          <IconButton
            icon="trash"
            size="small"
            label={`Revoke token of ${token.user.username}`}
            busy={busyId === token.id}
            onClick={() => revoke(token)}
          />
        ),
    },
  ]
}

function NameCell({ token }: { token: TokenItem }) {
  const name = nameOfToken(token)
  return (
    <span className="flex min-w-0 flex-col">
      <span
        className="truncate"
        title={token.app && token.name === undefined ? `${name} (${token.app.clientId})` : name}
      >
        {name}
      </span>
      <span className="truncate text-2xs text-muted">{originOf(token)}</span>
    </span>
  )
}

function UserCell({ token, onOpen }: { token: TokenItem; onOpen: (token: TokenItem) => void }) {
  return (
    <button
      type="button"
      className="flex max-w-full items-center gap-2 text-left hover:underline"
      onClick={() => onOpen(token)}
    >
      <Avatar name={token.user.username} url={token.user.avatarUrl} />
      <span className="truncate" title={token.user.username}>
        <span className="sr-only">Open token of </span>
        {token.user.username}
      </span>
    </button>
  )
}

function Scopes({ token }: { token: TokenItem }) {
  const organizations = token.boundOrganization
    ? [`${token.boundOrganization.name} only`]
    : token.organizations.map(({ name }) => `+ ${name}`)
  return <Chips words={[...token.scopes, ...organizations]} what="scopes" />
}
