import { ResourcePage } from '../../shared/resource-page.tsx'
import { Link } from 'wouter'
import type { ConsentItem } from '../../../server/contract/control-apps.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { Chips } from '../../ui/chips.tsx'
import { Question, useQuestion } from '../../ui/question.tsx'
import { Empty } from '../../ui/states.tsx'
import type { Column } from '../../ui/table.tsx'
import { Moment } from '../../ui/time.tsx'
import { useConsents, useRevokeConsent } from './model/requests.ts'
import { words } from './words.ts'
import { visibleControls } from '../../lib/visible-controls.ts'

export function ConsentsPage() {
  const consents = useConsents()
  const revoke = useRevokeConsent()
  const leaving = useQuestion(revoke)
  const columns: Column<ConsentItem>[] = [
    {
      title: 'User',
      minWidth: 6.5,
      sortBy: ({ user }) => user.username,
      renderCell: ({ user }) => (
        <span className="flex items-center gap-2">
          <Avatar name={user.username} url={user.avatarUrl} />
          <span className="truncate" title={user.username}>
            {user.username}
          </span>
        </span>
      ),
    },
    {
      title: 'App',
      minWidth: 6.5,
      sortBy: ({ app }) => app.name,
      renderCell: ({ app }) => (
        <Link
          href={`/apps/${encodeURIComponent(app.clientId)}`}
          title={visibleControls(app.name)}
          className="hover:underline"
        >
          {visibleControls(app.name)}
        </Link>
      ),
    },
    {
      title: 'Scopes',
      minWidth: 8,
      descendsFirst: true,
      sortBy: ({ scopes }) => scopes.length,
      renderCell: ({ scopes, organizations }) => (
        <Chips words={[...scopes, ...organizations.map(({ name }) => `+ ${name}`)]} what="scopes" />
      ),
    },
    {
      title: 'Since',
      width: 7.5,
      priority: 2,
      descendsFirst: true,
      sortBy: ({ grantedAt }) => grantedAt,
      renderCell: ({ grantedAt }) => <Moment time={grantedAt} />,
    },
    {
      title: 'Actions',
      inCard: 'action',
      width: 7,
      align: 'right',
      renderCell: (consent) => (
        <Button size="small" busy={revoke.isPending} onClick={() => leaving.ask(consent)}>
          Disconnect
          <span className="sr-only">
            {' '}
            {visibleControls(consent.app.name)} of {consent.user.username}
          </span>
        </Button>
      ),
    },
  ]
  return (
    <ResourcePage
      title={words.consents}
      lead="Apps users have authorized. Disconnecting revokes their tokens."
      query={consents}
      what="connected apps"
      rowKey={({ user, app, scopes }) => `${user.id} ${app.clientId} ${scopes.join(' ')}`}
      columns={columns}
      renderEmpty={() => (
        <Empty icon="connected" title="No connected apps yet">
          The first sign-in asks for consent; authorized apps are listed here.
        </Empty>
      )}
    >
      <Question
        of={leaving}
        title={({ app, user }) => `Disconnect ${app.name} from ${user.username}?`}
        action="Disconnect app"
      >
        {({ user }) =>
          `All its scopes and tokens for ${user.username} are revoked. It must ask for consent again.`
        }
      </Question>
    </ResourcePage>
  )
}
