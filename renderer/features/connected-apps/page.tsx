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
import { Moment } from '../../ui/time.tsx'
import { useConsents, useRevokeConsent } from './model/requests.ts'
import { words } from './words.ts'

export function ConnectedPage() {
  const consents = useConsents()
  const revoke = useRevokeConsent()
  const leaving = useQuestion(revoke)
  const columns: Column<ConsentItem>[] = [
    {
      title: words.user,
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
      title: words.app,
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
      title: words.authorizedScopes,
      minWidth: 8,
      renderCell: ({ scopes, organizations }) => (
        <Chips words={[...scopes, ...organizations.map(({ name }) => `+ ${name}`)]} what="scopes" />
      ),
    },
    {
      title: words.since,
      width: 7.5,
      priority: 2,
      renderCell: ({ grantedAt }) => <Moment time={grantedAt} />,
    },
    {
      title: words.actions,
      inCard: 'action',
      width: 7,
      align: 'right',
      renderCell: (consent) => (
        <Button size="small" busy={revoke.isPending} onClick={() => leaving.ask(consent)}>
          {words.disconnect}
          <span className="sr-only">
            {' '}
            {consent.app.name} of {consent.user.username}
          </span>
        </Button>
      ),
    },
  ]
  return (
    <Page title={words.connectedApps} lead={words.lead}>
      <QueryView query={consents} what="connected apps">
        {({ items }) => (
          <Panel flush>
            {items.length > 0 ? (
              <Table
                label={words.connectedApps}
                rows={items}
                rowKey={({ user, app, scopes }) => `${user.id} ${app.clientId} ${scopes.join(' ')}`}
                columns={columns}
              />
            ) : (
              <Empty icon="connected" title={words.empty}>
                {words.emptyHint}
              </Empty>
            )}
          </Panel>
        )}
      </QueryView>
      <Question
        of={leaving}
        title={({ app, user }) => words.disconnectTitle(app.name, user.username)}
        action={words.disconnectApp}
      >
        {({ user }) => words.disconnectConsequence(user.username)}
      </Question>
    </Page>
  )
}
