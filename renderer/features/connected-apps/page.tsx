import { Link } from 'wouter'
import type { ConsentItem } from '../../../server/contract/control-apps.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { Chips } from '../../ui/chips.tsx'
import { Page, Panel } from '../../ui/page.tsx'
import { QueryView } from '../../shared/query-view.tsx'
import { Question, useQuestion } from '../../ui/question.tsx'
import { Empty } from '../../ui/states.tsx'
import { Table, type Column } from '../../ui/table.tsx'
import { Ago } from '../../ui/time.tsx'
import { useConsents, useRevokeConsent } from './model/requests.ts'

export function ConnectedPage() {
  const consents = useConsents()
  const revoke = useRevokeConsent()
  const leaving = useQuestion(revoke)
  const columns: Column<ConsentItem>[] = [
    {
      title: 'User',
      minWidth: 6.5,
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
      renderCell: ({ app }) => (
        <Link
          href={`/apps/${encodeURIComponent(app.clientId)}`}
          title={app.name}
          className="hover:underline"
        >
          {app.name}
        </Link>
      ),
    },
    {
      title: 'Allowed',
      minWidth: 8,
      renderCell: ({ scopes, organizations }) => (
        <Chips words={[...scopes, ...organizations.map(({ name }) => `+ ${name}`)]} what="scopes" />
      ),
    },
    {
      title: 'Since',
      width: 6,
      wideOnly: true,
      renderCell: ({ grantedAt }) => <Ago time={grantedAt} />,
    },
    {
      title: 'Actions',
      width: 7,
      align: 'right',
      renderCell: (consent) => (
        <Button size="small" busy={revoke.isPending} onClick={() => leaving.ask(consent)}>
          Disconnect
          <span className="sr-only">
            {' '}
            {consent.app.name} of {consent.user.username}
          </span>
        </Button>
      ),
    },
  ]
  return (
    <Page
      title="Connected apps"
      lead="What users have allowed apps. Each set of scopes is allowed for itself. To disconnect an app revokes its tokens, and it must ask again."
    >
      <QueryView query={consents} what="connected apps">
        {({ items }) => (
          <Panel flush>
            {items.length > 0 ? (
              <Table
                label="Connected apps"
                rows={items}
                rowKey={({ user, app, scopes }) => `${user.id} ${app.clientId} ${scopes.join(' ')}`}
                columns={columns}
              />
            ) : (
              <Empty icon="connected" title="No user has allowed an app yet">
                The first sign-in asks for consent; what was allowed is listed here.
              </Empty>
            )}
          </Panel>
        )}
      </QueryView>
      <Question
        of={leaving}
        title={({ app, user }) => `Disconnect ${app.name} from ${user.username}?`}
        action="Disconnect it"
      >
        {({ user }) =>
          `Every set of scopes that ${user.username} has allowed it is forgotten, and its access and refresh tokens for ${user.username} stop working at once. It must ask again.`
        }
      </Question>
    </Page>
  )
}
